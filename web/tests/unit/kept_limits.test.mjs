import assert from "node:assert/strict";
import { test } from "node:test";
import { judged, judgedRun, loosening, vertexIn } from "../../src/model/kept_limits";
import { rooted, weightOf } from "../../src/model/rooted";
import { bendsOf, looksOf, ringed, sizesOf, streetsOf } from "../../src/view/looks";
import { alike, isOutside, scaleBar } from "../../src/view/paint";
import { edgeKey } from "../../src/view/fading_tree";
import { random, randomPoints } from "../support/random.mjs";

/** A random tree: each vertex hangs from an earlier one, edges in any order and direction. */
function randomTree(n, seed) {
  const next = random(seed);
  const edges = [];
  for (let v = 1; v < n; ++v) edges.push(next() < 0.5 ? [v, Math.floor(next() * v)] : [Math.floor(next() * v), v]);
  return edges.sort(() => next() - 0.5);
}

test("depths, ways and loads are those of the definition", () => {
  for (let seed = 1; seed <= 20; ++seed) {
    const [n, points] = [12, randomPoints(12, seed)];
    const edges = randomTree(n, seed);
    const demands = points.map((_, v) => (v * 7) % 5);
    const root = seed % n;
    const tree = rooted(n, edges, [root], { points, demands });
    const distance = (u, v) => Math.hypot(points[u][0] - points[v][0], points[u][1] - points[v][1]);
    const wayTo = (v) => (v === root ? [v] : [v, ...wayTo(tree.parent[v])]);
    for (let v = 0; v < n; ++v) {
      const way = wayTo(v);
      assert.equal(tree.depth[v], way.length - 1);
      const length = way.slice(1).reduce((sum, u, k) => sum + distance(u, way[k]), 0);
      assert.ok(Math.abs(tree.way[v] - length) < 1e-9);
      const behind = [...demands.keys()].filter((u) => wayTo(u).includes(v)).reduce((sum, u) => sum + demands[u], 0);
      assert.equal(tree.load[v], behind);
      if (v !== root) assert.ok(edges.some((edge) => edge.includes(v) && edge.includes(tree.parent[v])));
    }
  }
});

test("what the tree leaves out has no depth, and a forest hangs from all its roots", () => {
  const tree = rooted(6, [[0, 1], [3, 2]], [1, 3], { points: randomPoints(6, 1) });
  assert.deepEqual([...tree.depth], [1, 0, 1, 0, -1, -1]);
});

test("weights of every form of a graph", () => {
  assert.equal(weightOf({ matrix: [[0, 5], [5, 0]] })(0, 1), 5);
  assert.equal(weightOf({ n: 3, edges: [[2, 1, 4]] })(1, 2), 4);
  assert.equal(weightOf({ points: [[0, 0], [3, 4]], metric: "manhattan" })(0, 1), 7);
  const metres = weightOf({ points: [[0, 0], [0, 1]], metric: "great-circle" })(0, 1);
  assert.ok(Math.abs(metres - 111195) < 1);
  assert.equal(weightOf({ points: [[0, 0], [3, 4]], metric: "att" }), null);
});

const path = [[0, 1], [1, 2], [2, 3], [0, 4]];
const line = { points: [[0, 0], [1, 0], [2, 0], [3, 0], [0, 1]] };

test("limits bind where they are reached", () => {
  const question = { instance: { ...line, demands: [0, 1, 1, 2, 1] }, problem: "tree", root: 0, degree: 2, hops: 3, length: 3, capacity: 4, diameter: 4 };
  const limits = Object.fromEntries(judged(question, path, 5).limits.map((limit) => [limit.name, limit]));
  assert.deepEqual(limits.degree.vertices, [0, 1, 2]);
  assert.deepEqual(limits.hops.vertices, [3]);
  assert.deepEqual(limits.length.vertices, [3]);
  assert.deepEqual(limits.capacity.vertices, [1]);
  assert.match(limits.capacity.words, /1 of 2 branches full, the largest carries 4/);
  assert.deepEqual(limits.diameter.vertices.sort(), [3, 4]);
  const loose = judged({ instance: line, problem: "tree", root: 0, hops: 9, capacity: 9, diameter: 9 }, path, 5);
  assert.ok(loose.limits.every(({ vertices }) => vertices.length === 0));
  assert.match(loose.limits[0].words, /Hops ≤ 9: not reached/);
});

test("a branch is full when nothing that demands anything fits, whatever corners it passes", () => {
  const question = { instance: { ...line, demands: [0, 0, 2, 2, 3] }, problem: "cmst", root: 0, capacity: 4 };
  const [limit] = judged(question, path, 5).limits;
  assert.deepEqual(limit.vertices, [1, 4]);
});

test("limits of each point's own", () => {
  const { limits } = judged({ instance: { ...line, degree_limits: [9, 2, 9, 1, 1] }, problem: "dcmst" }, path, 5);
  assert.deepEqual(limits[0].vertices, [1, 3, 4]);
});

test("cables are the cheapest that carry the load, and add up", () => {
  const question = { instance: line, problem: "cables", root: 0, cables: [[9, 3], [1, 1]] };
  const { kinds, cables, loads } = judged(question, path, 5);
  assert.deepEqual([...loads], [5, 3, 2, 1, 1]);
  assert.deepEqual([...kinds], [-1, 1, 1, 0, 0]);
  assert.deepEqual(cables.map(({ capacity, edges, length }) => [capacity, edges, length]), [[1, 2, 2], [9, 2, 2]]);
  const looks = looksOf(path, judged(question, path, 5));
  assert.equal(looks.kinds.get(edgeKey([1, 0])), 1);
  assert.ok(looks.widths.get(edgeKey([0, 1])) > looks.widths.get(edgeKey([2, 3])));
  const groups = [...alike(path, looks).values()];
  assert.equal(groups.reduce((sum, { edges }) => sum + edges.length, 0), 4);
});

test("what was judged is not judged again, unless the question is another", () => {
  const run = { question: { instance: line, problem: "mst", root: 0 }, edges: path };
  assert.equal(judgedRun(run, 5), judgedRun(run, 5));
  assert.notEqual(judgedRun(run, 5), judgedRun({ ...run, question: { ...run.question } }, 5));
});

test("what to change is what the reason names and the question has", () => {
  const reason = "a tree with degree ≤ 3 and hops ≤ 2 holds at most 10 vertices, 60 must be in";
  assert.equal(loosening(reason, { degree: 3, hops: 2, capacity: 5 }), "Change degree or hops.");
  assert.equal(loosening("the demands add up to 9, but 2 branches at root 0 carry 4 each", { capacity: 4 }), "Change capacity.");
  assert.equal(loosening("no tree was found", { degree: 3 }), "");
  assert.equal(vertexIn("vertex 7 is 3 hops from root 0 on any path, the limit is 2", undefined, 9), 7);
  assert.equal(vertexIn("vertex 7 at [8.01, 47.2] is 3 hops from root 0 at [8, 47] on any path, the limit is 2", undefined, 9), 7);
  assert.equal(vertexIn("without vertex 4 what must be in the tree falls into 4 parts", undefined, 9), 4);
  assert.equal(vertexIn("vertex Ulm is 3 hops from root 0", ["Bonn", "Ulm"], 2), 1);
  assert.equal(vertexIn("vertex 70 is 3 hops from root 0", undefined, 9), -1);
  assert.equal(vertexIn("no tree was found", undefined, 9), -1);
});

test("sizes go with demands, and rings are few", () => {
  assert.equal(sizesOf({ demands: [2, 2, 2] }), null);
  const sizes = sizesOf({ demands: [1, 4, 1] });
  assert.ok(Math.abs(sizes[1] - 2 * sizes[0]) < 1e-6);
  const limit = (vertices) => ({ limits: [{ name: "degree", words: "", vertices }] });
  assert.equal(ringed(limit([1, 2]), 10).length, 2);
  assert.equal(ringed(limit([...Array(40).keys()]), 60).length, 0);
});

test("streets are the edges of a graph that has them, made once", () => {
  const instance = { n: 3, edges: [[0, 1, 2], [1, 2, 3]] };
  assert.deepEqual(streetsOf(instance), [[0, 1], [1, 2]]);
  assert.equal(streetsOf(instance), streetsOf(instance));
  assert.deepEqual(streetsOf({ points: [[0, 0]] }), []);
  assert.ok(isOutside([-50, 5], [-20, 9], { width: 100, height: 100 }));
  assert.ok(!isOutside([-50, 50], [150, 50], { width: 100, height: 100 }));
});

test("of a map only places are drawn, and its edges bend from the smaller end on", () => {
  const map = { shapes: [[2, 0, [[5, 5], [6, 6]]]] };
  const graph = { n: 3, edges: [[0, 2, 1], [1, 2, 1]], layout: [[0, 0], [1, 0], [2, 0]], map, terminals: [2] };
  assert.deepEqual([...sizesOf(graph)], [0, 0, 1]);
  assert.deepEqual([...sizesOf({ ...graph, demands: [0, 1, 4] })].map((size) => size > 0), [false, true, true]);
  assert.deepEqual(bendsOf(graph).get(edgeKey([0, 2])), [[6, 6], [5, 5]]);
  assert.equal(bendsOf(graph), bendsOf(graph));
  assert.equal(bendsOf({}).size, 0);
});

test("the bar of a map has a round length that fits", () => {
  for (const scale of [3, 700, 1e4, 123456, 5e6]) {
    const { metres, pixels, words } = scaleBar(scale, 110);
    assert.ok(pixels <= 110 && pixels > 110 / 2.6, `${pixels}`);
    assert.match(words, /^[125]0* k?m$/);
    assert.ok(Math.abs(metres / 111195 * scale - pixels) < 1e-6);
  }
});
