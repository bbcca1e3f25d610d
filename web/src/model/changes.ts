// What has changed since a tree was found, in words: the tree is shown as an old one, and the words say why.

import type { Question } from "../api/types";
import { isPoints } from "./instance";
import { questionOf } from "./question";
import type { Run } from "./run";
import type { State } from "./state";

type Part = "points" | "weights" | "terminals" | "degree limits" | "traffic" | "problem" | "degree" | "hops" | "root" | "limits";

const sameList = (a: readonly number[] = [], b: readonly number[] = []): boolean =>
  a.length === b.length && a.every((value, k) => value === b[k]);

/** The further limits and facts about vertices, to be compared. */
function limitsOf(question: Question): string {
  const { instance, problem, method, degree, hops, root, time_limit, seed, ...limits } = question;
  const { leaves, demands, masses, prizes, groups } = instance;
  const inOrder = Object.entries(limits).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([inOrder, leaves, demands, masses, prizes, groups]);
}

/** O(n) at most: instances never change in place, so their long parts are compared by identity. */
export function changedParts(then: Question, now: Question): Part[] {
  const [a, b] = [then.instance, now.instance];
  const changed: [Part, boolean][] = [
    ["points", isPoints(a) && isPoints(b) && a.points !== b.points],
    ["weights", a.matrix !== b.matrix || a.edges !== b.edges],
    ["problem", then.problem !== now.problem],
  ];
  // The numbers of another problem say nothing about this one.
  if (then.problem === now.problem) {
    changed.push(
      ["terminals", !sameList(a.terminals, b.terminals)],
      ["degree limits", !sameList(a.degree_limits, b.degree_limits)],
      ["traffic", now.problem === "ocst" && a.requirements !== b.requirements],
      ["degree", !Object.is(then.degree, now.degree)],
      ["hops", !Object.is(then.hops, now.hops)],
      ["root", JSON.stringify(then.root ?? a.root) !== JSON.stringify(now.root ?? b.root)],
      ["limits", limitsOf(then) !== limitsOf(now)],
    );
  }
  return changed.flatMap(([part, has]) => (has ? [part] : []));
}

const plural: ReadonlySet<Part> = new Set<Part>(["points", "weights", "terminals", "degree limits", "hops", "limits"]);

/** "points have changed", "points and problem have changed"; empty when nothing has. */
export function changeInWords(parts: readonly Part[]): string {
  if (parts.length === 0) return "";
  const last = parts[parts.length - 1];
  const names = parts.length === 1 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
  return `${names} ${parts.length > 1 || plural.has(last) ? "have" : "has"} changed`;
}

/** Why the run's tree does not answer what is asked now; empty when it does. */
export function changeSince(run: Run | null, { instance, asked, about }: Readonly<State>): string {
  if (!run) return "";
  return changeInWords(changedParts(run.question, questionOf(instance, asked, run.method, about)));
}
