// Points as few bytes: rounded to decimals that keep them exact where possible, and to a hundred-thousandth of their
// extent otherwise; then whole numbers of just the width they need.

import { boundsOf } from "../geometry/camera";
import type { Point } from "../api/types";
import { BitReader, BitWriter, widthOf } from "./bits";

export interface PackedPoints {
  count: number;
  decimals: number;
  /** The smallest x and y, in units of the last decimal. */
  from: Point;
  /** How many bits an x and a y take. */
  widths: [number, number];
  bits: Uint8Array;
}

const mostDecimals = 12;
const widest = 40;
const mostPoints = 1_000_000;

function isExact(value: number, decimals: number): boolean {
  return Number(value.toFixed(decimals)) === value;
}

/** The number of decimals that is kept of each coordinate. */
export function decimalsFor(points: readonly Point[]): number {
  const bounds = boundsOf(points);
  if (!bounds) return 0;
  const extent = Math.max(bounds.high[0] - bounds.low[0], bounds.high[1] - bounds.low[1]);
  // Rounding errs by half a unit of the last decimal, so that may be two hundred-thousandths of the extent.
  const enough = extent > 0 ? Math.ceil(-Math.log10(2e-5 * extent)) : mostDecimals;
  for (let decimals = 0; decimals <= Math.min(enough, mostDecimals); ++decimals) {
    if (points.every(([x, y]) => isExact(x, decimals) && isExact(y, decimals))) return decimals;
  }
  return Math.max(0, Math.min(enough, mostDecimals));
}

export function packPoints(points: readonly Point[]): PackedPoints {
  const decimals = decimalsFor(points);
  const whole = points.map(([x, y]): Point => [Math.round(x * 10 ** decimals), Math.round(y * 10 ** decimals)]);
  const { low, high } = boundsOf(whole) ?? { low: [0, 0], high: [0, 0] };
  const widths: [number, number] = [widthOf(high[0] - low[0]), widthOf(high[1] - low[1])];
  if (Math.max(...widths) > widest) throw new RangeError("the points lie too far apart for a link");
  const writer = new BitWriter();
  for (const [x, y] of whole) {
    writer.write(x - low[0], widths[0]);
    writer.write(y - low[1], widths[1]);
  }
  return { count: points.length, decimals, from: low, widths, bits: writer.finish() };
}

export function unpackPoints(packed: PackedPoints): Point[] {
  // A width of zero takes no bits, so the end of the bits alone would not stop a made-up count.
  if (!(packed.count >= 0 && packed.count <= mostPoints)) throw new RangeError("the number of points makes no sense");
  const reader = new BitReader(packed.bits);
  // Through text, so that 0.3 comes back as 0.3 and not as 3 × 0.1.
  const scaled = (whole: number): number => Number(`${whole}e-${packed.decimals}`);
  const points: Point[] = [];
  for (let k = 0; k < packed.count; ++k) {
    const x = packed.from[0] + reader.read(packed.widths[0]);
    const y = packed.from[1] + reader.read(packed.widths[1]);
    points.push([scaled(x), scaled(y)]);
  }
  return points;
}
