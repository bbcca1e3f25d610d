// What can be done to the instance, with undo.

import type { Instance, Point } from "../api/types";
import { History } from "./history";
import { edgesWithout, empty, isPoints, placed, rootsIn, withMoved, without, withPoint, withTerminalToggled, type Placed } from "./instance";
import type { AppStore, State } from "./state";

const fixedGraph = "This graph is given by its weights: its vertices can be moved, but none added or removed";

/** Results that have nothing to do with the instance any more. */
const noResults = { run: null, rivals: [null, null], explanation: null, step: 0 } satisfies Partial<State>;

export class Editor {
  private readonly history: History<Placed>;
  private readonly watchers: (() => void)[] = [];

  constructor(private readonly store: AppStore) {
    this.history = new History(store.get().instance);
  }

  /** Called when another instance takes the place of this one, so that views can fit it. */
  onReplaced(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  private commit(instance: Placed, more: Partial<State> = {}): void {
    this.history.push(instance);
    this.store.set({ instance, error: "", pointsError: "", ...this.marks(), ...more });
  }

  private marks(): Partial<State> {
    return { canUndo: this.history.canUndo, canRedo: this.history.canRedo };
  }

  private changed(): Partial<State> {
    return { explanation: null, step: 0 };
  }

  private refusesChange(): boolean {
    if (isPoints(this.store.get().instance)) return false;
    this.store.set({ error: fixedGraph });
    return true;
  }

  /** The warnings are those of the reader that the instance came from. */
  replace(instance: Instance, warnings: string[] = []): void {
    const whole = placed(instance);
    const { asked } = this.store.get();
    const root = rootsIn(whole)[0] ?? (asked.root < whole.points.length ? asked.root : 0);
    this.commit(whole, {
      ...noResults,
      warnings,
      layoutIsOurs: !instance.points && !instance.layout,
      selected: -1,
      asked: { ...asked, root },
    });
    for (const watcher of this.watchers) watcher();
  }

  clear(): void {
    this.replace(empty);
  }

  add(at: Point): void {
    if (this.refusesChange()) return;
    const { instance } = this.store.get();
    this.commit(withPoint(instance, at), { ...this.changed(), selected: instance.points.length });
  }

  /** While a point is dragged; `drop` ends it and makes it one step of undo. */
  drag(v: number, to: Point): void {
    const { instance } = this.store.get();
    const change = isPoints(instance) ? this.changed() : { layoutIsOurs: false };
    this.store.set({ instance: withMoved(instance, v, to), ...change });
  }

  drop(): void {
    this.commit(this.store.get().instance);
  }

  remove(v: number): void {
    if (this.refusesChange()) return;
    const { instance, run, rivals, asked } = this.store.get();
    if (v < 0 || v >= instance.points.length) return;
    const cut = <R extends { edges: [number, number][] } | null>(r: R): R => r && { ...r, edges: edgesWithout(r.edges, v) };
    const root = asked.root > v || asked.root === instance.points.length - 1 ? Math.max(0, asked.root - 1) : asked.root;
    this.commit(without(instance, v), {
      ...this.changed(),
      selected: -1,
      run: cut(run),
      rivals: [cut(rivals[0]), cut(rivals[1])],
      asked: { ...asked, root },
    });
  }

  toggleTerminal(v: number): void {
    const { asked } = this.store.get();
    this.commit(withTerminalToggled(this.store.get().instance, v), asked.problem === "stp" ? this.changed() : {});
  }

  undo(): void {
    this.travel(this.history.undo());
  }

  redo(): void {
    this.travel(this.history.redo());
  }

  private travel(instance: Placed): void {
    const before = this.store.get().instance;
    if (instance === before) return;
    const sameSize = instance.points.length === before.points.length;
    const results = sameSize ? this.changed() : noResults;
    this.store.set({ instance, ...results, ...this.marks(), selected: -1, warnings: [], error: "", pointsError: "" });
  }
}
