// A tree that changes: edges that come fade in, edges that go fade out, so that the eye sees what was exchanged.

import type { Edge } from "../api/types";

const duration = 260; // ms

interface Fading {
  edge: Edge;
  since: number;
  comes: boolean;
}

export function edgeKey([u, v]: Edge): number {
  return u < v ? u * 2 ** 24 + v : v * 2 ** 24 + u;
}

export class FadingTree {
  private shown = new Map<number, Edge>();
  private fading = new Map<number, Fading>();

  /** Replaces the tree; `now` in ms. Without motion the change is at once. */
  show(edges: Edge[], now: number, moving: boolean): void {
    const next = new Map(edges.map((edge) => [edgeKey(edge), edge]));
    if (!moving) {
      this.fading.clear();
    } else {
      for (const [key, edge] of next) {
        if (!this.shown.has(key)) this.fading.set(key, { edge, since: now, comes: true });
      }
      for (const [key, edge] of this.shown) {
        if (!next.has(key)) this.fading.set(key, { edge, since: now, comes: false });
      }
    }
    this.shown = next;
  }

  /** Forgets fades that are over; whether any are left. */
  settle(now: number): boolean {
    for (const [key, fade] of this.fading) {
      if (now - fade.since >= duration) this.fading.delete(key);
    }
    return this.fading.size > 0;
  }

  /** Edges that are simply there. */
  *steady(): Generator<Edge> {
    for (const [key, edge] of this.shown) {
      if (!this.fading.has(key)) yield edge;
    }
  }

  /** Edges between being there and not, with how much of them is visible. */
  *changing(now: number): Generator<{ edge: Edge; opacity: number }> {
    for (const { edge, since, comes } of this.fading.values()) {
      const part = Math.min(1, Math.max(0, (now - since) / duration));
      yield { edge, opacity: comes ? part : 1 - part };
    }
  }
}
