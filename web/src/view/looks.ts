// What a question and its tree look like: demands as sizes, loads as widths, cables as colours, limits as rings.

import type { Edge, Instance, Point, StreetMap } from "../api/types";
import { rootsIn } from "../model/instance";
import type { Judged } from "../model/kept_limits";
import { edgeKey } from "./fading_tree";
import type { Scene } from "./paint";

/** How many colours of cables the style sheet has. */
export const cableColours = 6;

/** Area goes with the demand, the mean demand being of the usual size. Corners of streets are not drawn. */
export function sizesOf({ demands, terminals, prizes, root, map, points, layout }: Instance): Float32Array | null {
  const isPlace = map && new Set([...(terminals ?? []), ...rootsIn(root === undefined ? {} : { root })]);
  const drawn = (v: number): boolean => !isPlace || isPlace.has(v) || (prizes?.[v] ?? 0) > 0 || (demands?.[v] ?? 0) > 0;
  const some = demands?.filter((demand) => demand > 0) ?? [];
  const differ = some.some((demand) => demand !== some[0]) || (!map && some.length > 0 && some.length < (demands?.length ?? 0));
  if (!map && !differ) return null;
  const mean = some.reduce((sum, demand) => sum + demand, 0) / Math.max(1, some.length);
  const size = (demand: number): number => Math.min(3, Math.max(0.5, Math.sqrt(demand / mean)));
  const n = demands?.length ?? (points ?? layout ?? []).length;
  return Float32Array.from({ length: n }, (_, v) => (drawn(v) ? (differ && demands ? size(demands[v]) : 1) : 0));
}

/** Rings on nearly every point would say nothing that the words beside the drawing do not. */
export function ringed({ limits }: Judged, n: number): number[] {
  return limits.flatMap(({ vertices }) => (vertices.length <= Math.max(12, n / 4) ? vertices : []));
}

export type TreeLooks = Pick<Scene, "widths" | "kinds" | "tight">;

export const plain: TreeLooks = { widths: null, kinds: null, tight: [] };

export function looksOf(edges: readonly Edge[], judged: Judged): TreeLooks {
  const { tree, loads, kinds } = judged;
  const lower = ([u, v]: Edge): number => (tree.parent[v] === u ? v : u);
  const most = loads ? edges.reduce((most, edge) => Math.max(most, loads[lower(edge)]), 0) : 0;
  // From a little less than usual to more than twice as wide.
  const width = (load: number): number => 0.75 + 1.75 * Math.sqrt(most > 0 ? load / most : 0);
  return {
    widths: loads && new Map(edges.map((edge) => [edgeKey(edge), width(loads[lower(edge)])])),
    kinds: kinds && new Map(edges.map((edge) => [edgeKey(edge), kinds[lower(edge)]])),
    tight: ringed(judged, tree.depth.length),
  };
}

const known = new WeakMap<object, Edge[]>();

/** The edges of a graph that was given by them; nothing of a complete one, which would cover everything. */
export function streetsOf({ edges, matrix }: Instance): Edge[] {
  if (matrix || !edges) return none;
  let streets = known.get(edges);
  if (!streets) known.set(edges, (streets = edges.map(([u, v]) => [u, v])));
  return streets;
}

const none: Edge[] = [];
const straight: ReadonlyMap<number, readonly Point[]> = new Map();
const knownBends = new WeakMap<StreetMap, ReadonlyMap<number, readonly Point[]>>();

/** The points between the ends of edges that are not straight, from the smaller end on, by the edges' keys. */
export function bendsOf({ map }: Instance): ReadonlyMap<number, readonly Point[]> {
  if (!map?.shapes) return straight;
  let bends = knownBends.get(map);
  if (!bends) {
    bends = new Map(map.shapes.map(([u, v, between]) => [edgeKey([u, v]), u < v ? between : [...between].reverse()]));
    knownBends.set(map, bends);
  }
  return bends;
}
