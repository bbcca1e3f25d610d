// The answer of one solve: cost, bound, gap, and how they got there.

import { byId, setText } from "../dom";
import { percent, readable, seconds } from "../format";
import { changeSince } from "../model/changes";
import { numbersOf, type Run } from "../model/run";
import type { AppStore } from "../model/state";
import { drawChart, type Curve } from "../view/chart";

export function verdictOf(run: Run, isProven = run.solution?.proven_optimal === true): string {
  if (run.state === "running") return run.latest ? "improving" : "starting";
  if (run.state === "cancelled") return "stopped";
  if (run.state === "failed") return "failed";
  return isProven ? "optimal, proven" : "best found";
}

export function curve(run: Run, key: "cost" | "bound", kind: Curve["kind"]): Curve {
  const values = run.moments.flatMap((m) => (m[key] === null ? [] : [{ seconds: m.seconds, value: m[key] }]));
  return { kind, values };
}

export function lastSecond(run: Run): number {
  return run.moments.at(-1)?.seconds ?? 0;
}

/** Time on the axis: the limit while it runs, what it took once it is over. */
export function axisOf(run: Run): number {
  return run.state === "running" ? Math.max(run.timeLimit, lastSecond(run)) : lastSecond(run);
}

function show(run: Run, change: string): void {
  const { cost, bound, gap, by } = numbersOf(run);
  setText(byId("cost"), readable(cost));
  setText(byId("bound"), readable(bound));
  setText(byId("gap"), percent(gap));
  setText(byId("elapsed"), seconds(lastSecond(run)));
  const verdict = byId("verdict");
  setText(verdict, change || verdictOf(run));
  verdict.classList.toggle("proven", change === "" && run.solution?.proven_optimal === true);
  setText(byId("found-by"), by ? `Found by ${by}` : "");
  const curves = [curve(run, "cost", "cost-line"), curve(run, "bound", "bound-line")];
  drawChart(byId("chart") as unknown as SVGSVGElement, curves, axisOf(run), lastSecond(run));
}

export function startResult(store: AppStore): void {
  let shownChange = "";
  store.watch((now, before) => {
    const { run, mode } = now;
    byId("answer-solve").hidden = mode !== "solve" || run === null;
    if (!run || mode !== "solve") return;
    const change = changeSince(run, now);
    if (run === before.run && mode === before.mode && change === shownChange) return;
    shownChange = change;
    show(run, change);
  });
}
