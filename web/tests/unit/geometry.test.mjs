import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsOf, Camera } from "../../src/geometry/camera";
import { Grid } from "../../src/geometry/grid";
import { circle, radial } from "../../src/geometry/layout";
import { random, randomPoints } from "../support/random";

const size = { width: 800, height: 500 };

function near(a, b, within = 1e-9) {
  assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) <= within, `${a} is not ${b}`);
}

test("a pixel becomes a place and the same pixel again", () => {
  const camera = new Camera([3, -2], 170, 0.6);
  for (const pixel of [[0, 0], [799, 3], [400, 250]]) near(camera.toScreen(camera.toWorld(pixel, size), size), pixel);
});

test("up in the world is up on the screen", () => {
  const camera = new Camera([0, 0], 100);
  assert.ok(camera.toScreen([0, 1], size)[1] < camera.toScreen([0, 0], size)[1]);
});

test("zooming keeps what is under the pointer", () => {
  const camera = new Camera([3, -2], 170, 0.6);
  const pixel = [123, 456];
  const zoomed = camera.zoomedAt(pixel, 2.5, size);
  near(zoomed.toWorld(pixel, size), camera.toWorld(pixel, size));
  assert.equal(zoomed.scale, 170 * 2.5);
});

test("panning moves what is seen by as many pixels", () => {
  const camera = new Camera([3, -2], 170, 0.6);
  const [x, y] = camera.toScreen([1, 1], size);
  near(camera.movedBy(30, -20).toScreen([1, 1], size), [x + 30, y - 20]);
});

test("fitting shows every point inside the margin and touches it", () => {
  for (const stretch of [1, 0.65]) {
    const points = randomPoints(50, 5).map(([x, y]) => [100 * x - 3, 7 * y]);
    const camera = Camera.fitting(boundsOf(points), size, 40, stretch);
    const at = boundsOf(points.map((point) => camera.toScreen(point, size)));
    const gaps = [at.low[0], at.low[1], size.width - at.high[0], size.height - at.high[1]];
    for (const gap of gaps) assert.ok(gap >= 40 - 1e-6);
    assert.ok(Math.min(...gaps) < 40 + 1e-6);
  }
});

test("one point, or many at one place, can be fitted", () => {
  const camera = Camera.fitting(boundsOf([[2, 3], [2, 3]]), size, 40);
  near(camera.toScreen([2, 3], size), [400, 250]);
  assert.ok(Number.isFinite(camera.scale) && camera.scale > 0);
});

test("the grid finds the point that a look at all of them finds", () => {
  const next = random(11);
  const points = randomPoints(400, 2).map(([x, y]) => [x * 300 - 50, y * 300 - 50]);
  const grid = new Grid(points, 24);
  for (let k = 0; k < 2000; ++k) {
    const pixel = [next() * 340 - 70, next() * 340 - 70];
    const within = 2 + next() * 22;
    const distances = points.map(([x, y]) => Math.hypot(x - pixel[0], y - pixel[1]));
    const least = Math.min(...distances);
    assert.equal(grid.nearest(pixel, within), least <= within ? distances.indexOf(least) : -1);
  }
});

test("of two points at one place the one on top is found", () => {
  assert.equal(new Grid([[5, 5], [5, 5]], 24).nearest([6, 5], 10), 1);
});

test("a circle has its places apart and inside the unit square", () => {
  const places = circle(9);
  assert.equal(places.length, 9);
  for (const [x, y] of places) assert.ok(Math.abs(Math.hypot(x - 0.5, y - 0.5) - 0.5) < 1e-12);
  assert.equal(new Set(places.map(String)).size, 9);
});

test("a path's middle is in the middle of its drawing", () => {
  const places = radial(5, [[0, 1], [1, 2], [2, 3], [3, 4]]);
  near(places[2], [0.5, 0.5]);
  near(places[0], [1 - places[4][0], 1 - places[4][1]], 1e-9);
});

test("every vertex of a random tree gets a place of its own, outsiders too", () => {
  const next = random(4);
  const edges = Array.from({ length: 59 }, (_, k) => [Math.floor(next() * (k + 1)), k + 1]);
  const places = radial(64, edges);
  assert.equal(places.length, 64);
  for (const [x, y] of places) assert.ok(x >= -1e-9 && x <= 1 + 1e-9 && y >= -1e-9 && y <= 1 + 1e-9);
  assert.equal(new Set(places.map(([x, y]) => `${x.toFixed(9)},${y.toFixed(9)}`)).size, 64);
});
