// Draws one scene. Things alike go into one path, since a path costs more than what is in it.

import type { Alternative, Edge, Point } from "../api/types";
import type { Camera, Size } from "../geometry/camera";
import { edgeKey, type FadingTree } from "./fading_tree";
import type { Colours } from "./theme";

export interface Scene {
  points: readonly Point[];
  terminals: readonly number[];
  degrees: Uint16Array;
  roots: readonly number[];
  selected: number;
  hovered: number;
  /** The tree is of an older instance. */
  stale: boolean;
  /** Edges that the other side has too; null when there is no other side. */
  common: ReadonlySet<number> | null;
  /** The tree of the second method, which has a colour of its own. */
  rival: boolean;
  /** Not accent but ink: the tree so far, while the next edge is what matters. */
  calm: boolean;
  alternatives: readonly Alternative[];
  chosen: Edge | null;
  names: readonly string[] | null;
  /** How much larger than usual each point is drawn; null: all alike. */
  sizes: Float32Array | null;
  /** How much wider than usual each edge of the tree is drawn, by its key; null: all alike. */
  widths: ReadonlyMap<number, number> | null;
  /** The kind of cable of each edge, by its key; null without cables. */
  kinds: ReadonlyMap<number, number> | null;
  /** Where a limit binds. */
  tight: readonly number[];
  /** The graph behind the tree: lines through the places of its vertices. */
  streets: readonly Edge[];
  /** How edges run that are not straight: the points between their ends, from the smaller end on, by their key. */
  bends: ReadonlyMap<number, readonly Point[]>;
  /** Rings that streets may not pass. */
  areas: readonly (readonly Point[])[];
  /** Positions are degrees on Earth. */
  geographic: boolean;
  /** The keyboard's cursor, in pixels. */
  cursor: Point | null;
}

export interface Frame {
  context: CanvasRenderingContext2D;
  size: Size;
  camera: Camera;
  colours: Colours;
  now: number;
}

const finestGrid = 22;

/** Radius of a point: smaller the more crowded the canvas is. */
export function dotRadius(points: number, extent: number, scale: number): number {
  const spacing = (extent * scale) / Math.sqrt(Math.max(points, 1));
  return Math.min(5.5, Math.max(1.7, 0.085 * spacing));
}

export function paint(frame: Frame, scene: Scene, tree: FadingTree, radius: number): void {
  const { context, size, camera } = frame;
  context.clearRect(0, 0, size.width, size.height);
  paintGrid(frame);
  const at = scene.points.map((point) => camera.toScreen(point, size));
  const lines = new Lines(frame, at, scene.bends);
  paintAreas(frame, scene.areas);
  paintStreets(frame, scene, lines, radius);
  paintTree(frame, scene, tree, lines, radius);
  paintDecision(frame, scene, at, radius);
  paintPoints(frame, scene, at, radius);
  paintMarks(frame, scene, at, radius);
  if (scene.names && radius >= 3) paintNames(frame, scene.names, scene.sizes, at, radius);
  if (scene.geographic) paintScale(frame);
  if (scene.cursor) paintCursor(frame, scene.cursor);
}

/** A lattice of dots at round numbers, a little more than finestGrid pixels apart. */
function paintGrid({ context, size, camera, colours }: Frame): void {
  const power = 10 ** Math.floor(Math.log10(finestGrid / camera.scale));
  const step = power * ([1, 2, 5].find((k) => k * power * camera.scale >= finestGrid) ?? 10);
  const low = camera.toWorld([0, size.height], size);
  const high = camera.toWorld([size.width, 0], size);
  context.fillStyle = colours.grid;
  for (let i = Math.ceil(low[0] / step); i * step <= high[0]; ++i) {
    for (let j = Math.ceil(low[1] / step); j * step <= high[1]; ++j) {
      const [x, y] = camera.toScreen([i * step, j * step], size);
      context.fillRect(Math.round(x), Math.round(y), 1.5, 1.5);
    }
  }
}

function strokeEdges(context: CanvasRenderingContext2D, edges: Iterable<Edge>, at: Point[], colour: string): void {
  context.beginPath();
  for (const [u, v] of edges) {
    const from = at[u];
    const to = at[v];
    if (!from || !to) continue;
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
  }
  context.strokeStyle = colour;
  context.stroke();
}

/** Edges on the screen, bends and all. */
class Lines {
  constructor(
    private readonly frame: Frame,
    private readonly at: Point[],
    private readonly bends: ReadonlyMap<number, readonly Point[]>,
  ) {}

  stroke(edges: Iterable<Edge>, colour: string): void {
    const { context, size, camera } = this.frame;
    context.beginPath();
    for (const edge of edges) {
      const [from, to] = [this.at[edge[0]], this.at[edge[1]]];
      if (!from || !to) continue;
      const bends = this.bends.size > 0 ? this.bends.get(edgeKey(edge)) : undefined;
      if (!bends && isOutside(from, to, size)) continue;
      context.moveTo(from[0], from[1]);
      if (bends) {
        const along = edge[0] < edge[1] ? bends : [...bends].reverse();
        for (const [x, y] of along.map((point) => camera.toScreen(point, size))) context.lineTo(x, y);
      }
      context.lineTo(to[0], to[1]);
    }
    context.strokeStyle = colour;
    context.stroke();
  }
}

/** Whether a line lies wholly beyond one side of the canvas. */
export function isOutside([x, y]: Point, [p, q]: Point, { width, height }: Size): boolean {
  const reach = 12;
  return Math.max(x, p) < -reach || Math.max(y, q) < -reach || Math.min(x, p) > width + reach || Math.min(y, q) > height + reach;
}

function paintAreas({ context, size, camera, colours }: Frame, areas: readonly (readonly Point[])[]): void {
  if (areas.length === 0) return;
  context.beginPath();
  for (const ring of areas) {
    ring.forEach((point, k) => {
      const [x, y] = camera.toScreen(point, size);
      if (k === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
    context.closePath();
  }
  context.globalAlpha = 0.5;
  context.fillStyle = colours.street;
  context.fill("evenodd");
  context.globalAlpha = 1;
  context.lineWidth = 1.2;
  context.setLineDash([5, 4]);
  context.strokeStyle = colours.soft;
  context.stroke();
  context.setLineDash([]);
}

const metresPerDegree = 111_195;

/** A round length in metres that is at most `most` pixels, and its pixels; `scale` is the pixels of a degree. */
export function scaleBar(scale: number, most: number): { metres: number; pixels: number; words: string } {
  const metresPerPixel = metresPerDegree / scale;
  const power = 10 ** Math.floor(Math.log10(most * metresPerPixel));
  const metres = power * ([5, 2, 1].find((k) => k * power <= most * metresPerPixel) ?? 1);
  return { metres, pixels: metres / metresPerPixel, words: metres >= 1000 ? `${metres / 1000} km` : `${Number(metres.toPrecision(2))} m` };
}

function paintScale({ context, size, camera, colours }: Frame): void {
  const { pixels, words } = scaleBar(camera.scale, 110);
  const [x, y] = [size.width / 2 - pixels / 2, size.height - 14];
  context.beginPath();
  context.moveTo(x, y - 5);
  context.lineTo(x, y);
  context.lineTo(x + pixels, y);
  context.lineTo(x + pixels, y - 5);
  context.lineWidth = 1.4;
  context.strokeStyle = colours.soft;
  context.stroke();
  context.fillStyle = colours.soft;
  context.font = "11px Inter, system-ui, sans-serif";
  context.textAlign = "center";
  context.fillText(words, x + pixels / 2, y - 7);
  context.textAlign = "start";
}

function paintStreets({ context, colours }: Frame, scene: Scene, lines: Lines, radius: number): void {
  if (scene.streets.length === 0) return;
  context.lineCap = "round";
  context.lineWidth = Math.min(4, Math.max(1.2, 0.9 * radius));
  lines.stroke(scene.streets, colours.street);
}

/** Edges that are drawn alike, by colour and width. */
export function alike(edges: Iterable<Edge>, { widths, kinds }: Pick<Scene, "widths" | "kinds">): Map<string, { edges: Edge[]; width: number; kind: number }> {
  const groups = new Map<string, { edges: Edge[]; width: number; kind: number }>();
  for (const edge of edges) {
    const key = edgeKey(edge);
    const width = Math.round(4 * (widths?.get(key) ?? 1)) / 4; // a few widths: each is a path of its own
    const kind = kinds?.get(key) ?? -1;
    const name = `${kind} ${width}`;
    const group = groups.get(name);
    if (group) group.edges.push(edge);
    else groups.set(name, { edges: [edge], width, kind });
  }
  return groups;
}

function paintTree({ context, colours, now }: Frame, scene: Scene, tree: FadingTree, lines: Lines, radius: number): void {
  const main = scene.stale ? colours.stale : scene.calm ? colours.common : scene.rival ? colours.rival : colours.tree;
  context.lineCap = "round";
  context.lineWidth = Math.min(2.4, Math.max(1, 0.55 * radius));
  const steady = [...tree.steady()];
  if (scene.common && !scene.stale) {
    const both = scene.common;
    lines.stroke(steady.filter((edge) => both.has(edgeKey(edge))), colours.common);
    context.lineWidth *= 1.25;
    lines.stroke(steady.filter((edge) => !both.has(edgeKey(edge))), main);
  } else {
    const usual = context.lineWidth;
    for (const { edges, width, kind } of alike(steady, scene).values()) {
      context.lineWidth = usual * width;
      const cable = colours.cables[Math.min(kind, colours.cables.length - 1)];
      lines.stroke(edges, scene.stale || cable === undefined ? main : cable);
    }
    context.lineWidth = usual;
  }
  for (const { edge, opacity } of tree.changing(now)) {
    context.globalAlpha = opacity;
    lines.stroke([edge], main);
  }
  context.globalAlpha = 1;
}

/** Alternatives are as bright as they are probable, on a scale that leaves the improbable visible. */
export function brightness(probability: number): number {
  return Math.max(0.1, Math.min(1, probability) ** 0.4);
}

function paintDecision({ context, colours }: Frame, scene: Scene, at: Point[], radius: number): void {
  const line = Math.max(1.4, 0.5 * radius);
  for (const { edge, probability } of [...scene.alternatives].reverse()) {
    context.globalAlpha = brightness(probability);
    context.lineWidth = line;
    context.setLineDash([1, 2.6 * line]);
    strokeEdges(context, [edge], at, colours.accent);
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
  if (scene.chosen) {
    context.lineWidth = line * 2.2;
    strokeEdges(context, [scene.chosen], at, colours.accent);
  }
}

/** A circle; where it is tiny an octagon, which looks the same and is filled in half the time. */
function addDot(context: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  if (r >= 2.2) {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  const wide = 1.04 * r; // as much area as the circle has
  const [near, far] = [0.3827 * wide, 0.9239 * wide]; // sine and cosine of an eighth of a half turn
  context.moveTo(x + far, y + near);
  context.lineTo(x + near, y + far);
  context.lineTo(x - near, y + far);
  context.lineTo(x - far, y + near);
  context.lineTo(x - far, y - near);
  context.lineTo(x - near, y - far);
  context.lineTo(x + near, y - far);
  context.lineTo(x + far, y - near);
}

/** A path of all dots at once would be slow again: what is filled is looked for among all its parts. */
const dotsInAPath = 32;

function paintPoints({ context, size, colours }: Frame, scene: Scene, at: Point[], radius: number): void {
  const isTerminal = new Set(scene.terminals);
  context.fillStyle = colours.dot;
  context.strokeStyle = colours.dotEdge;
  context.lineWidth = 1.2;
  let inPath = 0;
  const fillPath = (): void => {
    if (inPath === 0) return;
    context.fill();
    if (radius >= 2.5) context.stroke();
    inPath = 0;
  };
  for (let v = 0; v < at.length; ++v) {
    const [x, y] = at[v];
    if (x < -9 || y < -9 || x > size.width + 9 || y > size.height + 9 || isTerminal.has(v)) continue;
    if (scene.sizes?.[v] === 0) continue;
    if (inPath === 0) context.beginPath();
    const byDegree = Math.min(1.7, 0.75 + 0.25 * Math.sqrt(scene.degrees[v] ?? 0));
    addDot(context, x, y, radius * (scene.sizes?.[v] ?? byDegree));
    if (++inPath === dotsInAPath) fillPath();
  }
  fillPath();
  if (isTerminal.size === 0) return;
  context.beginPath();
  for (const v of isTerminal) {
    if (!at[v]) continue;
    const half = radius * 1.25 * (scene.sizes?.[v] ?? 1);
    context.rect(at[v][0] - half, at[v][1] - half, 2 * half, 2 * half);
  }
  context.fillStyle = colours.accent;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = colours.dotEdge;
  context.stroke();
}

function ring(context: CanvasRenderingContext2D, [x, y]: Point, r: number, colour: string, width: number): void {
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

function paintMarks({ context, colours }: Frame, scene: Scene, at: Point[], radius: number): void {
  for (const v of scene.tight) if (at[v]) ring(context, at[v], radius * (scene.sizes?.[v] || 1) + 3, colours.limit, 1.6);
  for (const root of scene.roots) {
    if (!at[root]) continue;
    ring(context, at[root], radius + 5, colours.ink, 1.6);
    ring(context, at[root], radius + 8.5, colours.ink, 1);
  }
  if (at[scene.hovered]) ring(context, at[scene.hovered], radius + 4, colours.soft, 1.2);
  if (at[scene.selected]) ring(context, at[scene.selected], radius + 4, colours.accent, 2);
}

/** What is not drawn has no name either. */
function paintNames({ context, colours }: Frame, names: readonly string[], sizes: Float32Array | null, at: Point[], radius: number): void {
  const shown = [...names.keys()].filter((v) => at[v] && sizes?.[v] !== 0);
  if (shown.length > 120) return;
  context.fillStyle = colours.soft;
  context.font = "11px Inter, system-ui, sans-serif";
  for (const v of shown) context.fillText(names[v], at[v][0] + radius + 5, at[v][1] + 4);
}

function paintCursor({ context, colours }: Frame, [x, y]: Point): void {
  context.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    context.moveTo(x + 4 * dx, y + 4 * dy);
    context.lineTo(x + 13 * dx, y + 13 * dy);
  }
  context.lineWidth = 1.6;
  context.strokeStyle = colours.accent;
  context.stroke();
}
