// One solve as it goes: what the server said so far.

import * as api from "../api/client";
import type { Edge, Progress, Question, Solution } from "../api/types";

export interface Moment {
  seconds: number;
  cost: number | null;
  bound: number | null;
}

export interface Run {
  /** What was asked. */
  question: Question;
  method: string;
  timeLimit: number;
  state: "running" | "done" | "cancelled" | "failed";
  edges: Edge[];
  latest: Progress | null;
  solution: Solution | null;
  moments: Moment[];
  error: string;
  /** No tree keeps the limits, or none was found: the error says why, as far as it is known. */
  infeasible: boolean;
}

/** The tree of the last run stays in sight until this one has its first. */
export function started(question: Question, earlier: Edge[]): Run {
  return {
    question,
    method: question.method ?? "search",
    timeLimit: question.time_limit ?? 0,
    state: "running",
    edges: earlier,
    latest: null,
    solution: null,
    moments: [],
    error: "",
    infeasible: false,
  };
}

export function withProgress(run: Run, progress: Progress): Run {
  const { seconds, cost, bound } = progress;
  return {
    ...run,
    latest: progress,
    edges: progress.edges ?? run.edges,
    moments: [...run.moments, { seconds, cost, bound }],
  };
}

export function withSolution(run: Run, solution: Solution): Run {
  const { seconds, cost, bound } = solution;
  return {
    ...run,
    state: "done",
    solution,
    edges: solution.edges,
    moments: [...run.moments, { seconds, cost, bound }],
  };
}

/** Follows a question to its end. Never throws: what went wrong is in the run. */
export async function follow(
  question: Question,
  signal: AbortSignal,
  earlier: Edge[],
  show: (run: Run) => void,
): Promise<Run> {
  let run = started(question, earlier);
  show(run);
  try {
    const solution = await api.solve(question, signal, (progress) => {
      run = withProgress(run, progress);
      show(run);
    });
    run = withSolution(run, solution);
  } catch (error) {
    if (signal.aborted) run = { ...run, state: "cancelled" };
    else {
      const infeasible = error instanceof api.ApiError && error.status === 422;
      run = { ...run, state: "failed", error: error instanceof Error ? error.message : String(error), infeasible };
    }
  }
  show(run);
  return run;
}

export interface Numbers {
  cost: number | null;
  bound: number | null;
  /** Exactly 0 where the tree is proven optimal. */
  gap: number | null;
  by: string;
}

/** The numbers of a run, whether it has ended or not. */
export function numbersOf(run: Run): Numbers {
  const last = run.solution ?? run.latest;
  return {
    cost: last?.cost ?? null,
    bound: last?.bound ?? null,
    gap: last?.gap_percent ?? null,
    by: last?.found_by ?? run.solution?.method ?? "",
  };
}

/** The rule of the server (optimality.hpp), for the one case that it cannot know: the bound comes from another run. */
export function gapTo(cost: number, bound: number): number | null {
  if (cost <= bound + 1e-9 * Math.abs(bound)) return 0;
  return bound <= 0 ? null : (100 * (cost - bound)) / bound;
}

/** The same for two runs on one question: what one has proven holds for the other too. */
export function numbersOfBoth(a: Run, b: Run): [Numbers, Numbers] {
  const both: [Numbers, Numbers] = [numbersOf(a), numbersOf(b)];
  const bounds = both.flatMap(({ bound }) => (bound === null ? [] : [bound]));
  if (bounds.length === 0) return both;
  const best = Math.max(...bounds);
  const judged = (numbers: Numbers): Numbers => {
    const { cost, bound } = numbers;
    if (bound === best || cost === null) return { ...numbers, bound: best };
    return { ...numbers, bound: best, gap: gapTo(cost, best) };
  };
  return [judged(both[0]), judged(both[1])];
}
