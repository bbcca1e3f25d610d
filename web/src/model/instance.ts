// Instances as the page holds them: every vertex has a place. All functions give new objects, so that undo is a list.

import { circle } from "../geometry/layout";
import type { Edge, Instance, Point } from "../api/types";

export interface Placed extends Instance {
  points: Point[];
}

export const empty: Placed = { points: [] };

/** A graph that came without positions is put on a circle. */
export function placed(instance: Instance): Placed {
  if (instance.points) return instance as Placed;
  const n = instance.weights?.length ?? instance.vertices ?? 0;
  return { ...instance, points: circle(n) };
}

/** Whether edges cost what the points' distances say, so that points may be added and removed. */
export function isPoints(instance: Instance): boolean {
  return !instance.weights && !instance.edges;
}

export function isGeographic(instance: Instance): boolean {
  return instance.metric === "great-circle" && isPoints(instance);
}

export function withPoint(instance: Placed, at: Point): Placed {
  const added: Placed = { ...instance, points: [...instance.points, at] };
  // What is told per vertex is told for the new one too.
  if (instance.names) added.names = [...instance.names, `${instance.points.length}`];
  if (instance.degree_limits) added.degree_limits = [...instance.degree_limits, Math.max(...instance.degree_limits, 1)];
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
  const rest: Placed = { ...instance, points: kept(instance.points) };
  if (instance.names) rest.names = kept(instance.names);
  if (instance.degree_limits) rest.degree_limits = kept(instance.degree_limits);
  if (instance.terminals) {
    rest.terminals = instance.terminals.filter((t) => t !== v).map((t) => (t > v ? t - 1 : t));
  }
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

/** NeuroPrim's own file format, which names some things otherwise than the API does. */
export function instanceFile(instance: Placed): string {
  const { points, weights, edges, vertices, metric, ...rest } = instance;
  const body: Record<string, unknown> = { ...rest };
  if (weights) Object.assign(body, { matrix: weights, layout: points });
  else if (edges) Object.assign(body, { n: vertices ?? points.length, edges, layout: points });
  else Object.assign(body, { points, metric: metric ?? "euclidean" });
  return `${JSON.stringify(body)}\n`;
}
