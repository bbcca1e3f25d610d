// Asks the server what the form says, one question at a time (two when methods are compared), and can be stopped.

import * as api from "../api/client";
import { radial } from "../geometry/layout";
import type { Edge } from "../api/types";
import { loosening, vertexIn } from "./kept_limits";
import { questionOf, sameParameters } from "./question";
import { follow, type Run } from "./run";
import type { AppStore, State } from "./state";

const alternatives = 12;

export class Asker {
  private stop: AbortController | null = null;

  constructor(private readonly store: AppStore) {
    // An answer to what is not asked any more is of no use.
    store.watch((now, before) => {
      const parameters = !sameParameters(now.asked, before.asked);
      const instance = now.instance !== before.instance && !this.relaying;
      if (this.stop && (instance || parameters || now.mode !== before.mode)) this.cancel();
      if (parameters && now.explanation) store.set({ explanation: null, step: 0 });
    });
  }

  private relaying = false;

  async ask(): Promise<void> {
    this.cancel();
    const { mode } = this.store.get();
    const stop = new AbortController();
    this.stop = stop;
    this.store.set({ busy: true, error: "", pointsError: "" });
    try {
      if (mode === "solve") await this.solve(stop.signal);
      if (mode === "step") await this.explain(stop.signal);
      if (mode === "compare") await this.compare(stop.signal);
    } finally {
      if (this.stop === stop) {
        this.stop = null;
        this.store.set({ busy: false });
      }
    }
  }

  cancel(): void {
    if (!this.stop) return;
    this.stop.abort();
    this.stop = null;
    this.store.set({ busy: false });
  }

  private async solve(signal: AbortSignal): Promise<void> {
    const { instance, asked, about, run: earlier } = this.store.get();
    const question = questionOf(instance, asked, asked.method, about);
    const end = await follow(question, signal, earlier?.edges ?? [], (run) => {
      // Progress that was on its way when the points changed belongs to a tree that is gone.
      if (!signal.aborted || run.state === "cancelled") this.show({ run }, run);
    });
    if (end.state === "done") this.layOut(end.edges);
  }

  private async compare(signal: AbortSignal): Promise<void> {
    const { instance, asked, about, rivals: earlier } = this.store.get();
    const side = (which: 0 | 1): Promise<Run> => {
      const question = questionOf(instance, asked, asked.rivals[which], about);
      return follow(question, signal, earlier[which]?.edges ?? [], (run) => {
        if (signal.aborted && run.state !== "cancelled") return;
        const rivals: State["rivals"] = [...this.store.get().rivals];
        rivals[which] = run;
        this.show({ rivals }, run);
      });
    };
    await Promise.all([side(0), side(1)]);
  }

  private show(change: Partial<State>, run: Run): void {
    if (run.state !== "failed") return this.store.set(change);
    if (!run.infeasible) return this.store.set({ ...change, error: run.error });
    const { instance } = this.store.get();
    const reason = run.error.replace(/\.?$/, ".");
    const error = ["No such tree:", reason, loosening(run.error, run.question)].filter(Boolean).join(" ");
    const vertex = vertexIn(run.error, instance.names, instance.points.length);
    this.store.set({ ...change, error, ...(vertex >= 0 ? { selected: vertex } : {}) });
  }

  private async explain(signal: AbortSignal): Promise<void> {
    const { instance, asked, about } = this.store.get();
    try {
      const explanation = await api.explain(questionOf(instance, asked, "greedy", about), alternatives, signal);
      if (!signal.aborted) this.store.set({ explanation, step: 0 });
    } catch (error) {
      if (!signal.aborted) this.store.set({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  /** A graph without positions is drawn by its tree. */
  private layOut(edges: Edge[]): void {
    const { instance, layoutIsOurs } = this.store.get();
    if (!layoutIsOurs) return;
    this.relaying = true;
    this.store.set({ instance: { ...instance, points: radial(instance.points.length, edges) } });
    this.relaying = false;
  }
}
