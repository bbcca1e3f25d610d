// The policy's construction, decision by decision.

import { byId, make, makeSvg, prefersStillness, setText } from "../dom";
import { count, probability, readable } from "../format";
import type { Decision, Edge, Explanation } from "../api/types";
import type { Placed } from "../model/instance";
import type { AppStore } from "../model/state";

/** A decision below this is worth looking at. */
const doubtful = 0.8;
const beat = 450; // ms between decisions when it plays

/** Where the slider stands, in the words of every place that says so; after the last decision comes the end. */
export function placeOf(step: number, { steps, complete }: Pick<Explanation, "steps" | "complete">): string {
  if (step < steps.length) return `${step + 1} of ${steps.length}`;
  return complete ? "finished" : "dead end";
}

export class StepPanel {
  private timer: ReturnType<typeof setInterval> | null = null;
  private drawn: Explanation | null = null;

  constructor(private readonly store: AppStore) {
    const slider = byId<HTMLInputElement>("step");
    slider.addEventListener("input", () => this.goTo(slider.valueAsNumber));
    byId("step-back").addEventListener("click", () => this.by(-1));
    byId("step-on").addEventListener("click", () => this.by(1));
    byId("step-play").addEventListener("click", () => this.togglePlay());
    byId("next-doubt").addEventListener("click", () => this.nextDoubt());
    store.watch(() => this.show());
  }

  by(steps: number): void {
    this.goTo(this.store.get().step + steps);
  }

  goTo(step: number): void {
    this.pause();
    this.set(step);
  }

  /** To the next decision in which the policy was of two minds; from the last one, to the first. */
  nextDoubt(): void {
    const { explanation, step } = this.store.get();
    const steps = explanation?.steps ?? [];
    const after = steps.findIndex((s, k) => k > step && s.probability < doubtful);
    const found = after >= 0 ? after : steps.findIndex((s) => s.probability < doubtful);
    if (found >= 0) this.goTo(found);
  }

  togglePlay(): void {
    if (this.timer) return this.pause();
    const { explanation, step } = this.store.get();
    if (!explanation) return;
    if (step >= explanation.steps.length) this.set(0);
    this.timer = setInterval(() => {
      this.set(this.store.get().step + 1);
      if (this.store.get().step >= explanation.steps.length) this.pause();
    }, prefersStillness() ? 2 * beat : beat);
    this.showPlaying();
  }

  pause(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  private set(step: number): void {
    const { explanation } = this.store.get();
    if (!explanation) return;
    this.store.set({ step: Math.max(0, Math.min(explanation.steps.length, step)) });
  }

  private showPlaying(): void {
    const button = byId("step-play");
    const playing = this.timer !== null;
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    button.querySelector("use")?.setAttribute("href", playing ? "#icon-pause" : "#icon-play");
  }

  private show(): void {
    const { mode, explanation, step, instance } = this.store.get();
    const here = mode === "step" && explanation !== null;
    byId("transport").hidden = !here;
    byId("answer-step").hidden = !here;
    document.body.classList.toggle("stepping", here);
    if (!here) return this.timer ? this.pause() : undefined;

    const total = explanation.steps.length;
    const slider = byId<HTMLInputElement>("step");
    slider.max = `${total}`;
    slider.value = `${step}`;
    slider.style.setProperty("--past", `${(100 * step) / Math.max(1, total)}%`);
    setText(byId("step-count"), placeOf(step, explanation));
    byId<HTMLButtonElement>("step-back").disabled = step === 0;
    byId<HTMLButtonElement>("step-on").disabled = step === total;
    byId<HTMLButtonElement>("next-doubt").disabled = !explanation.steps.some((s) => s.probability < doubtful);
    if (explanation !== this.drawn) this.drawEntropies(explanation);
    this.drawn = explanation;
    byId("entropies").childNodes.forEach((bar, k) => (bar as Element).classList.toggle("past", k < step));

    const decision = explanation.steps[step];
    if (decision) this.showDecision(decision, `decision ${placeOf(step, explanation)}`, instance, slider);
    else this.showEnd(explanation, placeOf(step, explanation), slider);
  }

  private showDecision(decision: Decision, place: string, instance: Placed, slider: HTMLInputElement): void {
    const named = ([u, v]: Edge): string => `${instance.names?.[u] ?? u} – ${instance.names?.[v] ?? v}`;
    setText(byId("chosen"), named(decision.edge));
    setText(byId("chosen-words"), place);
    setText(byId("chosen-probability"), probability(decision.probability));
    setText(byId("chosen-entropy"), decision.entropy.toFixed(3));
    setText(byId("open-edges"), readable(decision.open_edges));
    slider.setAttribute("aria-valuetext", `${place}: ${named(decision.edge)}, ${probability(decision.probability)}`);
    byId("alternatives").replaceChildren(
      ...decision.alternatives.slice(0, 8).map((alternative) => {
        const item = make("li");
        const same = (a: Edge, b: Edge): boolean => (a[0] === b[0] && a[1] === b[1]) || (a[0] === b[1] && a[1] === b[0]);
        item.classList.toggle("chosen", same(alternative.edge, decision.edge));
        item.style.setProperty("--share", `${alternative.probability}`);
        item.append(make("span", "", named(alternative.edge)), make("span", "", probability(alternative.probability)));
        return item;
      }),
    );
  }

  private showEnd(explanation: Explanation, words: string, slider: HTMLInputElement): void {
    setText(byId("chosen"), explanation.complete ? readable(explanation.cost) : "–");
    setText(byId("chosen-words"), words);
    const doubts = explanation.steps.filter((s) => s.probability < doubtful).length;
    setText(byId("chosen-probability"), "–");
    setText(byId("chosen-entropy"), "–");
    setText(byId("open-edges"), "–");
    slider.setAttribute("aria-valuetext", words);
    const summary = make("li", "", doubts === 0 ? "Every decision was clear" : `${count(doubts, "decision")} below ${100 * doubtful} %`);
    byId("alternatives").replaceChildren(summary);
  }

  /** One bar a decision above the slider: the higher, the less sure the policy was. */
  private drawEntropies(explanation: Explanation): void {
    const svg = byId("entropies");
    const total = Math.max(1, explanation.steps.length);
    const highest = Math.max(0.7, ...explanation.steps.map((s) => s.entropy));
    svg.setAttribute("viewBox", `0 0 ${total} 1`);
    svg.replaceChildren(
      ...explanation.steps.map((decision, k) => {
        const height = Math.max(0.06, decision.entropy / highest);
        return makeSvg("rect", { x: k + 0.12, y: 1 - height, width: 0.76, height });
      }),
    );
  }
}
