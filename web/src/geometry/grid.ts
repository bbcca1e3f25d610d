// Which point is under the pointer: points in square cells, so that a question looks at a few of them only.

import type { Point } from "../api/types";

export class Grid {
  private readonly cells = new Map<string, number[]>();

  /** O(n). Points in pixels; cells as wide as the largest distance that will be asked for. */
  constructor(
    private readonly points: readonly Point[],
    private readonly cell: number,
  ) {
    points.forEach(([x, y], v) => {
      const key = this.key(Math.floor(x / cell), Math.floor(y / cell));
      const list = this.cells.get(key);
      if (list) list.push(v);
      else this.cells.set(key, [v]);
    });
  }

  private key(column: number, row: number): string {
    return `${column},${row}`;
  }

  /** The nearest point within the distance, which must not exceed the cell's width; -1 where there is none. */
  nearest([x, y]: Point, within: number): number {
    const column = Math.floor(x / this.cell);
    const row = Math.floor(y / this.cell);
    let best = -1;
    let bestDistance = within * within;
    for (let c = column - 1; c <= column + 1; ++c) {
      for (let r = row - 1; r <= row + 1; ++r) {
        for (const v of this.cells.get(this.key(c, r)) ?? []) {
          const dx = this.points[v][0] - x;
          const dy = this.points[v][1] - y;
          const distance = dx * dx + dy * dy;
          // Among equals the last one drawn, which lies on top.
          if (distance < bestDistance || (distance === bestDistance && v > best)) {
            best = v;
            bestDistance = distance;
          }
        }
      }
    }
    return best;
  }
}
