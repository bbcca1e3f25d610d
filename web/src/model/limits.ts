// What the fields for limits and facts about vertices hold: text as people type it, and what it means.

import type { Edge, Instance, Parameter, Question } from "../api/types";

/** An instance's vertices, as fields name them: by number, or by the names of a file. */
export interface Vertices {
  count: number;
  names?: string[] | undefined;
}

/** Text that means nothing here; the message says what was expected. */
export class Misread extends Error {}

const parts = (text: string, between: string): string[] =>
  text.split(between).map((part) => part.trim()).filter((part) => part !== "");

function vertexOf(text: string, { count, names }: Vertices): number {
  const named = names?.indexOf(text) ?? -1;
  if (named >= 0) return named;
  const v = /^\d+$/.test(text) ? Number(text) : NaN;
  if (v < count) return v;
  throw new Misread(`no point ${text}: they have the numbers 0 to ${count - 1}${names ? " and names" : ""}`);
}

/** "A-B": a name may have hyphens of its own, so the first that leaves two names counts. */
function edgeOf(text: string, vertices: Vertices): Edge {
  for (let at = text.indexOf("-"); at >= 0; at = text.indexOf("-", at + 1)) {
    try {
      return [vertexOf(text.slice(0, at).trim(), vertices), vertexOf(text.slice(at + 1).trim(), vertices)];
    } catch {
      // perhaps at the next hyphen
    }
  }
  throw new Misread(`${text} is no edge: expected two points as 3-7`);
}

/** Whether a number is within the range of the parameter. */
function fits({ type, least, most, above }: Parameter, value: number): boolean {
  const enough = least === null || (above ? value > least : value >= least);
  return Number.isFinite(value) && enough && (most === null || value <= most) && (type !== "whole" || Number.isInteger(value));
}

export function expected({ type, least, most, above }: Parameter): string {
  const kind = type === "whole" ? "a whole number" : "a number";
  const from = above ? `${kind} above ${least}` : `${kind}, ${least} or more`;
  if (most === null) return from;
  return above ? `${from}, at most ${most}` : `${kind} from ${least} to ${most}`;
}

function numberOf(parameter: Parameter, text: string): number {
  const value = Number(text);
  if (text === "" || !fits(parameter, value)) throw new Misread(`expected ${expected(parameter)}, found ${text || "nothing"}`);
  return value;
}

/** "3=2.5": what stands before the sign, and a number of at least 0. */
function amountOf(text: string): [string, number] {
  const at = text.lastIndexOf("=");
  const amount = at < 0 ? NaN : Number(text.slice(at + 1));
  if (!(amount >= 0) || text.slice(at + 1).trim() === "") throw new Misread(`expected 3=2.5, found ${text}`);
  return [text.slice(0, at).trim(), amount];
}

function groupsOf(text: string, vertices: Vertices): number[] {
  const groups = new Array<number>(vertices.count).fill(-1);
  parts(text, ";").forEach((list, group) => {
    for (const v of parts(list, ",").map((name) => vertexOf(name, vertices))) {
      if (groups[v] >= 0) throw new Misread(`point ${v} is in two groups`);
      groups[v] = group;
    }
  });
  return groups;
}

/** What a field's text means, as the server reads it. Throws Misread. */
export function meaning(parameter: Parameter, text: string, vertices: Vertices): unknown {
  switch (parameter.type) {
    case "whole":
    case "number":
      return numberOf(parameter, text.trim());
    case "flag":
      if (!["yes", "no"].includes(text.trim())) throw new Misread(`expected yes or no, found ${text}`);
      return text.trim() === "yes";
    case "vertex":
      return vertexOf(text.trim(), vertices);
    case "roots": {
      const roots = parts(text, ",").map((name) => vertexOf(name, vertices));
      return roots.length === 1 ? roots[0] : roots;
    }
    case "vertices":
      return parts(text, ",").map((name) => vertexOf(name, vertices)).sort((a, b) => a - b);
    case "edges":
      return parts(text, ",").map((edge) => edgeOf(edge, vertices));
    case "cables":
      return parts(text, ",").map((cable) => {
        const [capacity, price] = amountOf(cable);
        if (!(Number(capacity) > 0)) throw new Misread(`expected CAPACITY=PRICE, found ${cable}`);
        return [Number(capacity), price];
      });
    case "amounts": {
      const amounts = new Array<number>(vertices.count).fill(parameter.name === "demands" || parameter.name === "masses" ? 1 : 0);
      for (const [name, amount] of parts(text, ",").map(amountOf)) amounts[vertexOf(name, vertices)] = amount;
      return amounts;
    }
    case "groups":
      return groupsOf(text, vertices);
    default:
      throw new Misread("is no field of this page");
  }
}

/** What a field shows while it is empty. */
export function example({ type }: Parameter): string {
  const examples: Record<string, string> = {
    flag: "yes", roots: "3, 7", vertex: "3", vertices: "3, 7", edges: "0-4, 2-7", cables: "5=1, 20=2.5", amounts: "3=2.5, 7=1", groups: "1, 2; 3, 4",
  };
  return examples[type] ?? "";
}

/** Puts what the fields say into a question: facts about vertices into its instance. */
export function addLimits(question: Question, more: Record<string, string>, parameters: readonly Parameter[], vertices: Vertices): void {
  for (const parameter of parameters) {
    const text = more[parameter.name] ?? "";
    if (text.trim() === "") continue;
    let value: unknown;
    try {
      value = meaning(parameter, text, vertices);
    } catch {
      continue; // the field itself says what is wrong with it, and nothing is asked
    }
    if (parameter.group === "vertices") (question.instance as Record<keyof Instance, unknown>)[parameter.name as keyof Instance] = value;
    else question[parameter.name] = value;
  }
}
