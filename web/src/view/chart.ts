// Cost and bound over time, as steps: a value holds until the next one comes.

import { makeSvg } from "../dom";
import { readable } from "../format";
import { axisTicks } from "./ticks";

export interface Curve {
  /** Class of the line: cost-line, bound-line or rival-line. */
  kind: "cost-line" | "bound-line" | "rival-line";
  values: { seconds: number; value: number }[];
}

const margin = { right: 4, top: 8, bottom: 18 };
const digitWidth = 6.4; // pixels, in the type of the chart's labels
const tickSpacing = 34; // pixels between labels, or a little more

type Place = [number, number];

/** The first trees are built in no time and cost much; a chart with room for them would show nothing else. */
const beginning = 0.04;

/** The values that hold at the given time or come later. */
export function heldAfter(values: Curve["values"], time: number): number[] {
  return values.filter((_, k) => k === values.length - 1 || values[k + 1].seconds > time).map((entry) => entry.value);
}

function range(values: number[]): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  // Costs that differ in their last digits only are the same cost.
  const differ = high - low > 1e-9 * Math.abs(high);
  const room = differ ? 0.08 * (high - low) : Math.abs(high) * 0.01 || 1;
  return [low < 0 ? low - room : Math.max(0, low - room), high + room];
}

/** A staircase through the values that goes on to the right edge. */
export function staircase(points: Place[], right: number): string {
  if (points.length === 0) return "";
  let path = `M${points[0][0].toFixed(1)} ${points[0][1].toFixed(1)}`;
  for (const [x, y] of points.slice(1)) path += `H${x.toFixed(1)}V${y.toFixed(1)}`;
  return `${path}H${right.toFixed(1)}`;
}

/** `until` is where time ends on the right; what is known holds up to `now`. */
export function drawChart(svg: SVGSVGElement, curves: Curve[], until: number, now: number): void {
  const box = svg.getBoundingClientRect();
  const [width, height] = [Math.max(box.width, 80), Math.max(box.height, 60)];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  const end = Math.max(until, now, 1e-3);
  const inSight = curves.flatMap((curve) => heldAfter(curve.values, beginning * now));
  if (inSight.length === 0) return;

  const [low, high] = range(inSight);
  const ticks = axisTicks(low, high, Math.max(2, Math.floor((height - margin.top - margin.bottom) / tickSpacing) + 1));
  const left = 8 + digitWidth * Math.max(...ticks.map(({ words }) => words.length));
  const x = (t: number): number => left + (Math.min(t, end) / end) * (width - left - margin.right);
  const y = (v: number): number =>
    margin.top + ((high - Math.min(v, high)) / (high - low)) * (height - margin.top - margin.bottom);
  const base = height - margin.bottom;
  const label = (text: string, at: number, level: number, anchor: string, kind: string): void => {
    const element = makeSvg("text", { class: kind, x: at, y: level, "text-anchor": anchor });
    element.textContent = text;
    svg.append(element);
  };
  svg.append(makeSvg("line", { class: "axis", x1: left, x2: width, y1: base, y2: base }));
  for (const { value, words } of ticks) {
    if (base - y(value) > 6) svg.append(makeSvg("line", { class: "axis", x1: left, x2: width, y1: y(value), y2: y(value) }));
    label(words, left - 6, y(value) + 4, "end", "value");
  }

  const places = curves.map((curve) => curve.values.map((e): Place => [x(e.seconds), y(e.value)]));
  const [cost, bound] = [places[0], curves[1]?.kind === "bound-line" ? places[1] : undefined];
  if (bound && cost.length > 0 && bound.length > 0) svg.append(makeSvg("path", { class: "between", d: between(cost, bound, x(now)) }));
  curves.forEach((curve, k) => {
    if (places[k].length === 0) return;
    svg.append(makeSvg("path", { class: curve.kind, d: staircase(places[k], x(now)) }));
    if (curve.kind === "bound-line") return;
    const last = places[k][places[k].length - 1];
    svg.append(makeSvg("circle", { class: curve.kind === "cost-line" ? "end" : "rival-end", cx: x(now), cy: last[1], r: 3 }));
  });
  label("0 s", left, height - 4, "start", "time");
  label(`${readable(Number(end.toPrecision(3)))} s`, width, height - 4, "end", "time");
}

/** The staircase from x on: the value that holds there first. */
function startingAt(points: Place[], x: number): Place[] {
  const next = points.findIndex((point) => point[0] > x);
  const holds = points[(next < 0 ? points.length : next) - 1];
  return [[x, holds[1]], ...(next < 0 ? [] : points.slice(next))];
}

/** What lies between cost and bound, from where both are known. */
export function between(cost: Place[], bound: Place[], right: number): string {
  const from = Math.max(cost[0][0], bound[0][0]);
  let path = staircase(startingAt(cost, from), right);
  for (const [x, y] of startingAt(bound, from).reverse()) path += `V${y.toFixed(1)}H${x.toFixed(1)}`;
  return `${path}Z`;
}
