// From the world, whose y axis points up, to the pixels of a canvas and back.

import type { Point } from "../api/types";

export interface Size {
  width: number;
  height: number;
}

export interface Bounds {
  low: Point;
  high: Point;
}

export const unitSquare: Bounds = { low: [0, 0], high: [1, 1] };

export function boundsOf(points: readonly Point[]): Bounds | null {
  if (points.length === 0) return null;
  const low: Point = [Infinity, Infinity];
  const high: Point = [-Infinity, -Infinity];
  for (const [x, y] of points) {
    low[0] = Math.min(low[0], x);
    low[1] = Math.min(low[1], y);
    high[0] = Math.max(high[0], x);
    high[1] = Math.max(high[1], y);
  }
  return { low, high };
}

export class Camera {
  /** The world point in the middle of the canvas, and how many pixels one unit upwards takes. */
  constructor(
    readonly centre: Point,
    readonly scale: number,
    /** Pixels of a unit to the right over those of a unit upwards: 1 but on a map, where degrees differ. */
    readonly stretch = 1,
  ) {}

  toScreen([x, y]: Point, size: Size): Point {
    return [
      size.width / 2 + (x - this.centre[0]) * this.scale * this.stretch,
      size.height / 2 - (y - this.centre[1]) * this.scale,
    ];
  }

  toWorld([px, py]: Point, size: Size): Point {
    return [
      this.centre[0] + (px - size.width / 2) / (this.scale * this.stretch),
      this.centre[1] - (py - size.height / 2) / this.scale,
    ];
  }

  movedBy(dx: number, dy: number): Camera {
    const [x, y] = this.centre;
    const centre: Point = [x - dx / (this.scale * this.stretch), y + dy / this.scale];
    return new Camera(centre, this.scale, this.stretch);
  }

  /** Larger by the factor, with the world point under the pixel staying there. */
  zoomedAt(pixel: Point, factor: number, size: Size): Camera {
    const before = this.toWorld(pixel, size);
    const zoomed = new Camera(this.centre, this.scale * factor, this.stretch);
    const after = zoomed.toWorld(pixel, size);
    const centre: Point = [this.centre[0] + before[0] - after[0], this.centre[1] + before[1] - after[1]];
    return new Camera(centre, zoomed.scale, this.stretch);
  }

  /** The camera that shows all of the bounds, with a margin of pixels. */
  static fitting({ low, high }: Bounds, size: Size, margin: number, stretch = 1): Camera {
    const width = (high[0] - low[0]) * stretch;
    const height = high[1] - low[1];
    const inside = (length: number): number => Math.max(length - 2 * margin, length / 4, 1);
    const fits = Math.min(
      width > 0 ? inside(size.width) / width : Infinity,
      height > 0 ? inside(size.height) / height : Infinity,
    );
    const scale = Number.isFinite(fits) ? fits : Math.min(inside(size.width), inside(size.height));
    return new Camera([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2], scale, stretch);
  }
}
