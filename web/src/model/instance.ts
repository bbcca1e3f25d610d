// Instances as the page holds them: every vertex has a place. All functions give new objects, so that undo is a list.

import { circle } from "../geometry/layout";
import type { Edge, Instance, Point } from "../api/types";

/** Points are the places of all vertices, whether edges cost their distances or not. */
export interface Placed extends Omit<Instance, "layout"> {
  points: Point[];
}

export const empty: Placed = { points: [] };

/** A graph that came without positions is put on a circle. */
export function placed({ layout, ...instance }: Instance): Placed {
  const n = instance.matrix?.length ?? instance.n ?? 0;
  return { ...instance, points: instance.points ?? layout ?? circle(n) };
}

/** The instance as files and the server have it: places beside weights are a layout. */
export function unplaced({ points, ...rest }: Placed): Instance {
  return isPoints(rest) ? { ...rest, points } : { ...rest, layout: points };
}

/** Whether edges cost what the points' distances say, so that points may be added and removed. */
export function isPoints(instance: Instance): boolean {
  return !instance.matrix && !instance.edges;
}

export function isGeographic(instance: Instance): boolean {
  return instance.map !== undefined || (instance.metric === "great-circle" && isPoints(instance));
}

export function rootsIn({ root }: { root?: number | number[] }): number[] {
  return root === undefined ? [] : Array.isArray(root) ? root : [root];
}

/** What is told about each vertex of itself, and what it is for a new one. */
const facts = { degree_limits: 1, demands: 1, masses: 1, prizes: 0, groups: -1 } as const;
const factNames = Object.keys(facts) as (keyof typeof facts)[];

export function withPoint(instance: Placed, at: Point): Placed {
  const added: Placed = { ...instance, points: [...instance.points, at] };
  // What is told per vertex is told for the new one too.
  if (instance.names) added.names = [...instance.names, `${instance.points.length}`];
  for (const name of factNames) {
    const values = instance[name];
    if (values) added[name] = [...values, name === "degree_limits" ? Math.max(...values, 1) : facts[name]];
  }
  delete added.requirements;
  return added;
}

export function withMoved(instance: Placed, v: number, to: Point): Placed {
  const points = instance.points.slice();
  points[v] = to;
  return { ...instance, points };
}

/** The vertices after v move down by one. */
export function without(instance: Placed, v: number): Placed {
  const kept = <T>(list: T[]): T[] => list.filter((_, u) => u !== v);
  const down = (u: number): number => (u > v ? u - 1 : u);
  const rest: Placed = { ...instance, points: kept(instance.points) };
  if (instance.names) rest.names = kept(instance.names);
  for (const name of factNames) {
    const values = instance[name];
    if (values) rest[name] = kept(values);
  }
  for (const name of ["terminals", "leaves"] as const) {
    const vertices = instance[name];
    if (vertices) rest[name] = vertices.filter((u) => u !== v).map(down);
  }
  const roots = rootsIn(instance).filter((root) => root !== v).map(down);
  if (roots.length === 0) delete rest.root;
  else rest.root = roots.length === 1 ? roots[0] : roots;
  delete rest.requirements;
  return rest;
}

export function withTerminalToggled(instance: Placed, v: number): Placed {
  const terminals = instance.terminals ?? [];
  const changed = terminals.includes(v) ? terminals.filter((t) => t !== v) : [...terminals, v].sort((a, b) => a - b);
  const marked: Placed = { ...instance, terminals: changed };
  if (changed.length === 0) delete marked.terminals;
  return marked;
}

/** The edges of a tree that are left when v is taken away, with the new numbers. */
export function edgesWithout(edges: Edge[], v: number): Edge[] {
  const down = (u: number): number => (u > v ? u - 1 : u);
  return edges.filter(([a, b]) => a !== v && b !== v).map(([a, b]) => [down(a), down(b)]);
}

/** NeuroPrim's own file format. */
export function instanceFile(instance: Placed): string {
  const metric = isPoints(instance) ? { metric: instance.metric ?? "euclidean" } : {};
  return `${JSON.stringify({ ...unplaced(instance), ...metric })}\n`;
}
