// The canvas by keys alone: a cursor that arrows move, and points to go from and to.

import type { Point } from "../api/types";
import type { Editor } from "../model/editor";
import type { AppStore } from "../model/state";
import type { Pane } from "./pane";
import type { Viewport } from "./viewport";

const arrows: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class CursorKeys {
  private at: Point | null = null;
  private grabbed = false;

  constructor(
    private readonly pane: Pane,
    private readonly viewport: Viewport,
    private readonly store: AppStore,
    private readonly editor: Editor,
    private readonly say: (words: string) => void,
  ) {
    pane.canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || !this.handles(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    pane.canvas.addEventListener("blur", () => {
      this.letGo();
      pane.show({ cursor: null });
    });
  }

  private handles(event: KeyboardEvent): boolean {
    if (this.store.get().mode === "step") return false; // arrows go through the decisions there
    const arrow = arrows[event.key];
    if (arrow) {
      const stride = event.shiftKey ? 60 : event.altKey ? 1 : 12;
      this.travel([arrow[0] * stride, arrow[1] * stride]);
      return true;
    }
    switch (event.key) {
      case "Enter":
      case " ":
        this.act();
        return true;
      case "n":
      case "p":
        this.visit(event.key === "n" ? 1 : -1);
        return true;
      case "g":
        this.grab();
        return true;
      default:
        return false;
    }
  }

  private place(): Point {
    const { width, height } = this.viewport.size;
    return (this.at ??= [width / 2, height / 2]);
  }

  private travel([dx, dy]: Point): void {
    const { width, height } = this.viewport.size;
    const [x, y] = this.place();
    this.at = [Math.min(width - 2, Math.max(2, x + dx)), Math.min(height - 2, Math.max(2, y + dy))];
    this.pane.show({ cursor: this.at });
    if (this.grabbed) return this.editor.drag(this.store.get().selected, this.viewport.rounded(this.at));
    const under = this.pane.vertexAt(this.at, 11);
    if (under !== this.store.get().selected) {
      this.store.set({ selected: under });
      if (under >= 0) this.tell(under);
    }
  }

  private act(): void {
    if (this.grabbed) return this.letGo();
    const { tool } = this.store.get();
    const place = this.place();
    const under = this.pane.vertexAt(place, 11);
    this.pane.show({ cursor: place });
    if (under < 0) {
      if (tool !== "draw") return this.say("No point here");
      this.editor.add(this.viewport.rounded(place));
      return this.tell(this.store.get().instance.points.length - 1);
    }
    if (tool === "erase") return this.editor.remove(under);
    this.store.set({ selected: under });
    if (tool === "terminal") this.editor.toggleTerminal(under);
    this.tell(under);
  }

  private visit(by: number): void {
    this.letGo();
    const { instance, selected } = this.store.get();
    const n = instance.points.length;
    if (n === 0) return this.say("No points yet");
    const next = selected < 0 ? (by > 0 ? 0 : n - 1) : (selected + by + n) % n;
    this.at = this.viewport.toScreen(instance.points[next]);
    this.store.set({ selected: next });
    this.pane.show({ cursor: this.at });
    this.tell(next);
  }

  private grab(): void {
    const { selected, instance } = this.store.get();
    if (this.grabbed) return this.letGo();
    if (selected < 0) return this.say("No point to take: go to one first");
    this.grabbed = true;
    this.at = this.viewport.toScreen(instance.points[selected]);
    this.pane.show({ cursor: this.at });
    this.say(`Point ${selected} taken: arrows move it, Enter lets go`);
  }

  private letGo(): void {
    if (!this.grabbed) return;
    this.grabbed = false;
    this.editor.drop();
    this.tell(this.store.get().selected);
  }

  private tell(v: number): void {
    const { instance } = this.store.get();
    const point = instance.points[v];
    if (!point) return;
    const name = instance.names?.[v] ?? `${v}`;
    const terminal = instance.terminals?.includes(v) ? ", terminal" : "";
    this.say(`Point ${name} at ${point[0].toPrecision(3)}, ${point[1].toPrecision(3)}${terminal}`);
  }
}
