// Two methods, the same points, the same time.

import { byId, make, setText } from "../dom";
import { count, percent, readable, seconds } from "../format";
import { changeSince } from "../model/changes";
import { numbersOfBoth, type Run } from "../model/run";
import type { AppStore } from "../model/state";
import { drawChart } from "../view/chart";
import { edgeKey } from "../view/fading_tree";
import { methodTitle } from "./question";
import { axisOf, curve, lastSecond, verdictOf } from "./result";

function row(title: string, cells: [string, string], better: 0 | 1 | null = null): HTMLTableRowElement {
  const line = make("tr");
  const head = make("th", "", title);
  head.scope = "row";
  line.append(head, ...cells.map((text, k) => make("td", k === better ? "better" : "", text)));
  return line;
}

/** How many edges both trees have. */
export function sharedEdges(a: Run, b: Run): number {
  const keys = new Set(a.edges.map(edgeKey));
  return b.edges.filter((edge) => keys.has(edgeKey(edge))).length;
}

/** Which of two costs is less, and by how many percent; differences in the last digits are none. */
export function cheaper(a: number, b: number): { which: 0 | 1; percent: number } | null {
  const less = Math.min(a, b);
  if (Math.abs(a - b) <= 1e-9 * Math.abs(less)) return null;
  return { which: a < b ? 0 : 1, percent: less === 0 ? Infinity : (100 * Math.abs(a - b)) / Math.abs(less) };
}

function words(a: Run, b: Run, better: ReturnType<typeof cheaper>): string {
  const winner = better?.which === 0 ? a : b;
  const verdict = better ? `${methodTitle(winner.method)} is ${percent(better.percent)} cheaper.` : "Both cost the same.";
  return `${verdict} ${count(sharedEdges(a, b), "edge")} in both trees; the others have the colour of their method.`;
}

function show(a: Run, b: Run, change: string): void {
  const [x, y] = numbersOfBoth(a, b);
  const both = x.cost !== null && y.cost !== null;
  const better = x.cost !== null && y.cost !== null ? cheaper(x.cost, y.cost) : null;
  byId("duel").replaceChildren(
    row("Cost", [readable(x.cost), readable(y.cost)], better?.which ?? null),
    row("Gap", [percent(x.gap), percent(y.gap)]),
    row("Time", [seconds(lastSecond(a)), seconds(lastSecond(b))]),
    row("Result", [verdictOf(a, x.gap === 0), verdictOf(b, y.gap === 0)]),
  );
  const old = change ? `These are trees of an earlier question: ${change}.` : "";
  setText(byId("duel-note"), old || (both ? words(a, b, better) : ""));
  const curves = [curve(a, "cost", "cost-line"), curve(b, "cost", "rival-line")];
  const now = Math.max(lastSecond(a), lastSecond(b));
  drawChart(byId("duel-chart") as unknown as SVGSVGElement, curves, Math.max(axisOf(a), axisOf(b)), now);
}

export function startCompare(store: AppStore): void {
  let shownChange = "";
  store.watch((now, before) => {
    const { mode, rivals } = now;
    const [a, b] = rivals;
    byId("answer-compare").hidden = mode !== "compare" || !a || !b;
    if (mode !== "compare" || !a || !b) return;
    const change = changeSince(a, now);
    if (rivals === before.rivals && mode === before.mode && change === shownChange) return;
    shownChange = change;
    setText(byId("duel-a"), methodTitle(a.method));
    setText(byId("duel-b"), methodTitle(b.method));
    show(a, b, change);
  });
}
