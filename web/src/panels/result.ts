// The answer of one solve: cost, bound, gap, and how they got there.

import { byId, make, setText } from "../dom";
import { count, percent, readable, seconds } from "../format";
import { changeSince } from "../model/changes";
import { judgedRun, type CableUse, type KeptLimit } from "../model/kept_limits";
import { numbersOf, type Run } from "../model/run";
import type { AppStore } from "../model/state";
import { drawChart, type Curve } from "../view/chart";
import { cableColours } from "../view/looks";

export function verdictOf(run: Run, isProven = run.solution?.proven_optimal === true): string {
  if (run.state === "running") return run.latest ? "improving" : "starting";
  if (run.state === "cancelled") return "stopped";
  if (run.state === "failed") return run.infeasible ? "no tree" : "failed";
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

/** One line for each kind of cable, in its colour. */
function showCables(cables: readonly CableUse[]): void {
  byId("cable-list").replaceChildren(
    ...cables.map(({ capacity, price, edges, length }, k) => {
      const long = Number.isNaN(length) ? "" : `, ${readable(length)} long`;
      const line = make("li", "cable", `Up to ${readable(capacity)} at ${readable(price)}: ${count(edges, "edge")}${long}`);
      line.style.setProperty("--colour", `var(--cable-${Math.min(k, cableColours - 1)})`);
      return line;
    }),
  );
}

function showLimits(limits: readonly KeptLimit[]): void {
  byId("kept-limits").replaceChildren(...limits.map(({ words, vertices }) => make("li", vertices.length > 0 ? "binds" : "", words)));
}

/** What was asked for, and how the tree stands to it; nothing of an old tree. */
function showSpecification(run: Run, isOld: boolean, n: number): void {
  const words = run.solution?.specification ?? "";
  setText(byId("specification"), isOld || words === "" ? "" : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`);
  const judged = isOld || run.edges.length === 0 ? null : judgedRun(run, n);
  showCables(judged?.cables ?? []);
  showLimits(judged?.limits ?? []);
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
    showSpecification(run, change !== "" || (run.latest === null && run.solution === null), now.instance.points.length);
  });
}
