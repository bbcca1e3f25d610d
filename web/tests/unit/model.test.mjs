import assert from "node:assert/strict";
import { test } from "node:test";
import { changeInWords, changeSince } from "../../src/model/changes";
import { Editor } from "../../src/model/editor";
import { History } from "../../src/model/history";
import { edgesWithout, instanceFile, placed, unplaced, without, withPoint, withTerminalToggled } from "../../src/model/instance";
import { hasPolicy, methodsFor, mostPoints, questionOf, usual } from "../../src/model/question";
import { gapTo, numbersOf, numbersOfBoth, started, withProgress, withSolution } from "../../src/model/run";
import { newStore } from "../../src/model/state";
import { cheaper, sharedEdges } from "../../src/panels/compare";

const square = { points: [[0, 0], [1, 0], [1, 1], [0, 1]], terminals: [1, 3], names: ["a", "b", "c", "d"] };

test("taking a vertex away renumbers those after it", () => {
  const rest = without(square, 1);
  assert.deepEqual(rest, { points: [[0, 0], [1, 1], [0, 1]], terminals: [2], names: ["a", "c", "d"] });
  assert.deepEqual(edgesWithout([[0, 1], [1, 2], [2, 3]], 1), [[1, 2]]);
  assert.equal(square.points.length, 4, "the old instance is as it was");
});

test("a new point gets a name and a limit where the others have one", () => {
  const grown = withPoint({ ...square, degree_limits: [2, 3, 1, 2] }, [5, 5]);
  assert.equal(grown.names.length, 5);
  assert.deepEqual(grown.degree_limits, [2, 3, 1, 2, 3]);
});

test("what is told about each vertex follows when vertices come and go", () => {
  const told = { ...square, root: 2, leaves: [0, 3], demands: [1, 2, 3, 4], prizes: [0, 5, 0, 7], groups: [0, 0, 1, -1] };
  const { root, leaves, demands, prizes, groups } = without(told, 1);
  assert.deepEqual([root, leaves, demands, prizes, groups], [1, [0, 2], [1, 3, 4], [0, 0, 7], [0, 1, -1]]);
  assert.equal("root" in without(told, 2), false, "a root that is gone is none");
  const grown = withPoint(told, [5, 5]);
  assert.deepEqual([grown.demands[4], grown.prizes[4], grown.groups[4]], [1, 0, -1]);
});

test("places beside weights travel as a layout, and come back as places", () => {
  const graph = { points: [[0, 0], [1, 1]], matrix: [[], [3]] };
  assert.deepEqual(unplaced(graph), { matrix: [[], [3]], layout: graph.points });
  assert.deepEqual(placed(unplaced(graph)), graph);
  assert.deepEqual(unplaced(square), square);
});

test("a terminal that is toggled twice is as before, and the last one leaves no empty list", () => {
  assert.deepEqual(withTerminalToggled(withTerminalToggled(square, 0), 0), square);
  assert.equal("terminals" in withTerminalToggled({ points: [[0, 0]], terminals: [0] }, 0), false);
});

test("a graph without positions is placed on a circle", () => {
  assert.equal(placed({ n: 6, edges: [[0, 1, 2]] }).points.length, 6);
});

test("files name the parts of an instance as the command does", () => {
  assert.deepEqual(JSON.parse(instanceFile(square)), { ...square, metric: "euclidean" });
  const graph = { points: [[0, 0], [1, 1]], n: 2, edges: [[0, 1, 7]] };
  assert.deepEqual(JSON.parse(instanceFile(graph)), { n: 2, edges: [[0, 1, 7]], layout: graph.points });
});

test("undo and redo go through the same values, and a change forgets the future", () => {
  const history = new History(0, 3);
  for (const value of [1, 2, 3, 4]) history.push(value);
  assert.deepEqual([history.undo(), history.undo(), history.undo(), history.undo()], [3, 2, 1, 1]);
  assert.deepEqual([history.redo(), history.redo()], [2, 3]);
  history.push(9);
  assert.equal(history.canRedo, false);
  assert.equal(history.undo(), 3);
});

test("a drag is one step of undo however many places it passed", () => {
  const store = newStore();
  const editor = new Editor(store);
  editor.add([0, 0]);
  for (const x of [1, 2, 3]) editor.drag(0, [x, x]);
  editor.drop();
  assert.deepEqual(store.get().instance.points, [[3, 3]]);
  editor.undo();
  assert.deepEqual(store.get().instance.points, [[0, 0]]);
  editor.redo();
  assert.deepEqual(store.get().instance.points, [[3, 3]]);
});

test("a graph given by its weights takes no new vertices and says why", () => {
  const store = newStore();
  const editor = new Editor(store);
  editor.replace({ matrix: [[], [1]] });
  editor.add([0, 0]);
  editor.remove(0);
  assert.equal(store.get().instance.points.length, 2);
  assert.match(store.get().error, /weights/);
});

test("a removed vertex takes its edges with it and the root keeps its vertex", () => {
  const store = newStore();
  const editor = new Editor(store);
  editor.replace(square);
  const question = questionOf(store.get().instance, { ...usual, root: 3 }, "search", null);
  store.set({ run: started(question, [[0, 1], [1, 2], [2, 3]]), asked: { ...usual, root: 3 } });
  editor.remove(1);
  assert.deepEqual(store.get().run.edges, [[1, 2]]);
  assert.equal(store.get().asked.root, 2);
  assert.equal(changeSince(store.get().run, store.get()), "points have changed");
});

test("a tree that is old says what has changed, and is not old any more when that is taken back", () => {
  const store = newStore();
  const editor = new Editor(store);
  editor.replace(square);
  const ask = (asked) => store.set({ asked, run: started(questionOf(store.get().instance, asked, "search", null), []) });
  const change = () => changeSince(store.get().run, store.get());
  ask(usual);
  assert.equal(change(), "");
  store.set({ asked: { ...usual, problem: "mst" } });
  assert.equal(change(), "problem has changed");
  store.set({ asked: { ...usual, degree: 5 } });
  assert.equal(change(), "degree has changed");
  store.set({ asked: { ...usual, hops: 9, timeLimit: 1, method: "prim" } });
  assert.equal(change(), "", "hops are not asked for here, and a method finds trees of the same question");
  editor.toggleTerminal(0);
  assert.equal(change(), "", "terminals do not matter here");
  editor.drag(0, [5, 5]);
  editor.drop();
  store.set({ asked: { ...usual, problem: "mst" } });
  assert.equal(change(), "points and problem have changed");
  store.set({ asked: usual });
  editor.undo();
  assert.equal(change(), "");

  ask({ ...usual, problem: "stp" });
  editor.toggleTerminal(2);
  assert.equal(change(), "terminals have changed");
  editor.toggleTerminal(2);
  assert.equal(change(), "");
});

test("moving a vertex of a graph that has weights changes no tree", () => {
  const store = newStore();
  const editor = new Editor(store);
  editor.replace({ matrix: [[], [1]] });
  store.set({ run: started(questionOf(store.get().instance, usual, "search", null), []) });
  editor.drag(0, [7, 7]);
  editor.drop();
  assert.equal(changeSince(store.get().run, store.get()), "");
  assert.equal(changeInWords(["points", "terminals", "root"]), "points, terminals and root have changed");
});

const about = {
  problems: [{ name: "hmst", title: "", parameters: ["hops", "root"] }, { name: "dcmst", title: "", parameters: ["degree"] }],
  methods: [{ name: "search", problems: null }, { name: "hop-prim", problems: ["hmst"] }],
};

test("a question has the numbers of its problem and no others", () => {
  const asked = { ...usual, degree: 5, hops: 7, root: 90 };
  const hops = questionOf(square, { ...asked, problem: "hmst" }, "search", about);
  assert.deepEqual([hops.hops, hops.root, hops.degree], [7, 3, undefined]);
  const degree = questionOf(square, { ...asked, problem: "dcmst" }, "search", about);
  assert.deepEqual([degree.hops, degree.root, degree.degree], [undefined, undefined, 5]);
});

test("terminals are asked about in Steiner problems only, and limits of a file win over the field", () => {
  assert.deepEqual(questionOf(square, { ...usual, problem: "stp" }, "search", null).instance.terminals, [1, 3]);
  assert.equal("terminals" in questionOf(square, usual, "search", null).instance, false);
  assert.equal(questionOf({ ...square, degree_limits: [1, 2, 2, 1] }, usual, "search", null).degree, undefined);
});

test("methods are offered for the problems they solve", () => {
  assert.deepEqual(methodsFor("hmst", about).map((m) => m.name), ["search", "hop-prim"]);
  assert.deepEqual(methodsFor("dcmst", about).map((m) => m.name), ["search"]);
});

test("as many points as the server takes, and fewer with a number for each pair", () => {
  const server = { limits: { vertices: 20000, matrix_vertices: 1000 } };
  assert.equal(mostPoints("uniform", "dcmst", server), 20000);
  assert.equal(mostPoints("matrix", "dcmst", server), 1000);
  assert.equal(mostPoints("uniform", "ocst", server), 1000, "traffic is between pairs");
  assert.equal(mostPoints("matrix", "mst", { limits: { vertices: 50, matrix_vertices: 1000 } }), 50);
});

test("which problems have a policy is what the server says, and open until it has", () => {
  const server = { problems: [{ name: "mst", policy: false }, { name: "dcmst", policy: true }] };
  assert.deepEqual(["mst", "dcmst"].map((problem) => hasPolicy(problem, server)), [false, true]);
  assert.equal(hasPolicy("mst", null), true);
});

test("a run keeps its tree while only the bound moves", () => {
  let run = started({ instance: square, problem: "mst", method: "search", time_limit: 2 }, []);
  run = withProgress(run, { cost: 3, bound: null, gap_percent: null, seconds: 0.1, found_by: "prim", edges: [[0, 1]] });
  run = withProgress(run, { cost: 3, bound: 2, gap_percent: 50, seconds: 0.2, found_by: "prim" });
  assert.deepEqual(run.edges, [[0, 1]]);
  assert.deepEqual(numbersOf(run), { cost: 3, bound: 2, gap: 50, by: "prim" });
  run = withSolution(run, { cost: 2, bound: 2, gap_percent: 0, proven_optimal: true, seconds: 0.3, found_by: "swaps", edges: [[0, 2]] });
  assert.equal(run.state, "done");
  assert.deepEqual(run.edges, [[0, 2]]);
  assert.equal(run.moments.length, 3);
});

test("costs that differ in their last digits are the same cost", () => {
  assert.equal(cheaper(5, 5 * (1 + 1e-12)), null);
  assert.deepEqual(cheaper(4, 5), { which: 0, percent: 25 });
  assert.deepEqual(cheaper(5, 4), { which: 1, percent: 25 });
});

test("edges are shared whichever way round they are written", () => {
  assert.equal(sharedEdges({ edges: [[0, 1], [1, 2]] }, { edges: [[1, 0], [2, 3]] }), 1);
});

test("what one run has proven bounds the other too", () => {
  const run = (cost, bound, gap_percent = null) => ({ latest: { cost, bound, gap_percent, found_by: "" }, solution: null });
  const [a, b] = numbersOfBoth(run(11, null), run(12, 10, 20));
  assert.deepEqual([a.bound, a.gap, b.bound, b.gap], [10, 10, 10, 20]);
  assert.equal(numbersOfBoth(run(11, null), run(12, null))[0].gap, null);
});

test("the gap of a run is the server's; one to the other's bound follows the server's rule", () => {
  const run = (cost, bound, gap_percent) => ({ latest: { cost, bound, gap_percent, found_by: "" }, solution: null });
  assert.equal(numbersOfBoth(run(5, 5 - 1e-12, 0), run(6, 4, 50))[0].gap, 0, "proven up to rounding");
  assert.deepEqual(numbersOfBoth(run(0, 0, 0), run(0, null, null)).map(({ gap }) => gap), [0, 0], "a bound of 0 is one");
  assert.deepEqual(numbersOfBoth(run(0, 0, 0), run(3, null, null)).map(({ gap }) => gap), [0, null]);
  assert.equal(gapTo(1 + 1e-12, 1), 0);
  assert.equal(gapTo(1.5, 1), 50);
});
