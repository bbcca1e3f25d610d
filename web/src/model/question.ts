// What is asked about the instance: the fields of the form.

import type { About, Method, Question } from "../api/types";
import { isPoints, unplaced, type Placed } from "./instance";

export interface Asked {
  problem: string;
  degree: number;
  hops: number;
  root: number;
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
  method: "search",
  rivals: ["search", "greedy"],
  timeLimit: 2,
  seed: 0,
};

/** Whether both ask for the same problem with the same numbers; how it is solved may differ. */
export function sameParameters(a: Asked, b: Asked): boolean {
  return a.problem === b.problem && Object.is(a.degree, b.degree) && Object.is(a.hops, b.hops) && Object.is(a.root, b.root);
}

const parametersWithoutServer: Record<string, string[]> = { dcmst: ["degree"], hmst: ["hops", "root"] };

export function parametersOf(problem: string, about: About | null): string[] {
  const known = about?.problems.find((kind) => kind.name === problem)?.parameters;
  return known ?? parametersWithoutServer[problem] ?? [];
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
function instanceFor(problem: string, instance: Placed): Question["instance"] {
  const asked = unplaced(instance);
  if (isPoints(instance) && !asked.metric) asked.metric = "euclidean";
  if (problem !== "stp") delete asked.terminals;
  return asked;
}

export function questionOf(instance: Placed, asked: Asked, method: string, about: About | null): Question {
  const question: Question = {
    instance: instanceFor(asked.problem, instance),
    problem: asked.problem,
    method,
    time_limit: asked.timeLimit,
    seed: asked.seed,
  };
  for (const name of parametersOf(asked.problem, about)) {
    if (name === "degree" && !instance.degree_limits) question.degree = asked.degree;
    if (name === "hops") question.hops = asked.hops;
    if (name === "root") question.root = Math.min(asked.root, Math.max(0, instance.points.length - 1));
  }
  return question;
}
