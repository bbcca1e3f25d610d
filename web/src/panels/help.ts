// Every key there is.

import { byId, make } from "../dom";

const shortcuts: [string, [string, string][]][] = [
  ["Drawing", [
    ["Add a point", "click"],
    ["Move it", "drag"],
    ["Mark a terminal", "shift-click or T"],
    ["Make it the root", "R"],
    ["Delete the selected", "Del"],
    ["Undo, redo", "Ctrl+Z, Ctrl+Shift+Z"],
  ]],
  ["Without a mouse", [
    ["Move the cursor", "arrows"],
    ["Faster, finer", "Shift, Alt"],
    ["Place a point", "Enter"],
    ["Next, previous point", "N, P"],
    ["Take it, let go", "G, Enter"],
  ]],
  ["View", [
    ["Zoom", "wheel, + −"],
    ["Pan", "drag the ground"],
    ["Fit", "F"],
    ["Draw, mark, erase, look", "D M E V"],
  ]],
  ["Questions", [
    ["Solve, step, compare", "1 2 3"],
    ["Ask", "Ctrl+Enter or S"],
    ["Stop", "Esc"],
    ["Decision back, on", "← →"],
    ["Play, next doubt", "Space, U"],
  ]],
];

export function startHelp(): void {
  const place = byId("shortcuts");
  for (const [title, keys] of shortcuts) {
    const part = make("div");
    part.append(make("h3", "", title));
    for (const [what, key] of keys) {
      const line = make("div");
      line.append(make("span", "", what), make("kbd", "", key));
      part.append(line);
    }
    place.append(part);
  }
  byId("help").addEventListener("click", openHelp);
}

export function openHelp(): void {
  byId<HTMLDialogElement>("help-dialog").showModal();
}
