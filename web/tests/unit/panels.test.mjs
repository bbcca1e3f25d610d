import assert from "node:assert/strict";
import { test } from "node:test";
import { complaint } from "../../src/panels/number_field";
import { asksForFormat, inWordsOfThePage } from "../../src/panels/read_as";
import { placeOf } from "../../src/panels/step";

test("a field says what it takes: missing is one thing, wrong another", () => {
  const degree = { name: "Degree", whole: true, min: 1, max: Infinity };
  assert.equal(complaint(degree, 2, false), "");
  assert.equal(complaint(degree, NaN, true), "Degree is missing: a whole number, 1 or more");
  for (const value of [0, 2.5, NaN]) assert.equal(complaint(degree, value, false), "Degree must be a whole number, 1 or more");
  const time = { name: "Seconds", whole: false, min: 0.1, max: 60 };
  assert.equal(complaint(time, 2.5, false), "");
  assert.equal(complaint(time, 61, false), "Seconds must be a number from 0.1 to 60");
});

test("what the command would be told by an option, the page asks for in a list", () => {
  const messages = {
    "notes.txt: the content does not tell the format: name it with --format (csv, json, crd)":
      "notes.txt: the content does not tell the format: choose it below, or open another file",
    "six.txt: the 6 numbers can be read as points (--format crd) or as a matrix (--format sym): name the format":
      "six.txt: the 6 numbers can be read as points or as a matrix: choose one below",
    "a.csv:1: expected a header with x,y, or rows x,y (for edges: --format edges)":
      "a.csv:1: expected a header with x,y, or rows x,y (for edges: choose “Table of edges (CSV)” below)",
  };
  for (const [command, page] of Object.entries(messages)) {
    assert.ok(asksForFormat(command));
    assert.equal(inWordsOfThePage(command), page);
  }
  assert.equal(inWordsOfThePage("try --something else"), "try else", "an option that nobody thought of is left out");
  assert.equal(inWordsOfThePage('a.csv:3: expected a number, found "-1--"'), 'a.csv:3: expected a number, found "-1--"');
});

test("a decision has one number wherever it is shown", () => {
  const two = { steps: [{}, {}], complete: true };
  assert.deepEqual([0, 1, 2].map((step) => placeOf(step, two)), ["1 of 2", "2 of 2", "finished"]);
  assert.equal(placeOf(2, { ...two, complete: false }), "dead end");
});
