// Places for graphs that come without any.

import type { Edge, Point } from "../api/types";

/** n places on a circle inside the unit square. */
export function circle(n: number): Point[] {
  return Array.from({ length: n }, (_, v) => onRing(v / Math.max(n, 1), 0.5));
}

function onRing(turn: number, radius: number): Point {
  const angle = Math.PI * (0.5 - 2 * turn);
  return [0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)];
}

/**
 * A tree drawn from its middle outwards: rings are depths, and a subtree gets as much of the turn as it has leaves.
 * Vertices outside the tree stand on one more ring. O(n).
 */
export function radial(n: number, edges: Edge[]): Point[] {
  const neighbours: number[][] = Array.from({ length: n }, () => []);
  for (const [u, v] of edges) {
    neighbours[u].push(v);
    neighbours[v].push(u);
  }
  if (edges.length === 0) return circle(n);

  const root = middle(neighbours, edges[0][0]);
  const { order, parent, depth } = walk(neighbours, root);
  const leaves = new Array<number>(n).fill(0);
  for (const v of order.slice().reverse()) {
    if (leaves[v] === 0) leaves[v] = 1;
    if (parent[v] >= 0) leaves[parent[v]] += leaves[v];
  }

  const deepest = Math.max(...order.map((v) => depth[v]));
  const outside = order.length < n;
  const ring = 0.5 / Math.max(1, deepest + (outside ? 1 : 0));
  const from = new Array<number>(n).fill(0); // where the share of a vertex begins, in leaves
  const places: Point[] = new Array(n);
  for (const v of order) {
    places[v] = onRing((from[v] + leaves[v] / 2) / leaves[root], ring * depth[v]);
    let next = from[v];
    for (const w of neighbours[v]) {
      if (w === parent[v]) continue;
      from[w] = next;
      next += leaves[w];
    }
  }
  const rest = Array.from({ length: n }, (_, v) => v).filter((v) => !places[v]);
  rest.forEach((v, k) => (places[v] = onRing((k + 0.5) / rest.length, 0.5)));
  return places;
}

interface Walk {
  order: number[];
  parent: number[];
  depth: number[];
}

function walk(neighbours: number[][], root: number): Walk {
  const parent = new Array<number>(neighbours.length).fill(-1);
  const depth = new Array<number>(neighbours.length).fill(0);
  const order = [root];
  for (let k = 0; k < order.length; ++k) {
    const v = order[k];
    for (const w of neighbours[v]) {
      if (w === parent[v]) continue;
      parent[w] = v;
      depth[w] = depth[v] + 1;
      order.push(w);
    }
  }
  return { order, parent, depth };
}

/** The vertex halfway along a longest path, found by walking to the farthest vertex twice. */
function middle(neighbours: number[][], start: number): number {
  const far = walk(neighbours, start).order.at(-1) ?? start;
  const { order, parent, depth } = walk(neighbours, far);
  let v = order.at(-1) ?? far;
  for (let up = depth[v] >> 1; up > 0; --up) v = parent[v];
  return v;
}
