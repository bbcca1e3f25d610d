import assert from "node:assert/strict";
import { it } from "node:test";
import { ask, generate, pixelsOf, text } from "../support/acts.mjs";

async function fill(page, fields) {
  for (const [name, value] of Object.entries(fields)) await page.fill(`#more-${name}`, value);
}

export function limits(visit) {
  for (const colorScheme of ["light", "dark"]) {
    it(`says what the tree is, and shows where its limits bind, in the ${colorScheme}`, () => visit(async (page) => {
      await generate(page, 40);
      await page.selectOption("#problem", "tree");
      await page.click("#more-title");
      await fill(page, { hops: "5", capacity: "15", root: "0" });
      assert.equal(await text(page, "more-title"), "More limits (3)");
      assert.equal(await pixelsOf(page, "limit"), 0);
      await ask(page, 0.5);
      assert.equal(await text(page, "specification"), "Shortest tree, at most 5 hops from 0, at most 15 per branch of 0.");
      const kept = await page.locator("#kept-limits li").allTextContents();
      assert.match(kept[0], /^Hops ≤ 5: (reached at \d+ of 40 points|not reached)$/);
      assert.match(kept[1], /^Capacity ≤ 15: \d+ of \d+ branches full, the largest carries \d+$/);
      assert.ok((await pixelsOf(page, "limit")) > 20, "rings");
      await page.fill("#more-hops", "6");
      assert.equal(await page.locator("#kept-limits li").count(), 0, "of an old tree nothing is said");
      assert.equal(await pixelsOf(page, "limit"), 0);
    }, { colorScheme }));
  }

  it("draws cables in their colours, and lists what each is used for", () => visit(async (page) => {
    await generate(page, 40);
    await page.selectOption("#problem", "cables");
    await page.locator("#more-cables").waitFor();
    await fill(page, { cables: "3=1, 40=2", demands: "3=5, 4=2" });
    await ask(page, 0.5);
    const lines = await page.locator("#cable-list li").allTextContents();
    assert.equal(lines.length, 2);
    const edges = lines.map((line) => Number(/: (\d+) edge/.exec(line)[1]));
    assert.equal(edges[0] + edges[1], 39);
    for (const name of ["cable-0", "cable-1"]) assert.ok((await pixelsOf(page, name)) > 100, name);
    assert.equal(await pixelsOf(page, "cable-2"), 0);
  }));

  it("says why no tree keeps the limits, what to change, and where", () => visit(async (page) => {
    await generate(page, 40);
    await page.selectOption("#problem", "tree");
    await page.click("#more-title");
    await fill(page, { degree: "2", hops: "3", root: "0" });
    await page.click("#go");
    await page.waitForFunction(() => document.getElementById("error").textContent !== "");
    assert.match(await text(page, "error"), /^No such tree: a tree with degree ≤ 2 and hops ≤ 3 holds at most 7 vertices, 40 must be in\. Change degree or hops\.$/);
    assert.equal(await text(page, "verdict"), "no tree");
    await page.waitForFunction(() => {
      const [error, panel] = [document.getElementById("error"), document.querySelector(".panel")].map((e) => e.getBoundingClientRect());
      return error.bottom <= panel.bottom + 1; // scrolled into sight
    });
    await fill(page, { degree: "", hops: "", length: "0.1" });
    await page.click("#go");
    await page.waitForFunction(() => /shortest way/.test(document.getElementById("error").textContent));
    const vertex = /vertex (\d+)/.exec(await text(page, "error"))[1];
    assert.match(await text(page, "facts"), new RegExp(`^Point ${vertex} · `));
  }, { mayFail: true }));

  it("draws the graph behind its tree, and tells of a vertex where it stands", () => visit(async (page) => {
    const n = 5;
    const file = { n: n * n, edges: [], layout: [] };
    for (let v = 0; v < n * n; ++v) {
      file.layout.push([v % n, Math.floor(v / n)]);
      if (v % n > 0) file.edges.push([v - 1, v, 1 + (v % 3)]);
      if (v >= n) file.edges.push([v - n, v, 1 + (v % 4)]);
    }
    await page.setInputFiles("#file", { name: "streets.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file)) });
    await page.waitForFunction(() => document.getElementById("facts").textContent === "25 vertices · 40 edges");
    assert.ok((await pixelsOf(page, "street")) > 500);
    await page.selectOption("#problem", "hmst");
    await page.fill("#hops", "12");
    await ask(page, 0.3);
    await page.focus("#canvas-a");
    await page.keyboard.press("n");
    assert.match(await text(page, "facts"), / · degree \d · (root|\d+ hops? · way \d+)/);
  }));
}
