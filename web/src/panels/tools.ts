// The buttons on the drawing, and what it says about itself.

import { byId, prefersTouch, setText } from "../dom";
import { count, readable } from "../format";
import type { Editor } from "../model/editor";
import { changeSince } from "../model/changes";
import { isPoints } from "../model/instance";
import { judgedRun, rootsOf } from "../model/kept_limits";
import type { Run } from "../model/run";
import { parametersOf } from "../model/question";
import type { AppStore, Mode, State, Tool } from "../model/state";
import type { Viewport } from "../view/viewport";

/** Buttons of which one is chosen: arrows move between them, Tab goes past. */
function chooser<T extends string>(buttons: HTMLButtonElement[], key: "tool" | "mode", mark: string, choose: (value: T) => void) {
  buttons.forEach((button, k) => {
    button.addEventListener("click", () => choose(button.dataset[key] as T));
    button.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const next = buttons[(k + by + buttons.length) % buttons.length];
      next.focus();
      choose(next.dataset[key] as T);
    });
  });
  return (chosen: T): void => {
    for (const button of buttons) {
      const isIt = button.dataset[key] === chosen;
      button.setAttribute(mark, `${isIt}`);
      button.tabIndex = isIt ? 0 : -1;
    }
  };
}

/** Where a point stands in the tree; from the root on, where there is one. */
function inTheTree(run: Run, v: number, n: number): string[] {
  const degree = run.edges.filter((edge) => edge.includes(v)).length;
  const words = [`degree ${degree}`];
  if (rootsOf(run.question).length === 0) return words;
  const { tree, loads } = judgedRun(run, n);
  if (tree.depth[v] < 0) return ["not in the tree"];
  if (tree.depth[v] === 0) return [...words, "root"];
  words.push(count(tree.depth[v], "hop"));
  if (!Number.isNaN(tree.way[v])) words.push(`way ${readable(tree.way[v])}`);
  if (loads) words.push(`load ${readable(loads[v])}`);
  return words;
}

function factsOf(state: Readonly<State>): string {
  const { instance, selected, asked, about, run } = state;
  const n = instance.points.length;
  if (n === 0) return "";
  if (selected >= 0 && selected < n) {
    const [x, y] = instance.points[selected];
    const place = `${Number(x.toPrecision(5))}, ${Number(y.toPrecision(5))}`;
    const inTree = !run || changeSince(run, state) ? [] : inTheTree(run, selected, n);
    return [instance.names?.[selected] ?? `Point ${selected}`, place, ...inTree].join(" · ");
  }
  const terminals = instance.terminals?.length ?? 0;
  const parts = [isPoints(instance) ? count(n, "point") : count(n, "vertex", "vertices")];
  if (terminals > 0 && parametersOf(asked.problem, about).includes("terminals")) parts.push(count(terminals, "terminal"));
  if (instance.edges) parts.push(count(instance.edges.length, "edge"));
  return parts.join(" · ");
}

export function startTools(store: AppStore, editor: Editor, viewport: Viewport): void {
  const tools = [...document.querySelectorAll<HTMLButtonElement>("[data-tool]")];
  const modes = [...document.querySelectorAll<HTMLButtonElement>("[data-mode]")];
  const showTool = chooser<Tool>(tools, "tool", "aria-checked", (tool) => store.set({ tool }));
  const showMode = chooser<Mode>(modes, "mode", "aria-selected", (mode) => store.set({ mode, error: "", pointsError: "" }));
  byId("undo").addEventListener("click", () => editor.undo());
  byId("redo").addEventListener("click", () => editor.redo());
  byId("zoom-in").addEventListener("click", () => viewport.zoomMiddle(1.4));
  byId("zoom-out").addEventListener("click", () => viewport.zoomMiddle(1 / 1.4));
  byId("zoom-fit").addEventListener("click", () => viewport.fit(store.get().instance));
  const touch = prefersTouch();
  setText(byId("empty-note"), touch ? "Tap to place points, open a file, or generate some." : "Click to place points, drop a file, or generate some.");
  store.watch((now) => {
    showTool(now.tool);
    showMode(now.mode);
    byId("answer").setAttribute("aria-labelledby", `mode-${now.mode}`);
    byId("tools").hidden = now.mode === "step";
    byId<HTMLButtonElement>("undo").disabled = !now.canUndo;
    byId<HTMLButtonElement>("redo").disabled = !now.canRedo;
    byId<HTMLButtonElement>("share").disabled = now.instance.points.length === 0;
    byId<HTMLButtonElement>("download").disabled = now.instance.points.length === 0;
    byId("empty-note").hidden = now.instance.points.length > 0;
    document.body.classList.toggle("comparing", now.mode === "compare");
    for (const canvas of document.querySelectorAll("canvas")) canvas.classList.toggle("looking", now.tool === "look" || now.mode === "step");
    setText(byId("facts"), factsOf(now));
  });
}
