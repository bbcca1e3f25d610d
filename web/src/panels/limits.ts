// Fields for every limit and fact about vertices that the server knows. They are made from its table of parameters.

import type { Parameter } from "../api/types";
import { byId, make, setText } from "../dom";
import { example, meaning, Misread } from "../model/limits";
import { mainFields, parametersOf, specifying } from "../model/question";
import type { AppStore, State } from "../model/state";

/** "include_edges" as a label. */
export function title(name: string): string {
  const words = name.replace(/_/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is wrong with a field's text; empty when nothing is. */
export function complaintAbout(parameter: Parameter, text: string, { instance }: Readonly<State>): string {
  if (text.trim() === "") return "";
  try {
    meaning(parameter, text, { count: instance.points.length, names: instance.names });
    return "";
  } catch (error) {
    if (!(error instanceof Misread)) throw error;
    return `${title(parameter.name)}: ${error.message}`;
  }
}

export class LimitsPanel {
  private readonly fields = new Map<string, HTMLInputElement>();

  constructor(private readonly store: AppStore) {
    const details = byId<HTMLDetailsElement>("more");
    details.addEventListener("toggle", () => (byId("more-fields").hidden = !details.open));
    store.watch((now, before) => {
      if (now.about !== before.about) this.build(now);
      const same = now.asked === before.asked && now.about === before.about && now.instance === before.instance;
      if (!same || now === before) this.show(now);
    });
  }

  private open(): void {
    byId<HTMLDetailsElement>("more").open = true;
    byId("more-fields").hidden = false; // at once: what is hidden takes no focus
  }

  /** The first field that cannot be used as it is, which gets the focus, or one that the problem needs and is empty. */
  firstWrong(): string {
    const now = this.store.get();
    for (const parameter of specifying(now.about)) {
      const input = this.fields.get(parameter.name);
      if (!input || input.closest("label")?.hidden) continue;
      const lacks = input.value.trim() === "" && this.isNeeded(parameter.name, now);
      const wrong = lacks ? `${title(parameter.name)} is missing: ${parameter.help}` : complaintAbout(parameter, input.value, now);
      if (wrong === "") continue;
      this.open();
      input.focus();
      return wrong;
    }
    return "";
  }

  /** What a preset cannot do without; a root, demands, masses and leaves are as the input has them. */
  private isNeeded(name: string, { asked, about, instance }: Readonly<State>): boolean {
    if (asked.problem === "tree" || ["root", "demands", "masses", "leaves", "degree"].includes(name)) return false;
    const given = instance[name as keyof typeof instance] !== undefined;
    return parametersOf(asked.problem, about).includes(name) && !given;
  }

  private build({ about, asked }: Readonly<State>): void {
    this.fields.clear();
    const labels = specifying(about).map((parameter) => {
      const label = make("label", "field wide", title(parameter.name));
      const input = make("input", "");
      input.id = `more-${parameter.name}`;
      input.type = "text";
      input.autocomplete = "off";
      input.placeholder = example(parameter);
      input.value = asked.more[parameter.name] ?? "";
      label.id = `field-more-${parameter.name}`;
      label.title = `${parameter.help}.`;
      label.append(input);
      input.addEventListener("input", () => {
        const { asked: before } = this.store.get();
        this.store.set({ asked: { ...before, more: { ...before.more, [parameter.name]: input.value } }, error: "" });
      });
      this.fields.set(parameter.name, input);
      return label;
    });
    byId("more-fields").replaceChildren(...labels);
  }

  private show(now: Readonly<State>): void {
    const main = mainFields(now.asked.problem, now.about);
    let wrong = "";
    let open = false;
    for (const parameter of specifying(now.about)) {
      const input = this.fields.get(parameter.name);
      if (!input) continue;
      const text = now.asked.more[parameter.name] ?? "";
      if (input.value !== text) input.value = text;
      byId(`field-more-${parameter.name}`).hidden = main.includes(parameter.name);
      const complaint = main.includes(parameter.name) ? "" : complaintAbout(parameter, text, now);
      input.setAttribute("aria-invalid", `${complaint !== ""}`);
      wrong ||= complaint;
      open ||= this.isNeeded(parameter.name, now);
    }
    setText(byId("more-wrong"), wrong);
    const used = specifying(now.about).filter(({ name }) => !main.includes(name) && (now.asked.more[name] ?? "").trim() !== "").length;
    setText(byId("more-title"), used > 0 ? `More limits (${used})` : "More limits");
    if (open) this.open();
  }
}
