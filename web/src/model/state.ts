// Everything the page knows, in one object.

import type { About, Explanation } from "../api/types";
import { empty, type Placed } from "./instance";
import { usual, type Asked } from "./question";
import type { Run } from "./run";
import { Store } from "./store";

export type Mode = "solve" | "step" | "compare";
export type Tool = "draw" | "terminal" | "erase" | "look";

export interface State {
  about: About | null;
  instance: Placed;
  /** The graph came without positions: the page may move its vertices as it likes. */
  layoutIsOurs: boolean;
  asked: Asked;
  mode: Mode;
  tool: Tool;
  /** The vertex that keys act on; -1 for none. */
  selected: number;
  run: Run | null;
  rivals: [Run | null, Run | null];
  explanation: Explanation | null;
  /** How many decisions of the explanation are done. */
  step: number;
  busy: boolean;
  /** What went wrong with the question, in words; empty when nothing did. */
  error: string;
  /** The same of making or opening points. */
  pointsError: string;
  /** What the reader of the file at hand skipped or took for granted. */
  warnings: string[];
  canUndo: boolean;
  canRedo: boolean;
}

export type AppStore = Store<State>;

export function newStore(): AppStore {
  return new Store<State>({
    about: null,
    instance: empty,
    layoutIsOurs: false,
    asked: usual,
    mode: "solve",
    tool: "draw",
    selected: -1,
    run: null,
    rivals: [null, null],
    explanation: null,
    step: 0,
    busy: false,
    error: "",
    pointsError: "",
    warnings: [],
    canUndo: false,
    canRedo: false,
  });
}
