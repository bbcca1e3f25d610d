// Shortcuts that work wherever the focus is, but for fields that are typed in.

import { isTyping } from "./dom";
import type { Editor } from "./model/editor";
import type { AppStore, Mode, Tool } from "./model/state";
import { openHelp } from "./panels/help";
import type { QuestionPanel } from "./panels/question";
import type { StepPanel } from "./panels/step";
import type { Viewport } from "./view/viewport";

export interface Shortcuts {
  store: AppStore;
  editor: Editor;
  viewport: Viewport;
  question: QuestionPanel;
  steps: StepPanel;
}

const tools: Record<string, Tool> = { d: "draw", m: "terminal", e: "erase", v: "look" };
const modes: Record<string, Mode> = { "1": "solve", "2": "step", "3": "compare" };

export function startKeys(shortcuts: Shortcuts): void {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    if (withControl(event, shortcuts) || (!event.altKey && plain(event, shortcuts))) event.preventDefault();
  });
}

function withControl(event: KeyboardEvent, { store, editor, question }: Shortcuts): boolean {
  if (event.key === "Escape" && store.get().busy) {
    question.go();
    return true;
  }
  if (!event.ctrlKey && !event.metaKey) return false;
  const key = event.key.toLowerCase();
  if (key === "enter") {
    if (!store.get().busy) question.go();
    return true;
  }
  if (isTyping(event.target)) return false; // text fields undo their own text
  if (key === "y" || (key === "z" && event.shiftKey)) editor.redo();
  else if (key === "z") editor.undo();
  else return false;
  return true;
}

function plain(event: KeyboardEvent, { store, editor, viewport, question, steps }: Shortcuts): boolean {
  if (event.ctrlKey || event.metaKey || isTyping(event.target)) return false;
  const { mode, selected, busy, asked } = store.get();
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (mode === "step" && stepKey(key, event, steps)) return true;
  if (tools[key]) store.set({ tool: tools[key] });
  else if (modes[key]) store.set({ mode: modes[key], error: "", pointsError: "" });
  else if (key === "s" && !busy) question.go();
  else if (key === "f") viewport.fit(store.get().instance);
  else if (key === "+" || key === "=") viewport.zoomMiddle(1.4);
  else if (key === "-") viewport.zoomMiddle(1 / 1.4);
  else if (key === "?") openHelp();
  else if (key === "Escape") store.set({ selected: -1 });
  else if (selected >= 0 && mode !== "step") {
    if (key === "Delete" || key === "Backspace") editor.remove(selected);
    else if (key === "t") editor.toggleTerminal(selected);
    else if (key === "r") store.set({ asked: { ...asked, root: selected } });
    else return false;
  } else return false;
  return true;
}

function stepKey(key: string, event: KeyboardEvent, steps: StepPanel): boolean {
  const onButton = event.target instanceof HTMLButtonElement;
  if (key === "ArrowLeft") steps.by(event.shiftKey ? -10 : -1);
  else if (key === "ArrowRight") steps.by(event.shiftKey ? 10 : 1);
  else if (key === "Home") steps.goTo(0);
  else if (key === "End") steps.goTo(Infinity);
  else if (key === "u") steps.nextDoubt();
  else if (key === " " && !onButton) steps.togglePlay();
  else return false;
  return true;
}
