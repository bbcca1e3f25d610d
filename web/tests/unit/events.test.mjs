import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser } from "../../src/api/events";

const stream = ": heart-beat\n\nevent: progress\ndata: {\"cost\":1}\n\nevent: solution\r\ndata: {\"a\":\r\ndata: 2}\r\n\r\ndata: plain\n\n";
const events = [
  { event: "progress", data: '{"cost":1}' },
  { event: "solution", data: '{"a":\n2}' },
  { event: "message", data: "plain" },
];

test("events come out whole, wherever the stream is cut", () => {
  for (let cut = 0; cut <= stream.length; ++cut) {
    const parser = new EventParser();
    assert.deepEqual([...parser.push(stream.slice(0, cut)), ...parser.push(stream.slice(cut))], events, `cut at ${cut}`);
  }
});

test("letter by letter gives the same", () => {
  const parser = new EventParser();
  assert.deepEqual([...stream].flatMap((letter) => parser.push(letter)), events);
});

test("an event that has not ended is not told", () => {
  assert.deepEqual(new EventParser().push("event: solution\ndata: {}\n"), []);
});
