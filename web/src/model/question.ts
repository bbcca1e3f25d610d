// What is asked about the instance: the fields of the form.

import type { About, Method, Parameter, Question } from "../api/types";
import { isPoints, rootsIn, unplaced, type Placed } from "./instance";
import { addLimits } from "./limits";

export interface Asked {
  problem: string;
  degree: number;
  hops: number;
  root: number;
  /** What is typed into the fields for further limits, by the names of the parameters. */
  more: Record<string, string>;
  method: string;
  /** The two methods that are compared. */
  rivals: [string, string];
  timeLimit: number;
  seed: number;
}

export const usual: Asked = {
  problem: "dcmst",
  degree: 2,
  hops: 4,
  root: 0,
  more: {},
  method: "search",
  rivals: ["search", "greedy"],
  timeLimit: 2,
  seed: 0,
};

/** Whether both ask for the same problem with the same numbers; how it is solved may differ. */
export function sameParameters(a: Asked, b: Asked): boolean {
  const more = a.more === b.more || JSON.stringify(a.more) === JSON.stringify(b.more);
  return a.problem === b.problem && Object.is(a.degree, b.degree) && Object.is(a.hops, b.hops) && Object.is(a.root, b.root) && more;
}

const parametersWithoutServer: Record<string, string[]> = { dcmst: ["degree"], hmst: ["hops", "root"] };

export function parametersOf(problem: string, about: About | null): string[] {
  const known = about?.problems.find((kind) => kind.name === problem)?.parameters;
  return known ?? parametersWithoutServer[problem] ?? [];
}

/** What makes a root necessary. */
const countedFromRoot = ["hops", "length", "capacity", "cables"];

/** The parameters of the problem that have a field of their own beside its name, always in use. */
export function mainFields(problem: string, about: About | null): string[] {
  if (problem === "tree") return [];
  const reads = parametersOf(problem, about);
  const isRooted = reads.some((name) => countedFromRoot.includes(name));
  return reads.filter((name) => name === "degree" || name === "hops" || (name === "root" && isRooted));
}

/** Marked on the drawing, or only in files. */
const withoutField: ReadonlySet<string> = new Set(["problem", "terminals", "requirements", "metric"]);

/** The parameters that have a field for text among the further limits. */
export function specifying(about: About | null): Parameter[] {
  return (about?.parameters ?? []).filter(({ name, group }) => (group === "limits" || group === "vertices") && !withoutField.has(name));
}

export function methodsFor(problem: string, about: About | null): Method[] {
  return (about?.methods ?? []).filter((method) => !method.problems || method.problems.includes(problem));
}

/** How many points may be generated: the server has a lower limit where every pair of them has a number. */
export function mostPoints(kind: string, problem: string, { limits }: About): number {
  const pairs = kind === "matrix" || problem === "ocst";
  return pairs ? Math.min(limits.matrix_vertices, limits.vertices) : limits.vertices;
}

/** Before the server has told, every problem may have one. */
export function hasPolicy(problem: string, about: About | null): boolean {
  return about?.problems.find((kind) => kind.name === problem)?.policy ?? true;
}

/** Terminals and limits are for some problems only; the others would refuse or misread them. */
function instanceFor(problem: string, instance: Placed, about: About | null): Question["instance"] {
  const asked = unplaced(instance);
  if (isPoints(instance) && !asked.metric) asked.metric = "euclidean";
  if (problem !== "stp" && !parametersOf(problem, about).includes("terminals")) delete asked.terminals;
  return asked;
}

export function questionOf(instance: Placed, asked: Asked, method: string, about: About | null): Question {
  const question: Question = {
    instance: instanceFor(asked.problem, instance, about),
    problem: asked.problem,
    method,
    seed: asked.seed,
  };
  // A policy takes the time that it takes.
  if (!about?.methods.find(({ name }) => name === method)?.needs_policy) question.time_limit = asked.timeLimit;
  const main = mainFields(asked.problem, about);
  for (const name of main) {
    if (name === "degree" && !instance.degree_limits) question.degree = asked.degree;
    if (name === "hops") question.hops = asked.hops;
    if (name === "root" && rootsIn(instance).length < 2) question.root = Math.min(asked.root, Math.max(0, instance.points.length - 1));
  }
  const others = specifying(about).filter(({ name }) => !main.includes(name));
  addLimits(question, asked.more ?? {}, others, { count: instance.points.length, names: instance.names });
  return question;
}
