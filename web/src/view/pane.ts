// One canvas: a scene, painted when something changed and not otherwise.

import type { Edge, Point } from "../api/types";
import { boundsOf } from "../geometry/camera";
import { Grid } from "../geometry/grid";
import { prefersStillness } from "../dom";
import { FadingTree } from "./fading_tree";
import { dotRadius, paint, type Scene } from "./paint";
import { colours, onThemeChange, type Colours } from "./theme";
import type { Viewport } from "./viewport";

const widestReach = 24; // pixels around the pointer in which a point may be meant

export class Pane {
  private readonly context: CanvasRenderingContext2D;
  private readonly tree = new FadingTree();
  private edges: Edge[] = [];
  private colours: Colours = colours();
  private asked = false;
  private grid: { of: readonly Point[]; camera: unknown; grid: Grid } | null = null;
  private extent: { of: readonly Point[]; value: number } | null = null;
  private scene: Scene = {
    points: [],
    terminals: [],
    degrees: new Uint16Array(0),
    roots: [],
    selected: -1,
    hovered: -1,
    stale: false,
    common: null,
    rival: false,
    calm: false,
    alternatives: [],
    chosen: null,
    names: null,
    sizes: null,
    widths: null,
    kinds: null,
    tight: [],
    streets: [],
    bends: new Map(),
    areas: [],
    geographic: false,
    cursor: null,
  };

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly viewport: Viewport,
  ) {
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser has no canvas");
    this.context = context;
    viewport.onChange(() => this.repaint());
    onThemeChange(() => {
      this.colours = colours();
      this.repaint();
    });
  }

  show(change: Partial<Scene>): void {
    this.scene = { ...this.scene, ...change };
    this.repaint();
  }

  /** Changes the tree; `jump` when the vertices are not the same any more. */
  showTree(edges: Edge[], jump = false): void {
    if (edges === this.edges) return;
    this.edges = edges;
    this.tree.show(edges, performance.now(), !jump && !prefersStillness());
    const degrees = new Uint16Array(this.scene.points.length);
    for (const [u, v] of edges) {
      ++degrees[u];
      ++degrees[v];
    }
    this.show({ degrees });
  }

  get hovered(): number {
    return this.scene.hovered;
  }

  /** The vertex under a pixel, or -1. */
  vertexAt(pixel: Point, reach: number): number {
    const { points } = this.scene;
    if (this.grid?.of !== points || this.grid.camera !== this.viewport.camera) {
      const at = points.map((point) => this.viewport.toScreen(point));
      this.grid = { of: points, camera: this.viewport.camera, grid: new Grid(at, widestReach) };
    }
    return this.grid.grid.nearest(pixel, Math.min(reach, widestReach));
  }

  repaint(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => {
      this.asked = false;
      if (this.canvas.offsetParent) this.frame(now); // a hidden one is painted when it is shown
    });
  }

  private frame(now: number): void {
    const { size, camera } = this.viewport;
    const density = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(size.width * density));
    const height = Math.max(1, Math.round(size.height * density));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.context.setTransform(density, 0, 0, density, 0, 0);
    const moving = this.tree.settle(now);
    const { points } = this.scene;
    const radius = dotRadius(points.length, this.extentOf(points), camera.scale);
    paint({ context: this.context, size, camera, colours: this.colours, now }, this.scene, this.tree, radius);
    if (moving) this.repaint();
  }

  private extentOf(points: readonly Point[]): number {
    if (this.extent?.of !== points) {
      const bounds = boundsOf(points);
      const value = bounds ? Math.max(bounds.high[0] - bounds.low[0], bounds.high[1] - bounds.low[1]) : 1;
      this.extent = { of: points, value: value > 0 ? value : 1 };
    }
    return this.extent.value;
  }
}
