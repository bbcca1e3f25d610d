// What is typed into the fields for limits, and what of it reaches the server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { changedParts } from "../../src/model/changes";
import { addLimits, expected, meaning, Misread } from "../../src/model/limits";

const parameter = (name, type, more = {}) =>
  ({ name, type, group: "limits", least: null, most: null, above: false, usual: null, choices: [], readers: [], help: "", ...more });
const five = { count: 5, names: ["a", "b", "c-d", "d", "e"] };

test("numbers are within the range of the table", () => {
  const hops = parameter("hops", "whole", { least: 1 });
  assert.equal(meaning(hops, " 3 ", five), 3);
  for (const text of ["0", "2.5", "x", "-1", "1e400"]) assert.throws(() => meaning(hops, text, five), Misread, text);
  const capacity = parameter("capacity", "number", { least: 0, above: true });
  assert.equal(meaning(capacity, "2.5", five), 2.5);
  assert.throws(() => meaning(capacity, "0", five), /expected a number above 0, found 0/);
  assert.equal(expected(parameter("beam", "whole", { least: 1, most: 64 })), "a whole number from 1 to 64");
});

test("vertices go by numbers and names, edges and groups are lists of them", () => {
  assert.equal(meaning(parameter("root", "vertex"), "c-d", five), 2);
  assert.deepEqual(meaning(parameter("leaves", "vertices"), "e, 0,", five), [0, 4]);
  assert.deepEqual(meaning(parameter("include_edges", "edges"), "0-4, a-c-d, c-d-e", five), [[0, 4], [0, 2], [2, 4]]);
  assert.deepEqual(meaning(parameter("groups", "groups"), "a, b; 4", five), [0, 0, -1, -1, 1]);
  assert.throws(() => meaning(parameter("root", "vertex"), "5", five), /no point 5: they have the numbers 0 to 4 and names/);
  assert.throws(() => meaning(parameter("include_edges", "edges"), "3", five), /3 is no edge/);
  assert.throws(() => meaning(parameter("groups", "groups"), "0,1;1", five), /point 1 is in two groups/);
});

test("amounts are of some vertices, others have the usual one", () => {
  assert.deepEqual(meaning(parameter("prizes", "amounts"), "a=3, 4=0.5", five), [3, 0, 0, 0, 0.5]);
  assert.deepEqual(meaning(parameter("demands", "amounts"), "b=2", five), [1, 2, 1, 1, 1]);
  assert.deepEqual(meaning(parameter("cables", "cables"), "5=1, 20=2.5", five), [[5, 1], [20, 2.5]]);
  for (const text of ["a", "a=", "a=x", "a=-1"]) assert.throws(() => meaning(parameter("prizes", "amounts"), text, five), Misread, text);
});

test("facts about vertices go into the instance, limits into the question, empty fields nowhere", () => {
  const question = { instance: { points: [] }, problem: "tree" };
  const parameters = [
    parameter("hops", "whole", { least: 1 }),
    parameter("prizes", "amounts", { group: "vertices" }),
    parameter("diameter", "whole", { least: 1 }),
  ];
  addLimits(question, { hops: "3", prizes: "a=1", diameter: " " }, parameters, five);
  assert.deepEqual(question, { instance: { points: [], prizes: [1, 0, 0, 0, 0] }, problem: "tree", hops: 3 });
});

test("a limit that only the server knows reaches it, and a change of it makes trees old", () => {
  const leaves = parameter("most_leaves", "whole", { least: 2 });
  const asked = (text) => {
    const question = { instance: {}, problem: "tree" };
    addLimits(question, { most_leaves: text }, [leaves], five);
    return question;
  };
  assert.equal(asked("4").most_leaves, 4);
  assert.deepEqual(changedParts(asked("4"), asked("4")), []);
  assert.deepEqual(changedParts(asked("4"), asked("5")), ["limits"]);
});
