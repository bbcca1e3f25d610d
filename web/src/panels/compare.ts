// Two methods, the same points, the same time.

import { byId, make, setText } from "../dom";
import { count, percent, readable, seconds } from "../format";
import { numbersOf, type Run } from "../model/run";
import type { AppStore } from "../model/state";
import { drawChart } from "../view/chart";
import { edgeKey } from "../view/fading_tree";
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

function show(a: Run, b: Run): void {
  const [x, y] = [numbersOf(a), numbersOf(b)];
  const both = x.cost !== null && y.cost !== null;
  const better = both && x.cost !== y.cost ? ((x.cost ?? 0) < (y.cost ?? 0) ? 0 : 1) : null;
  byId("duel").replaceChildren(
    row("Cost", [readable(x.cost), readable(y.cost)], better),
    row("Gap", [percent(x.gap), percent(y.gap)]),
    row("Time", [seconds(lastSecond(a)), seconds(lastSecond(b))]),
    row("", [verdictOf(a), verdictOf(b)]),
  );
  const shared = both ? sharedEdges(a, b) : 0;
  const difference = both && better !== null ? percent((100 * Math.abs((x.cost ?? 0) - (y.cost ?? 0))) / Math.min(x.cost ?? 1, y.cost ?? 1)) : "";
  const verdict = difference ? `${better === 0 ? a.method : b.method} is ${difference} cheaper. ` : both ? "Both cost the same. " : "";
  setText(byId("duel-note"), both ? `${verdict}${count(shared, "edge")} in both trees; the others are coloured.` : "");
  const curves = [curve(a, "cost", "cost-line"), curve(b, "cost", "rival-line")];
  const now = Math.max(lastSecond(a), lastSecond(b));
  drawChart(byId("duel-chart") as unknown as SVGSVGElement, curves, Math.max(axisOf(a), axisOf(b)), now);
}

export function startCompare(store: AppStore): void {
  store.watch(({ mode, rivals }, before) => {
    const [a, b] = rivals;
    byId("answer-compare").hidden = mode !== "compare" || !a || !b;
    if (mode !== "compare" || !a || !b || (rivals === before.rivals && mode === before.mode)) return;
    setText(byId("duel-a"), a.method);
    setText(byId("duel-b"), b.method);
    show(a, b);
  });
}
