// What travels between the page and the server; docs/serve.md has the words.

export type Point = [number, number];
export type Edge = [number, number];

/** How a graph of streets lies on a map; positions are longitude and latitude. */
export interface StreetMap {
  /** The points between the ends of edges that are not straight, from the first end to the second. */
  shapes?: [number, number, Point[]][];
  /** Rings of forbidden areas. */
  areas?: Point[][];
}

/** As files have it. Exactly one of points, matrix and edges says what edges cost; layout says where to draw. */
export interface Instance {
  name?: string;
  points?: Point[];
  metric?: string;
  matrix?: (number | null)[][];
  n?: number;
  edges?: [number, number, number][];
  layout?: Point[];
  terminals?: number[];
  degree_limits?: number[];
  leaves?: number[];
  demands?: number[];
  masses?: number[];
  prizes?: number[];
  groups?: number[];
  /** Several make a forest. */
  root?: number | number[];
  names?: string[];
  requirements?: number[][];
  map?: StreetMap;
}

export interface Question {
  instance: Instance;
  problem: string;
  method?: string;
  degree?: number;
  hops?: number;
  /** Several make a forest. */
  root?: number | number[];
  length?: number;
  capacity?: number;
  diameter?: number;
  cables?: [number, number][];
  include_edges?: Edge[];
  exclude_edges?: Edge[];
  time_limit?: number;
  seed?: number;
  /** Limits that this page knows by nothing but what /api/about tells. */
  [limit: string]: unknown;
}

export interface Progress {
  cost: number | null;
  bound: number | null;
  gap_percent: number | null;
  seconds: number;
  found_by: string;
  edges?: Edge[];
}

export interface Solution {
  problem: string;
  cost: number;
  bound: number | null;
  gap_percent: number | null;
  proven_optimal: boolean;
  seconds: number;
  method: string;
  /** Of `search`. */
  found_by?: string;
  edges: Edge[];
  /** In words, where the problem's name does not say it all. */
  specification?: string;
}

export interface Alternative {
  edge: Edge;
  probability: number;
}

export interface Decision {
  step: number;
  edge: Edge;
  probability: number;
  entropy: number;
  open_edges: number;
  alternatives: Alternative[];
}

export interface Explanation {
  start: number;
  complete: boolean;
  cost: number | null;
  steps: Decision[];
}

export interface ProblemKind {
  name: string;
  title: string;
  parameters: string[];
  /** There is a pretrained policy for it. */
  policy: boolean;
}

export interface Method {
  name: string;
  title: string;
  problems: string[] | null;
  needs_policy: boolean;
  anytime: boolean;
}

export interface Limits {
  vertices: number;
  /** With a number for each pair. */
  matrix_vertices: number;
  time_limit: number;
  explain_vertices: number;
}

export interface About {
  version: string;
  problems: ProblemKind[];
  methods: Method[];
  parameters?: Parameter[];
  limits: Limits;
}

/** A line of the table of parameters. */
export interface Parameter {
  name: string;
  type: string;
  group: string;
  least: number | null;
  most: number | null;
  /** `least` itself is too small. */
  above: boolean;
  usual: number | string | null;
  choices: string[];
  /** Methods that read it; none: all. */
  readers: string[];
  help: string;
}

export interface FileRead {
  instance: Instance;
  format: string;
  problem?: string;
  /** What the reader skipped or took for granted, a sentence each. */
  warnings: string[];
}
