// The few words in the corner of each canvas: what tree this is and how good.

import { byId, make } from "../dom";
import { percent, readable } from "../format";
import { numbersOf, type Run } from "../model/run";
import { methodTitle } from "./question";
import type { AppStore } from "../model/state";

function caption(element: HTMLElement, big: string, small: string): void {
  const words = `${big}|${small}`;
  if (element.dataset.words === words) return;
  element.dataset.words = words;
  element.replaceChildren(...(big ? [make("b", "", big)] : []), ...(small ? [make("span", "", small)] : []));
}

function ofRun(run: Run, method: string): [string, string] {
  const { cost, gap } = numbersOf(run);
  const parts = [method, gap === null ? "" : run.solution?.proven_optimal ? "optimal" : `gap ${percent(gap)}`];
  return [cost === null ? "" : readable(cost), parts.filter(Boolean).join(" · ")];
}

export function startCaptions(store: AppStore): void {
  const [a, b] = [byId("caption-a"), byId("caption-b")];
  store.watch(({ mode, run, rivals, explanation, step, asked, stale }) => {
    if (mode === "solve") {
      caption(a, ...(run && !stale ? ofRun(run, "") : (["", ""] as [string, string])));
    } else if (mode === "compare") {
      rivals.forEach((rival, which) => {
        const method = asked.rivals[which];
        caption(which === 0 ? a : b, ...(rival && !stale ? ofRun(rival, methodTitle(rival.method)) : (["", methodTitle(method)] as [string, string])));
      });
    } else {
      const done = explanation && step === explanation.steps.length;
      caption(a, done ? readable(explanation.cost) : "", done ? "greedy policy" : "");
    }
  });
}
