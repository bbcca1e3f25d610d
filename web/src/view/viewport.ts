// What part of the world is seen. Both sides of a comparison look through the same one.

import type { Point } from "../api/types";
import { boundsOf, Camera, unitSquare, type Size } from "../geometry/camera";
import { isGeographic, type Placed } from "../model/instance";

export class Viewport {
  camera = new Camera([0.5, 0.5], 500);
  size: Size = { width: 1, height: 1 };
  /** Pixels at the upper and lower edges that something else covers. */
  covered = { above: 56, below: 56 };
  private fitted = true;
  private watchers: (() => void)[] = [];

  onChange(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  private changed(): void {
    for (const watcher of this.watchers) watcher();
  }

  /** A view that shows everything still does after the window changed. */
  resize(size: Size, instance: Placed): void {
    if (size.width === this.size.width && size.height === this.size.height) return;
    this.size = size;
    if (this.fitted) this.fit(instance);
    else this.changed();
  }

  fit(instance: Placed): void {
    const bounds = boundsOf(instance.points) ?? unitSquare;
    const latitude = (bounds.low[1] + bounds.high[1]) / 2;
    const stretch = isGeographic(instance) ? Math.max(0.2, Math.cos((latitude * Math.PI) / 180)) : 1;
    // A point or two would fill the canvas; they are shown in the square that new drawings begin with.
    const shown = instance.points.length < 3 && inside(instance.points) ? unitSquare : bounds;
    // What is fitted comes between the things that lie on the drawing.
    const { width, height } = this.size;
    const [above, below] = [Math.min(this.covered.above, height / 4), Math.min(this.covered.below, height / 6)];
    const margin = Math.min(32, 0.04 * Math.min(width, height) + 8);
    const free = { width, height: height - above - below };
    this.camera = Camera.fitting(shown, free, margin, stretch).movedBy(0, (above - below) / 2);
    this.fitted = true;
    this.changed();
  }

  pan(dx: number, dy: number): void {
    this.camera = this.camera.movedBy(dx, dy);
    this.fitted = false;
    this.changed();
  }

  zoom(pixel: Point, factor: number): void {
    const scale = this.camera.scale * factor;
    if (!(scale > 1e-9 && scale < 1e12)) return;
    this.camera = this.camera.zoomedAt(pixel, factor, this.size);
    this.fitted = false;
    this.changed();
  }

  zoomMiddle(factor: number): void {
    this.zoom([this.size.width / 2, this.size.height / 2], factor);
  }

  toWorld(pixel: Point): Point {
    return this.camera.toWorld(pixel, this.size);
  }

  toScreen(point: Point): Point {
    return this.camera.toScreen(point, this.size);
  }

  /** The world point under a pixel, with as many decimals as a pixel is worth. */
  rounded(pixel: Point): Point {
    const decimals = Math.min(12, Math.max(0, Math.ceil(Math.log10(this.camera.scale))));
    const [x, y] = this.toWorld(pixel);
    return [Number(x.toFixed(decimals)), Number(y.toFixed(decimals))];
  }
}

function inside(points: readonly Point[]): boolean {
  return points.every(([x, y]) => x >= -1 && x <= 2 && y >= -1 && y <= 2);
}
