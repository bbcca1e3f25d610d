import assert from "node:assert/strict";
import { it } from "node:test";
import { clickAt, dragFromTo, generate, instanceOf, text } from "../support/acts.mjs";

export function drawing(visit) {
  it("begins with one line that says what to do", () => visit(async (page) => {
    assert.equal(await text(page, "empty-note"), "Click to place points, drop a file, or generate some.");
    await clickAt(page, 0.5, 0.5);
    assert.ok(await page.locator("#empty-note").isHidden());
    assert.match(await text(page, "facts"), /Point 0 · 0\.5, 0\.5/);
  }));

  it("puts points where the clicks are, the y axis upwards", () => visit(async (page) => {
    for (const [x, y] of [[0.4, 0.4], [0.6, 0.4], [0.6, 0.7]]) await clickAt(page, x, y);
    const { points } = await instanceOf(page);
    assert.equal(points.length, 3);
    assert.ok(points[0][0] < points[1][0] && points[0][1] === points[1][1]);
    assert.ok(points[2][0] === points[1][0] && points[2][1] < points[1][1]);
  }));

  it("moves a point that is dragged, and undo brings it back", () => visit(async (page) => {
    await clickAt(page, 0.4, 0.4);
    await clickAt(page, 0.6, 0.6);
    const before = await instanceOf(page);
    await dragFromTo(page, [0.4, 0.4], [0.3, 0.7]);
    const moved = await instanceOf(page);
    assert.equal(moved.points.length, 2);
    assert.ok(moved.points[0][0] < before.points[0][0] && moved.points[0][1] < before.points[0][1]);
    assert.deepEqual(moved.points[1], before.points[1]);
    await page.keyboard.press("Control+z");
    assert.deepEqual(await instanceOf(page), before);
    await page.click("#redo");
    assert.deepEqual(await instanceOf(page), moved);
  }));

  it("removes the selected point, and what the eraser passes", () => visit(async (page) => {
    for (const x of [0.3, 0.4, 0.5, 0.6]) await clickAt(page, x, 0.5);
    await clickAt(page, 0.3, 0.5);
    await page.keyboard.press("Delete");
    assert.equal((await instanceOf(page)).points.length, 3);
    await page.click('[data-tool="erase"]');
    await clickAt(page, 0.4, 0.5);
    assert.equal((await instanceOf(page)).points.length, 2);
  }));

  it("marks terminals by shift-click, right-click and tool", () => visit(async (page) => {
    await page.selectOption("#problem", "stp");
    for (const x of [0.3, 0.4, 0.5, 0.6]) await clickAt(page, x, 0.5);
    await clickAt(page, 0.3, 0.5, { shift: true });
    await clickAt(page, 0.4, 0.5, { button: "right" });
    await page.click('[data-tool="terminal"]');
    await clickAt(page, 0.6, 0.5);
    assert.deepEqual((await instanceOf(page)).terminals, [0, 1, 3]);
    assert.match(await text(page, "problem-note"), /3 terminals/);
  }));

  it("drags the ground to pan and the wheel to zoom, and draws where the pointer is then", () => visit(async (page) => {
    await clickAt(page, 0.5, 0.5);
    await clickAt(page, 0.6, 0.5);
    await dragFromTo(page, [0.2, 0.8], [0.3, 0.8]);
    const box = await page.locator("#canvas-a").boundingBox();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(100);
    await clickAt(page, 0.6, 0.5); // on the first point, which the pan has brought here
    assert.match(await text(page, "facts"), /^Point 0/);
    assert.equal((await instanceOf(page)).points.length, 2);
    await page.keyboard.press("f");
  }));

  it("generates the same points for the same seed", () => visit(async (page) => {
    await generate(page, 40, { kind: "clustered", seed: 3 });
    const first = await instanceOf(page);
    assert.equal(first.points.length, 40);
    await generate(page, 41, { kind: "clustered", seed: 3 });
    await generate(page, 40, { kind: "clustered", seed: 3 });
    assert.deepEqual((await instanceOf(page)).points, first.points);
    await generate(page, 40, { kind: "clustered", seed: 4 });
    assert.notDeepEqual((await instanceOf(page)).points, first.points);
  }));

  it("generates as many points as the server takes, fewer where every pair has a number", () => visit(async (page) => {
    const { limits } = await page.evaluate(async () => (await fetch("/api/about")).json());
    let asked = 0;
    page.on("request", (request) => (asked += request.url().includes("api/generate") ? 1 : 0));
    await page.fill("#n", `${limits.vertices + 1}`);
    await page.click("#generate");
    assert.equal(await text(page, "n-wrong"), `Number must be a whole number from 1 to ${limits.vertices.toLocaleString("en")}`);
    assert.equal(await page.evaluate(() => document.activeElement.id), "n");
    await page.fill("#n", `${limits.matrix_vertices + 1}`);
    assert.equal(await text(page, "n-wrong"), "");
    await page.selectOption("#kind", "matrix");
    assert.equal(await text(page, "n-wrong"), `Number must be a whole number from 1 to ${limits.matrix_vertices.toLocaleString("en")}`);
    await page.click("#generate");
    await page.fill("#n", "");
    await page.click("#generate");
    assert.match(await text(page, "n-wrong"), /^Number is missing: /);
    assert.equal(asked, 0, "nothing is asked that would be refused");
    await generate(page, 5, { kind: "matrix" });
    assert.equal(asked, 1);

    // Another server, another limit.
    await page.route("**/api/about", async (route) => {
      const response = await route.fetch();
      const about = await response.json();
      await route.fulfill({ response, json: { ...about, limits: { ...about.limits, vertices: 77 } } });
    });
    await page.reload();
    await page.waitForFunction(() => document.getElementById("n-wrong").textContent.endsWith("from 1 to 77"));
  }));

  it("works by touch: a tap draws, two fingers zoom", () => visit(async (page, context) => {
    assert.match(await text(page, "empty-note"), /^Tap to place points/);
    await page.touchscreen.tap(200, 250);
    await page.touchscreen.tap(120, 300);
    assert.equal((await instanceOf(page)).points.length, 2);
    const touch = await context.newCDPSession(page);
    const fingers = (a, b) => [{ x: 200 - a, y: 250 - b, id: 1 }, { x: 200 + a, y: 250 + b, id: 2 }];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(20, 20) });
    for (const spread of [30, 45, 60]) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(spread, spread) });
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    // The point between the fingers stayed, the other one went three times as far away.
    await page.touchscreen.tap(200, 250);
    assert.match(await text(page, "facts"), /^Point 0/);
    await page.touchscreen.tap(120, 300);
    assert.equal((await instanceOf(page)).points.length, 3);
  }, { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true }));
}
