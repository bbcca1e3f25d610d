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

test("advice to use an option of the command is left out of what the page says", () => {
  const messages = {
    "a.geojson:2: features[1] lies in a part of 2 vertices; the gap is 3.0 m wide: --snap-tolerance joins ends that are closer than it says":
      "a.geojson:2: features[1] lies in a part of 2 vertices; the gap is 3.0 m wide",
    "a.geojson:2: features[1] is 80 m from the nearest street, and at most 50 m are allowed: move it, add the street that leads to it, or allow more with --snap-distance 81":
      "a.geojson:2: features[1] is 80 m from the nearest street, and at most 50 m are allowed: move it, add the street that leads to it",
    "a.geojson: features[3] is no terminal: the tree may pass it, but need not (--demand-property, --prize-property, --terminal-property)":
      "a.geojson: features[3] is no terminal: the tree may pass it, but need not",
    "a.geojson:1: the file is not in degrees; --format gdal converts them, as ogr2ogr -t_srs EPSG:4326 does":
      "a.geojson:1: the file is not in degrees",
    "big.csv: holds more than 8 MB: --max-input moves this limit": "big.csv: holds more than 8 MB",
    "a.csv: use --some option": "a.csv: use option",
  };
  for (const [command, page] of Object.entries(messages)) assert.equal(inWordsOfThePage(command), page);
});

test("a decision has one number wherever it is shown", () => {
  const two = { steps: [{}, {}], complete: true };
  assert.deepEqual([0, 1, 2].map((step) => placeOf(step, two)), ["1 of 2", "2 of 2", "finished"]);
  assert.equal(placeOf(2, { ...two, complete: false }), "dead end");
});
