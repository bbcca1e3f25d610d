// Files of the tree, written by the server, and of the points, written here.

import * as api from "../api/client";
import type { Edge } from "../api/types";
import { byId, make, saveAs } from "../dom";
import { changeSince } from "../model/changes";
import { instanceFile } from "../model/instance";
import { questionOf } from "../model/question";
import { numbersOf } from "../model/run";
import type { AppStore } from "../model/state";

const formats = [
  { format: "svg", title: "Picture", ending: "svg" },
  { format: "png", title: "Picture", ending: "png" },
  { format: "json", title: "Tree", ending: "json" },
  { format: "geojson", title: "Tree for maps", ending: "geojson" },
  { format: "csv", title: "Edges", ending: "csv" },
];

export class DownloadMenu {
  private readonly button = byId<HTMLButtonElement>("download");
  private readonly menu = byId("formats");

  constructor(private readonly store: AppStore) {
    for (const { format, title, ending } of formats) this.add(title, ending, () => this.tree(format, ending));
    this.add("Points", "json", () => this.points());
    this.button.addEventListener("click", () => (this.menu.hidden ? this.open() : this.close()));
    this.menu.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (!this.menu.hidden && !(event.target as Element).closest(".menu")) this.close();
    });
  }

  private add(title: string, ending: string, chosen: () => void | Promise<void>): void {
    const item = make("button", "", title);
    item.type = "button";
    item.setAttribute("role", "menuitem");
    item.dataset.what = `${title === "Points" ? "points" : "tree"}.${ending}`;
    item.append(make("small", "", ending === "geojson" ? "GeoJSON" : ending.toUpperCase()));
    item.addEventListener("click", () => {
      this.close();
      void chosen();
    });
    this.menu.append(item);
  }

  private items(): HTMLButtonElement[] {
    return [...this.menu.querySelectorAll("button")].filter((item) => !item.disabled);
  }

  private open(): void {
    const hasTree = this.edges().length > 0;
    for (const item of this.menu.querySelectorAll("button")) {
      const isPoints = item.dataset.what?.startsWith("points") ?? false;
      item.disabled = isPoints ? this.store.get().instance.points.length === 0 : !hasTree;
      item.title = item.disabled && !isPoints ? "Solve first" : "";
    }
    this.menu.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.items()[0]?.focus();
  }

  private close(): void {
    if (this.menu.contains(document.activeElement)) this.button.focus();
    this.menu.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  private key(event: KeyboardEvent): void {
    const items = this.items();
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") this.close();
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  }

  /** The tree of a solve, of a comparison the cheaper one, of a construction the finished one. */
  private edges(): Edge[] {
    const { mode, explanation } = this.store.get();
    if (mode === "step") return explanation?.complete ? explanation.steps.map((s) => s.edge) : [];
    const run = this.shownRun();
    return changeSince(run, this.store.get()) ? [] : (run?.edges ?? []);
  }

  private shownRun() {
    const { mode, run, rivals } = this.store.get();
    if (mode !== "compare") return run;
    const cost = (k: 0 | 1): number => (rivals[k] ? (numbersOf(rivals[k]).cost ?? Infinity) : Infinity);
    return cost(1) < cost(0) ? rivals[1] : rivals[0];
  }

  private async tree(format: string, ending: string): Promise<void> {
    const { instance, asked, about, mode } = this.store.get();
    const run = mode === "step" ? null : this.shownRun();
    const known = run?.solution ?? run?.latest;
    const { time_limit: _, ...question } = questionOf(instance, asked, run?.method ?? "greedy", about);
    const body: Record<string, unknown> = { ...question, edges: this.edges() };
    for (const key of ["cost", "bound", "seconds", "found_by"] as const) {
      if (known && known[key] !== null && known[key] !== undefined) body[key] = known[key];
    }
    try {
      saveAs(await api.write(format, body), `${this.fileName("tree")}.${ending}`);
    } catch (error) {
      this.store.set({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  private points(): void {
    const blob = new Blob([instanceFile(this.store.get().instance)], { type: "application/json" });
    saveAs(blob, `${this.fileName("points")}.json`);
  }

  private fileName(what: string): string {
    const { instance, asked } = this.store.get();
    const name = instance.name?.replace(/[^\w.-]+/g, "-") || what;
    return what === "tree" ? `${name}-${asked.problem}` : name;
  }
}
