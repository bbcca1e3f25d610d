import assert from "node:assert/strict";
import { test } from "node:test";
import { count, percent, probability, readable, seconds } from "../../src/format";
import { between, heldAfter, staircase } from "../../src/view/chart";
import { FadingTree, edgeKey } from "../../src/view/fading_tree";
import { brightness } from "../../src/view/paint";
import { axisTicks } from "../../src/view/ticks";
import { random } from "../support/random.mjs";

test("an edge that is exchanged fades out while the other fades in", () => {
  const tree = new FadingTree();
  tree.show([[0, 1], [1, 2]], 0, false);
  tree.show([[1, 0], [0, 2]], 1000, true);
  assert.deepEqual([...tree.steady()].map(edgeKey), [edgeKey([0, 1])]);
  const halfway = new Map([...tree.changing(1130)].map(({ edge, opacity }) => [edgeKey(edge), opacity]));
  assert.ok(Math.abs(halfway.get(edgeKey([0, 2])) - 0.5) < 0.01);
  assert.ok(Math.abs(halfway.get(edgeKey([1, 2])) - 0.5) < 0.01);
  assert.equal(tree.settle(1100), true);
  assert.equal(tree.settle(1300), false);
  assert.equal([...tree.steady()].length, 2);
});

test("without motion a tree is there at once", () => {
  const tree = new FadingTree();
  tree.show([[0, 1]], 0, false);
  assert.equal(tree.settle(0), false);
  assert.equal([...tree.steady()].length, 1);
});

test("an edge has one key in both directions, and no two edges share one", () => {
  const keys = new Set();
  for (let u = 0; u < 60; ++u) for (let v = u + 1; v < 60; ++v) {
    assert.equal(edgeKey([u, v]), edgeKey([v, u]));
    keys.add(edgeKey([u, v]));
  }
  assert.equal(keys.size, (60 * 59) / 2);
});

test("a value holds until the next one", () => {
  assert.equal(staircase([[0, 9], [10, 5]], 30), "M0.0 9.0H10.0V5.0H30.0");
  assert.equal(staircase([], 30), "");
});

test("what lies between cost and bound begins where both are known, with no slanted side", () => {
  const path = between([[0, 10], [5, 20]], [[2, 90], [8, 60]], 30);
  assert.equal(path, "M2.0 10.0H5.0V20.0H30.0V60.0H8.0V90.0H2.0Z");
});

test("values that were improved on at once do not set the scale", () => {
  const values = [{ seconds: 0, value: 99 }, { seconds: 0.1, value: 20 }, { seconds: 3, value: 10 }];
  assert.deepEqual(heldAfter(values, 0.2), [20, 10]);
  assert.deepEqual(heldAfter(values, 5), [10]);
  assert.deepEqual(heldAfter([], 5), []);
});

test("brighter is more probable, and nothing is invisible", () => {
  assert.equal(brightness(1), 1);
  assert.ok(brightness(0.5) > brightness(0.1));
  assert.ok(brightness(0) > 0);
});

test("numbers read well", () => {
  assert.equal(readable(5.213834567), "5.21383");
  assert.equal(readable(12345678.9), "12,345,679");
  assert.equal(readable(null), "–");
  assert.equal(percent(0), "0 %");
  assert.equal(percent(0.0123), "0.01 %");
  assert.equal(percent(5.4912), "5.49 %");
  assert.equal(probability(0.9999), "> 99.9 %");
  assert.equal(probability(0.00001), "< 0.1 %");
  assert.equal(probability(0.785), "78.5 %");
  assert.deepEqual([0, 0.0004, 0.023, 0.1, 1.234, 12.34].map(seconds), ["< 1 ms", "< 1 ms", "23 ms", "0.10 s", "1.23 s", "12.3 s"]);
  assert.equal(count(1, "point"), "1 point");
  assert.equal(count(2000, "vertex", "vertices"), "2,000 vertices");
});

test("an axis has a few round values within its range, each in its own words", () => {
  assert.deepEqual(axisTicks(5.187, 5.214, 3).map((tick) => tick.words), ["5.19", "5.20", "5.21"]);
  assert.deepEqual(axisTicks(0, 10, 3).map((tick) => tick.words), ["0", "5", "10"]);
  assert.deepEqual(axisTicks(1234000, 1236000, 3).map((tick) => tick.words), ["1,234,000", "1,235,000", "1,236,000"]);
  const next = random(7);
  for (let k = 0; k < 2000; ++k) {
    const low = (next() - 0.2) * 10 ** (24 * next() - 12);
    const high = low + Math.abs(low) * 10 ** (-8 * next());
    const ticks = axisTicks(low, high, 3);
    const context = `${low} to ${high}: ${ticks.map((tick) => tick.words)}`;
    assert.ok(ticks.length >= 2 && ticks.length <= 7, context);
    assert.ok(ticks.every(({ value }) => value >= low - 1e-9 * Math.abs(low) && value <= high + 1e-9 * Math.abs(high)), context);
    assert.equal(new Set(ticks.map((tick) => tick.words)).size, ticks.length, context);
  }
});
