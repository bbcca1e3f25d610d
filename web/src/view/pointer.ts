// Mouse, pen and fingers on a canvas.

import type { Point } from "../api/types";
import type { Editor } from "../model/editor";
import type { AppStore } from "../model/state";
import type { Pane } from "./pane";
import type { Viewport } from "./viewport";

const slack = 4; // pixels that a click may wander

type Gesture = { kind: "press"; vertex: number } | { kind: "drag"; vertex: number } | { kind: "pan" } | { kind: "wipe" };

export class PointerInput {
  private fingers = new Map<number, Point>();
  private gesture: Gesture | null = null;
  private start: Point = [0, 0];

  constructor(
    private readonly pane: Pane,
    private readonly viewport: Viewport,
    private readonly store: AppStore,
    private readonly editor: Editor,
  ) {
    const { canvas } = pane;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.cancel(event));
    canvas.addEventListener("pointerleave", () => pane.show({ hovered: -1 }));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  private place(event: PointerEvent | WheelEvent): Point {
    const box = this.pane.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private vertexAt(event: PointerEvent): number {
    return this.pane.vertexAt(this.place(event), event.pointerType === "touch" ? 22 : 11);
  }

  /** Steps are looked at, not drawn. */
  private get editing(): boolean {
    return this.store.get().mode !== "step";
  }

  private down(event: PointerEvent): void {
    const at = this.place(event);
    this.pane.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, at);
    this.pane.show({ cursor: null });
    if (this.fingers.size > 1) {
      // A second finger turns whatever the first one began into a pinch.
      if (this.gesture?.kind === "drag") this.editor.drop();
      this.gesture = null;
      return;
    }
    this.start = at;
    const vertex = this.vertexAt(event);
    if (event.button === 1 || (event.button === 0 && this.store.get().tool === "look" && vertex < 0)) {
      this.gesture = { kind: "pan" };
    } else if (this.editing && this.store.get().tool === "erase" && event.button === 0) {
      this.gesture = { kind: "wipe" };
      if (vertex >= 0) this.editor.remove(vertex);
    } else {
      this.gesture = { kind: "press", vertex };
    }
  }

  private move(event: PointerEvent): void {
    const at = this.place(event);
    const before = this.fingers.get(event.pointerId);
    if (!before) return this.hover(event);
    if (this.fingers.size === 2) this.pinch(event.pointerId, at);
    this.fingers.set(event.pointerId, at);
    if (!this.gesture) return;

    if (this.gesture.kind === "press" && Math.hypot(at[0] - this.start[0], at[1] - this.start[1]) > slack) {
      const movable = this.gesture.vertex >= 0 && this.editing && event.buttons === 1 && this.store.get().tool !== "look";
      this.gesture = movable ? { kind: "drag", vertex: this.gesture.vertex } : { kind: "pan" };
      if (movable) this.store.set({ selected: this.gesture.kind === "drag" ? this.gesture.vertex : -1 });
      this.pane.canvas.classList.add("dragging");
      if (!movable) this.viewport.pan(at[0] - this.start[0], at[1] - this.start[1]);
      else this.editor.drag(this.store.get().selected, this.viewport.rounded(at));
      return;
    }
    if (this.gesture.kind === "drag") this.editor.drag(this.gesture.vertex, this.viewport.rounded(at));
    if (this.gesture.kind === "pan") this.viewport.pan(at[0] - before[0], at[1] - before[1]);
    if (this.gesture.kind === "wipe") {
      const vertex = this.vertexAt(event);
      if (vertex >= 0) this.editor.remove(vertex);
    }
  }

  private up(event: PointerEvent): void {
    const gesture = this.gesture;
    this.release(event);
    if (gesture?.kind === "drag") this.editor.drop();
    if (gesture?.kind === "press") this.click(event, gesture.vertex);
  }

  private cancel(event: PointerEvent): void {
    if (this.gesture?.kind === "drag") this.editor.drop();
    this.release(event);
  }

  private release(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    this.gesture = null;
    this.pane.canvas.classList.remove("dragging");
  }

  private click(event: PointerEvent, vertex: number): void {
    const { tool } = this.store.get();
    if (!this.editing) return this.store.set({ selected: vertex });
    if (vertex >= 0) {
      this.store.set({ selected: vertex });
      if (event.button === 2 || event.shiftKey || tool === "terminal") this.editor.toggleTerminal(vertex);
    } else if (tool === "draw" && event.button === 0) {
      this.editor.add(this.viewport.rounded(this.place(event)));
    } else {
      this.store.set({ selected: -1 });
    }
  }

  private pinch(moved: number, at: Point): void {
    const other = [...this.fingers].find(([id]) => id !== moved)?.[1];
    const before = this.fingers.get(moved);
    if (!other || !before) return;
    const spread = (p: Point): number => Math.max(1, Math.hypot(p[0] - other[0], p[1] - other[1]));
    const middle: Point = [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2];
    this.viewport.pan((at[0] - before[0]) / 2, (at[1] - before[1]) / 2);
    this.viewport.zoom(middle, spread(at) / spread(before));
  }

  private hover(event: PointerEvent): void {
    const hovered = event.pointerType === "touch" ? -1 : this.vertexAt(event);
    if (hovered !== this.pane.hovered) this.pane.show({ hovered });
    this.pane.canvas.classList.toggle("over", hovered >= 0);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    // Lines and pages, as some mice count, become about as many pixels.
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1);
    const speed = event.ctrlKey ? 0.01 : 0.0016; // a trackpad's pinch comes as a small wheel with Ctrl
    this.viewport.zoom(this.place(event), Math.exp(-Math.max(-400, Math.min(400, pixels)) * speed));
  }
}
