// A tree hung from its roots: depths, ways and loads, as limits count them.

import type { Edge, Instance } from "../api/types";

export interface Rooted {
  /** -1 of roots and of what the tree leaves out. */
  parent: Int32Array;
  /** Edges to the root; -1 of what the tree leaves out. */
  depth: Int32Array;
  /** Length of the way to the root; NaN where edges have no known weight. */
  way: Float64Array;
  /** The demand of a vertex and of all behind it. */
  load: Float64Array;
}

/** The radius of the Earth in metres, as the server has it. */
const earth = 6_371_008.8;

/** What edges weigh, as far as the page can tell: the server has further metrics. */
export function weightOf(instance: Instance): ((u: number, v: number) => number) | null {
  const { matrix, edges, points, metric = "euclidean" } = instance;
  if (matrix) return (u, v) => matrix[u]?.[v] ?? matrix[v]?.[u] ?? NaN;
  if (edges) {
    const known = new Map(edges.map(([u, v, weight]) => [Math.min(u, v) * 2 ** 24 + Math.max(u, v), weight]));
    return (u, v) => known.get(Math.min(u, v) * 2 ** 24 + Math.max(u, v)) ?? NaN;
  }
  if (!points) return null;
  const by: Record<string, (a: [number, number], b: [number, number]) => number> = {
    euclidean: ([x, y], [p, q]) => Math.hypot(x - p, y - q),
    manhattan: ([x, y], [p, q]) => Math.abs(x - p) + Math.abs(y - q),
    "great-circle": ([x, y], [p, q]) => {
      const [a, b, d] = [y, q, p - x].map((degrees) => (degrees * Math.PI) / 180);
      const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(d / 2) ** 2;
      return 2 * earth * Math.asin(Math.sqrt(Math.min(1, h)));
    },
  };
  const distance = by[metric];
  return distance ? (u, v) => distance(points[u], points[v]) : null;
}

/** Hangs the tree from its roots, breadth first; a part that holds none of them from its smallest vertex. O(n). */
export function rooted(n: number, edges: readonly Edge[], roots: readonly number[], instance: Instance): Rooted {
  const beside: number[][] = Array.from({ length: n }, () => []);
  for (const [u, v] of edges) {
    beside[u]?.push(v);
    beside[v]?.push(u);
  }
  const parent = new Int32Array(n).fill(-1);
  const depth = new Int32Array(n).fill(-1);
  const way = new Float64Array(n);
  const load = new Float64Array(n);
  const weight = weightOf(instance) ?? ((): number => NaN);
  const order: number[] = [];
  const hang = (root: number): void => {
    if (!(depth[root] === -1)) return;
    depth[root] = 0;
    order.push(root);
    for (let k = order.length - 1; k < order.length; ++k) {
      const u = order[k];
      for (const v of beside[u]) {
        if (depth[v] !== -1) continue;
        parent[v] = u;
        depth[v] = depth[u] + 1;
        way[v] = way[u] + weight(u, v);
        order.push(v);
      }
    }
  };
  for (const root of roots) if (root >= 0 && root < n) hang(root);
  for (let v = 0; v < n; ++v) if (beside[v].length > 0) hang(v);
  for (const v of order.reverse()) {
    load[v] += instance.demands?.[v] ?? 1;
    if (parent[v] >= 0) load[parent[v]] += load[v];
  }
  return { parent, depth, way, load };
}
