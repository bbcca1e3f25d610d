// The form that asks: problem, its numbers, methods and time.

import type { About, ProblemKind } from "../api/types";
import { byId, make, prefersStillness, prefersTouch, setText } from "../dom";
import { count } from "../format";
import type { Asker } from "../model/asker";
import { rootsIn } from "../model/instance";
import { hasPolicy, mainFields, methodsFor, specifying, type Asked } from "../model/question";
import type { AppStore, Mode, State } from "../model/state";
import type { LimitsPanel } from "./limits";
import { firstWrong, NumberField } from "./number_field";

const verbs: Record<Mode, string> = { solve: "Solve", step: "Show the decisions", compare: "Compare" };
/** The registry's titles are whole sentences; a list is read at a glance. */
const shortTitles: Record<string, string> = {
  mst: "Minimum spanning tree",
  dcmst: "Degree-constrained tree",
  mrcst: "Least routing cost",
  ocst: "Least communication cost",
  stp: "Steiner tree",
  hmst: "Hop-constrained tree",
  cmst: "Capacitated tree",
  bdmst: "Tree of bounded diameter",
  lmst: "Tree of bounded length",
  pcst: "Prize-collecting tree",
  gmst: "One vertex of each group",
  cables: "Cables priced by load",
  tree: "Any limits together",
};
const withoutServer: Pick<ProblemKind, "name" | "title" | "parameters">[] = [
  { name: "dcmst", title: "degree-constrained minimum spanning tree", parameters: ["degree"] },
];

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function problemTitle(name: string, title: string): string {
  return shortTitles[name] ?? capital(title);
}

function needsTerminals(): string {
  return `Steiner trees need terminals. Mark them: ${prefersTouch() ? "" : "shift-click, right-click or "}the second tool.`;
}

const needsTraffic = "Needs traffic between pairs: press Generate while this problem is chosen, or open a file that has it.";

/** Whether this page has fields or marks for what the problem reads; a server of another version may know more. */
function hasForm(parameters: string[], about: About | null): boolean {
  const fields = new Set(["degree", "hops", "root", "terminals", "requirements", ...specifying(about).map(({ name }) => name)]);
  return parameters.every((name) => fields.has(name));
}

/** What to do where the policy is asked about a problem that none was trained for. */
function withoutPolicy({ problems }: About): string {
  const titles = problems.filter((kind) => kind.policy).map(({ name, title }) => problemTitle(name, title));
  if (titles.length === 0) return "This server has no trained policy: only Solve and Compare work";
  return `No policy was trained for this problem. Choose ${titles.join(" or ")}`;
}

/** The command's name for a method, as a word in a list. */
export function methodTitle(name: string): string {
  return capital(name.replace(/-/g, " "));
}

interface Entry {
  name: string;
  title: string;
  disabled?: boolean;
}

function fill(select: HTMLSelectElement, entries: Entry[], chosen: string): void {
  const wanted = entries.map((entry) => `${entry.name}=${entry.title}`).join("\n");
  if (select.dataset.filled !== wanted) {
    select.dataset.filled = wanted;
    select.replaceChildren(
      ...entries.map(({ name, title, disabled }) => {
        const option = make("option", "", title);
        option.value = name;
        option.disabled = disabled === true;
        return option;
      }),
    );
  }
  select.value = chosen;
  select.title = select.selectedOptions[0]?.textContent ?? ""; // a narrow field may cut it
}

export class QuestionPanel {
  private readonly fields: Record<"degree" | "hops" | "root" | "timeLimit", NumberField>;

  constructor(
    private readonly store: AppStore,
    private readonly asker: Asker,
    private readonly limits: LimitsPanel,
  ) {
    const change = (asked: Partial<Asked>): void =>
      store.set({ asked: { ...store.get().asked, ...asked }, error: "" });
    this.onSelect("problem", (problem) => change({ problem }));
    this.onSelect("method", (method) => change({ method }));
    this.onSelect("rival-a", (method) => change({ rivals: [method, store.get().asked.rivals[1]] }));
    this.onSelect("rival-b", (method) => change({ rivals: [store.get().asked.rivals[0], method] }));
    this.fields = {
      degree: new NumberField("degree", (degree) => change({ degree })),
      hops: new NumberField("hops", (hops) => change({ hops })),
      root: new NumberField("root", (root) => change({ root })),
      timeLimit: new NumberField("time", (timeLimit) => change({ timeLimit })),
    };
    byId("question-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.go();
    });
    store.watch((now, before) => this.show(now, before));
  }

  go(): void {
    if (this.store.get().busy) return this.asker.cancel();
    const error = firstWrong(Object.values(this.fields)) || this.limits.firstWrong() || this.obstacle();
    if (error) return this.store.set({ error });
    // In one column the forms may have pushed the drawing out of sight.
    document.querySelector(".stage")?.scrollIntoView({ block: "nearest", behavior: prefersStillness() ? "auto" : "smooth" });
    void this.asker.ask();
  }

  /** Why this cannot be asked, and what to do about it; empty when it can. */
  private obstacle(): string {
    const { mode, asked, about, instance } = this.store.get();
    if (instance.points.length === 0) return "There are no points yet: draw, generate or open some first";
    if (asked.problem === "stp" && !instance.terminals?.length) return needsTerminals();
    if (asked.problem === "ocst" && !instance.requirements) return needsTraffic;
    if (mode !== "step" || !about) return "";
    if (!hasPolicy(asked.problem, about)) return withoutPolicy(about);
    const [n, most] = [instance.points.length, about.limits.explain_vertices];
    return n > most ? `Step takes ${count(most, "point")} at most, and there are ${count(n, "point")} here` : "";
  }

  private onSelect(id: string, chosen: (value: string) => void): void {
    const select = byId<HTMLSelectElement>(id);
    select.addEventListener("change", () => chosen(select.value));
  }

  /** A method that cannot solve the problem gives way to one that can. */
  private keepMethodsPossible(): void {
    const { asked, about } = this.store.get();
    const names = methodsFor(asked.problem, about).map((method) => method.name);
    if (names.length === 0) return;
    const possible = (name: string, otherwise: number): string =>
      names.includes(name) ? name : (names[Math.min(otherwise, names.length - 1)] ?? name);
    const method = possible(asked.method, 0);
    const rivals: [string, string] = [possible(asked.rivals[0], 0), possible(asked.rivals[1], 1)];
    const same = method === asked.method && rivals.every((rival, k) => rival === asked.rivals[k]);
    if (!same) this.store.set({ asked: { ...asked, method, rivals } });
  }

  private show(now: Readonly<State>, before: Readonly<State>): void {
    this.showAction(now);
    if (now.asked.problem !== before.asked.problem || now.about !== before.about) {
      this.keepMethodsPossible();
      now = this.store.get();
    }
    const same = now.asked === before.asked && now.about === before.about && now.mode === before.mode && now.explanation === before.explanation;
    if (same && now.instance === before.instance && now !== before) return;
    const { asked, about, mode } = now;
    const problems = (about?.problems ?? withoutServer)
      .filter(({ parameters }) => hasForm(parameters, about))
      .map(({ name, title }) => {
      const lacks = mode === "step" && !hasPolicy(name, about);
      return { name, title: `${problemTitle(name, title)}${lacks ? " (no policy)" : ""}`, disabled: lacks };
    });
    fill(byId("problem"), problems, asked.problem);
    const methods = methodsFor(asked.problem, about).map(({ name }) => ({ name, title: methodTitle(name) }));
    for (const [id, chosen] of [["method", asked.method], ["rival-a", asked.rivals[0]], ["rival-b", asked.rivals[1]]] as const) {
      fill(byId(id), methods, chosen);
    }
    this.showParameters(now);
    byId("field-method").hidden = mode !== "solve";
    byId("field-rival-a").hidden = mode !== "compare";
    byId("field-rival-b").hidden = mode !== "compare";
    byId("field-time").hidden = mode === "step";
    const method = about?.methods.find((m) => m.name === asked.method);
    const lacksPolicy = mode === "step" && about !== null && !hasPolicy(asked.problem, about);
    const notes: Record<Mode, string> = {
      solve: method ? `${capital(method.title)}.` : "",
      step: lacksPolicy ? `${withoutPolicy(about)}.` : now.explanation ? "" : "The learned policy grows a tree edge by edge; see what it was sure of and what not.",
      compare: "",
    };
    setText(byId("method-note"), notes[mode]);
    for (const field of Object.values(this.fields)) field.mark();
  }

  private showParameters({ asked, about, instance }: Readonly<State>): void {
    const parameters = mainFields(asked.problem, about);
    this.fields.root.setMax(Math.max(0, instance.points.length - 1));
    if (about) this.fields.timeLimit.setMax(about.limits.time_limit);
    for (const key of ["degree", "hops", "root", "timeLimit"] as const) this.fields[key].show(asked[key]);
    for (const name of ["degree", "hops", "root"]) byId(`field-${name}`).hidden = !parameters.includes(name);
    const roots = rootsIn(instance).length;
    if (roots > 1) byId("field-root").hidden = true;
    const limited = asked.problem === "dcmst" && instance.degree_limits !== undefined;
    byId<HTMLInputElement>("degree").disabled = limited;
    const terminals = instance.terminals?.length ?? 0;
    const notes: Record<string, string> = {
      dcmst: limited ? "Every point has its own limit, from the file." : "",
      stp: terminals > 0 ? `${terminals} terminals must be connected.` : needsTerminals(),
      ocst: instance.requirements ? "" : needsTraffic,
      hmst: prefersTouch() ? "The root is a point's number: tap it to see that." : "R makes the selected point the root.",
      mrcst: "The sum of tree distances over all pairs.",
    };
    const several = roots > 1 && parameters.includes("root") ? `${roots} roots, from the file.` : "";
    setText(byId("problem-note"), several || (notes[asked.problem] ?? ""));
  }

  /** Beside the drawing the forms may be longer than the screen: what comes of them is scrolled to. */
  private bringIntoSight(busy: boolean, error: string): void {
    const news = busy !== this.wasBusy || (error !== "" && error !== this.lastError);
    [this.wasBusy, this.lastError] = [busy, error];
    if (!news || matchMedia("(max-width: 820px)").matches) return;
    // Once the error is written, or the answer is shown.
    setTimeout(() => {
      const panel = document.querySelector(".panel");
      const below = byId(error ? "error" : "answer").getBoundingClientRect().bottom;
      if (panel && below > panel.getBoundingClientRect().bottom) {
        document.querySelector(".act")?.scrollIntoView({ block: error ? "end" : "start", behavior: prefersStillness() ? "auto" : "smooth" });
      }
    });
  }

  private wasBusy = false;
  private lastError = "";

  private showAction({ busy, mode, error, asked }: Readonly<State>): void {
    const button = byId("go");
    button.classList.toggle("running", busy);
    button.style.setProperty("--limit", `${mode === "step" ? 1 : asked.timeLimit || 1}s`);
    setText(byId("go-words"), busy ? "Cancel" : verbs[mode]);
    this.bringIntoSight(busy, error);
    setText(byId("error"), error);
  }
}
