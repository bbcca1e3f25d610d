import assert from "node:assert/strict";
import { test } from "node:test";
import { BitReader, BitWriter, widthOf } from "../../src/share/bits";
import { fromFragment, longestLink, toFragment } from "../../src/share/link";
import { decimalsFor, packPoints, unpackPoints } from "../../src/share/points";
import { usual } from "../../src/model/question";
import { random, randomPoints } from "../support/random";

test("bits come back as they were written, whatever their widths", () => {
  const next = random(1);
  const numbers = Array.from({ length: 500 }, () => {
    const width = Math.floor(next() * 41);
    return [Math.floor(next() * 2 ** width), width];
  });
  const writer = new BitWriter();
  for (const [value, width] of numbers) writer.write(value, width);
  const reader = new BitReader(writer.finish());
  for (const [value, width] of numbers) assert.equal(reader.read(width), value);
  assert.throws(() => reader.read(9), RangeError);
});

test("the width of a number is the number of its binary digits", () => {
  for (const value of [0, 1, 2, 3, 4, 255, 256, 2 ** 40 - 1]) {
    assert.equal(widthOf(value), value === 0 ? 0 : value.toString(2).length);
  }
});

test("points with few decimals survive a link exactly", () => {
  for (const points of [
    [[0, 0], [3, 4], [100, 7]],
    [[0.1, 0.2], [0.3, 0.7]],
    [[-12.5, 48.8443], [2.3737, -0.0001]],
    [[5, 5]],
    [[1e6, 2e6], [1000001, 2000001]],
  ]) {
    assert.deepEqual(unpackPoints(packPoints(points)), points);
  }
});

test("points with many decimals keep a hundred-thousandth of their extent", () => {
  for (const scale of [1e-3, 1, 1e4]) {
    const points = randomPoints(300, 7).map(([x, y]) => [x * scale, y * scale]);
    const back = unpackPoints(packPoints(points));
    points.forEach(([x, y], v) => {
      assert.ok(Math.abs(back[v][0] - x) <= scale * 1e-5, `${back[v][0]} is not ${x}`);
      assert.ok(Math.abs(back[v][1] - y) <= scale * 1e-5);
    });
    // A link made from what a link gave is the same link.
    assert.deepEqual(unpackPoints(packPoints(back)), back);
  }
});

test("whole numbers take no decimals", () => {
  assert.equal(decimalsFor([[1, 2], [30, 4]]), 0);
  assert.equal(decimalsFor([[1.5, 2], [30, 4.25]]), 2);
});

test("a link holds terminals, names, limits, metric and the question", async () => {
  const instance = {
    name: "four “stations”",
    points: [[0, 0], [3, 0], [3, 4], [0, 4]],
    metric: "manhattan",
    terminals: [0, 2],
    degree_limits: [2, 2, 3, 1],
    names: ["Nord", "Öst", "Süd", "West"],
  };
  const asked = { ...usual, problem: "stp", root: 2, rivals: ["search", "prim"] };
  const fragment = await toFragment({ instance, asked });
  assert.match(fragment, /^[pz][\w-]+$/);
  assert.deepEqual(await fromFragment(fragment), { instance, asked });
});

test("a graph given by weights comes back with its layout", async () => {
  const instance = { points: [[0, 0], [1, 0], [0, 1]], matrix: [[0, 2, 3], [2, 0, null], [3, null, 0]] };
  assert.deepEqual((await fromFragment(await toFragment({ instance, asked: {} }))).instance, instance);
});

test("two thousand points make a link of about ten kilobytes", async () => {
  const fragment = await toFragment({ instance: { points: randomPoints(2000, 3) }, asked: usual });
  assert.ok(fragment.length < 12_500, `${fragment.length} characters`);
});

test("what is too large for a link is refused with a way out", async () => {
  const points = randomPoints(longestLink / 4, 3);
  await assert.rejects(toFragment({ instance: { points }, asked: {} }), /download/);
});

test("damaged links are refused, never opened in part", async () => {
  const whole = await toFragment({ instance: { points: randomPoints(40, 1) }, asked: usual });
  const cuts = Array.from({ length: 20 }, (_, k) => whole.slice(0, Math.floor((k * whole.length) / 21)));
  for (const wrong of [...cuts, `q${whole.slice(1)}`, "p", "pAAAA", "z!!", "p" + btoa("no header here").replace(/=/g, "")]) {
    await assert.rejects(fromFragment(wrong), /damaged/);
  }
});

test("a link that speaks of vertices it does not have is refused", async () => {
  const points = [[0, 0], [1, 1]];
  await assert.rejects(fromFragment(await toFragment({ instance: { points, terminals: [2] }, asked: {} })), /damaged/);
  await assert.rejects(fromFragment(await toFragment({ instance: { points, names: ["a"] }, asked: {} })), /damaged/);
});
