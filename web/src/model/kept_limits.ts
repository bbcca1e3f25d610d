// How a tree stands to the limits that it was asked to keep: where they bind, and which cables its edges are.

import type { Edge, Question } from "../api/types";
import { count, readable } from "../format";
import { rootsIn } from "./instance";
import { rooted, type Rooted } from "./rooted";

/** Loads and lengths are sums of rounded numbers. */
const rounding = 1 + 1e-9;
/** A way this near to the longest that is allowed counts as one that the limit binds. */
const nearlyAll = 0.98;

export interface KeptLimit {
  name: string;
  /** "Hops ≤ 4: reached at 3 points". */
  words: string;
  /** Where it binds; a capacity binds at the first vertex of a branch. */
  vertices: number[];
}

export interface CableUse {
  capacity: number;
  price: number;
  edges: number;
  /** NaN where the page does not know what edges weigh. */
  length: number;
}

export interface Judged {
  tree: Rooted;
  limits: KeptLimit[];
  /** The load of every edge, by its lower vertex in the rooted tree; null where loads do not matter. */
  loads: Float64Array | null;
  /** The same for the kind of cable, counted from 0 by rising capacity; null without cables. */
  kinds: Int8Array | null;
  cables: CableUse[];
}

export function rootsOf({ root, instance }: Question): number[] {
  const given = root ?? instance.root;
  return given === undefined ? [] : rootsIn({ root: given });
}

function reached(what: string, vertices: number[], of: number): string {
  if (vertices.length === 0) return `${what}: not reached`;
  return `${what}: reached at ${vertices.length} of ${count(of, "point")}`;
}

function degreeLimit(question: Question, edges: readonly Edge[], inTree: number[]): KeptLimit[] {
  const own = question.instance.degree_limits;
  const limit = (v: number): number => (question.degree ?? own?.[v] ?? Infinity);
  if (question.degree === undefined && !own) return [];
  const degree = new Map<number, number>();
  for (const edge of edges) for (const v of edge) degree.set(v, (degree.get(v) ?? 0) + 1);
  const vertices = inTree.filter((v) => (degree.get(v) ?? 0) >= limit(v));
  const what = question.degree === undefined ? "Degree ≤ each point's own" : `Degree ≤ ${question.degree}`;
  return [{ name: "degree", words: reached(what, vertices, inTree.length), vertices }];
}

function capacityLimit(question: Question, { parent, load }: Rooted, depth: Int32Array, inTree: number[]): KeptLimit[] {
  const { capacity } = question;
  if (capacity === undefined) return [];
  const branches = inTree.filter((v) => depth[v] === 1);
  const demands = inTree.filter((v) => parent[v] >= 0).map((v) => question.instance.demands?.[v] ?? 1);
  const least = Math.min(...demands.filter((demand) => demand > 0)); // corners of streets demand nothing
  const vertices = branches.filter((v) => load[v] + least > capacity * rounding);
  const most = Math.max(0, ...branches.map((v) => load[v]));
  const words = `Capacity ≤ ${readable(capacity)}: ${vertices.length} of ${count(branches.length, "branch", "branches")} full, the largest carries ${readable(most)}`;
  return [{ name: "capacity", words, vertices }];
}

function diameterLimit(question: Question, edges: readonly Edge[], n: number, inTree: number[]): KeptLimit[] {
  if (question.diameter === undefined || inTree.length === 0) return [];
  const farthest = (from: number): [number, number] => {
    const { depth } = rooted(n, edges, [from], {});
    const end = inTree.reduce((best, v) => (depth[v] > depth[best] ? v : best), from);
    return [end, depth[end]];
  };
  const [end] = farthest(inTree[0]);
  const [other, diameter] = farthest(end);
  const binds = diameter >= question.diameter;
  const words = `Diameter ≤ ${question.diameter}: ${binds ? "reached" : `it is ${diameter}`}`;
  return [{ name: "diameter", words, vertices: binds ? [end, other] : [] }];
}

function cableUse(question: Question, { parent, load, way }: Rooted, inTree: number[]): [Int8Array, CableUse[]] {
  const kinds = new Int8Array(parent.length).fill(-1);
  const cables = [...(question.cables ?? [])].sort((a, b) => a[0] - b[0]);
  const uses = cables.map(([capacity, price]) => ({ capacity, price, edges: 0, length: 0 }));
  for (const v of inTree) {
    if (parent[v] < 0) continue;
    kinds[v] = cables.findIndex(([capacity]) => load[v] <= capacity * rounding);
    const use = uses[kinds[v]];
    if (!use) continue;
    use.edges += 1;
    use.length += way[v] - way[parent[v]];
  }
  return [kinds, uses];
}

/** The tree of a question, judged. O(n). */
export function judged(question: Question, edges: readonly Edge[], n: number): Judged {
  const tree = rooted(n, edges, rootsOf(question), question.instance);
  const { depth, way } = tree;
  const inTree = [...depth.keys()].filter((v) => depth[v] >= 0);
  const limits: KeptLimit[] = degreeLimit(question, edges, inTree);
  const { hops, length, capacity, cables } = question;
  if (hops !== undefined) {
    const vertices = inTree.filter((v) => depth[v] >= hops);
    limits.push({ name: "hops", words: reached(`Hops ≤ ${hops}`, vertices, inTree.length), vertices });
  }
  if (length !== undefined && inTree.every((v) => !Number.isNaN(way[v]))) {
    const longest = inTree.reduce((most, v) => Math.max(most, way[v]), 0);
    const vertices = inTree.filter((v) => way[v] >= nearlyAll * length);
    const words = `Length ≤ ${readable(length)}: the longest way is ${readable(longest)}`;
    limits.push({ name: "length", words, vertices });
  }
  limits.push(...capacityLimit(question, tree, depth, inTree), ...diameterLimit(question, edges, n, inTree));
  const loaded = capacity !== undefined || cables !== undefined;
  const [kinds, uses] = cables ? cableUse(question, tree, inTree) : [null, []];
  return { tree, limits, loads: loaded ? tree.load : null, kinds, cables: uses };
}

/** The words by which the server's reasons tell of a limit. */
const traces: [string, RegExp][] = [
  ["degree", /degree/],
  ["hops", /hops/],
  ["length", /length|shortest way/],
  ["capacity", /capacity|branches/],
  ["diameter", /diameter/],
  ["cables", /cable|branches/],
  ["include_edges", /include|must be in the tree/],
  ["exclude_edges", /exclude|not connected/],
];

/** The vertex that the server's words name, by its name or number; -1 without one. */
export function vertexIn(message: string, names: readonly string[] | undefined, n: number): number {
  const named = /\bvert(?:ex|ices) (.+?)(?: at \[[^\]]*\])? (?:is|and|has|are|what|add)\b/.exec(message)?.[1];
  if (named === undefined) return -1;
  const v = names ? names.indexOf(named) : Number(named);
  return Number.isInteger(v) && v >= 0 && v < n ? v : -1;
}

/** What to change where no tree keeps the limits: those of the question that the server's words name. */
export function loosening(message: string, question: Question): string {
  const named = traces.filter(([name, trace]) => question[name] !== undefined && trace.test(message)).map(([name]) => name.replace("_", " "));
  if (named.length === 0) return "";
  const last = named[named.length - 1];
  return `Change ${named.length === 1 ? last : `${named.slice(0, -1).join(", ")} or ${last}`}.`;
}

const known = new WeakMap<readonly Edge[], { question: Question; judged: Judged }>();

/** The same for the tree that a run has now; what was judged once is not judged again. */
export function judgedRun({ question, edges }: { question: Question; edges: readonly Edge[] }, n: number): Judged {
  const before = known.get(edges);
  if (before?.question === question && before.judged.tree.depth.length === n) return before.judged;
  const now = judged(question, edges, n);
  known.set(edges, { question, judged: now });
  return now;
}
