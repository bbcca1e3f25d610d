// Puts the page together.

import * as api from "./api/client";
import { byId, setText } from "./dom";
import { startKeys } from "./keys";
import { Asker } from "./model/asker";
import { Editor } from "./model/editor";
import { newStore } from "./model/state";
import { startCaptions } from "./panels/captions";
import { startCompare } from "./panels/compare";
import { DownloadMenu } from "./panels/download";
import { startHelp } from "./panels/help";
import { LimitsPanel } from "./panels/limits";
import { PointsPanel } from "./panels/points";
import { QuestionPanel } from "./panels/question";
import { startResult } from "./panels/result";
import { SharePanel } from "./panels/share";
import { StepPanel } from "./panels/step";
import { startTools } from "./panels/tools";
import { CursorKeys } from "./view/cursor";
import { Pane } from "./view/pane";
import { PointerInput } from "./view/pointer";
import { startStage } from "./view/stage";
import { startTheme, toggleTheme } from "./view/theme";
import { Viewport } from "./view/viewport";

function say(words: string): void {
  setText(byId("say"), words);
}

let toastEnds: ReturnType<typeof setTimeout> | undefined;
function toast(words: string): void {
  const element = byId("toast");
  element.hidden = false;
  setText(element, words);
  clearTimeout(toastEnds);
  toastEnds = setTimeout(() => (element.hidden = true), 3500);
}

startTheme();
byId("theme").addEventListener("click", toggleTheme);

const store = newStore();
const editor = new Editor(store);
const asker = new Asker(store);
const viewport = new Viewport();
const panes: [Pane, Pane] = [
  new Pane(byId<HTMLCanvasElement>("canvas-a"), viewport),
  new Pane(byId<HTMLCanvasElement>("canvas-b"), viewport),
];
for (const pane of panes) {
  new PointerInput(pane, viewport, store, editor);
  new CursorKeys(pane, viewport, store, editor, say);
}
editor.onReplaced(() => viewport.fit(store.get().instance));

startStage(store, viewport, panes);
startTools(store, editor, viewport);
startResult(store);
startCaptions(store);
startCompare(store);
startHelp();
new PointsPanel(store, editor, say);
new DownloadMenu(store);
const question = new QuestionPanel(store, asker, new LimitsPanel(store));
const steps = new StepPanel(store);
const share = new SharePanel(store, editor, toast);
startKeys({ store, editor, viewport, question, steps });

async function begin(): Promise<void> {
  await share.open();
  try {
    const about = await api.about();
    store.set({ about });
    setText(byId("version"), `Version ${about.version}.`);
  } catch (error) {
    store.set({ error: error instanceof Error ? error.message : String(error) });
  }
}
void begin();
