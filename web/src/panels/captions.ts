// The few words in the corner of each canvas of a comparison: whose tree this is and how good.

import { byId, make } from "../dom";
import { percent, readable } from "../format";
import { changeSince } from "../model/changes";
import { numbersOfBoth, type Numbers } from "../model/run";
import { methodTitle } from "./question";
import type { AppStore } from "../model/state";

function caption(element: HTMLElement, big: string, small: string): void {
  const words = `${big}|${small}`;
  if (element.dataset.words === words) return;
  element.dataset.words = words;
  element.replaceChildren(...(big ? [make("b", "", big)] : []), ...(small ? [make("span", "", small)] : []));
}

function ofRun({ cost, gap }: Numbers, method: string): [string, string] {
  const parts = [method, gap === null ? "" : gap === 0 ? "optimal" : `gap ${percent(gap)}`];
  return [cost === null ? "" : readable(cost), parts.filter(Boolean).join(" · ")];
}

export function startCaptions(store: AppStore): void {
  const [a, b] = [byId("caption-a"), byId("caption-b")];
  store.watch((now) => {
    const { mode, rivals, asked } = now;
    if (mode !== "compare") return;
    const [left, right] = rivals;
    const numbers = left && right && !changeSince(left, now) ? numbersOfBoth(left, right) : null;
    [a, b].forEach((element, side) => {
      const method = methodTitle(rivals[side]?.method ?? asked.rivals[side]);
      const words: [string, string] = numbers ? ofRun(numbers[side], method) : ["", method];
      caption(element, ...words);
    });
  });
}
