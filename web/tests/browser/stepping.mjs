import assert from "node:assert/strict";
import { it } from "node:test";
import { ask, download, generate, isTree, number, text } from "../support/acts.mjs";

export function stepping(visit) {
  it("goes through the policy's decisions, forwards and back", () => visit(async (page) => {
    await generate(page, 24);
    await page.fill("#degree", "3");
    await page.click("#mode-step");
    await ask(page);
    const counted = async (words) => {
      assert.equal(await text(page, "step-count"), words);
      assert.equal(await text(page, "chosen-words"), `decision ${words}`);
      assert.match(await page.getAttribute("#step", "aria-valuetext"), new RegExp(`^decision ${words}: `));
    };
    await counted("1 of 23");
    const first = await text(page, "chosen");
    assert.match(first, /^\d+ – \d+$/);
    await page.click("#step-on");
    await counted("2 of 23");
    assert.notEqual(await text(page, "chosen"), first);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await counted("3 of 23");
    await page.locator("#step").focus();
    await page.keyboard.press("Home");
    assert.equal(await text(page, "chosen"), first);
  }));

  it("lists the alternatives by their probability, the chosen one marked", () => visit(async (page) => {
    await generate(page, 24);
    await page.click("#mode-step");
    await ask(page);
    for (let k = 0; k < 6; ++k) {
      const rows = await page.locator("#alternatives li").evaluateAll((items) =>
        items.map((item) => ({ share: Number(item.style.getPropertyValue("--share")), chosen: item.classList.contains("chosen"), words: item.textContent })));
      assert.ok(rows.length >= 2);
      assert.ok(rows.every((row, i) => i === 0 || row.share <= rows[i - 1].share));
      assert.ok(rows.reduce((sum, row) => sum + row.share, 0) <= 1 + 1e-4);
      // Greedy decoding takes the most probable edge.
      assert.ok(rows[0].chosen && !rows[1].chosen);
      assert.ok(rows[0].words.startsWith(await text(page, "chosen")));
      await page.keyboard.press("ArrowRight");
    }
  }));

  it("draws a probable alternative brighter than an improbable one", () => visit(async (page) => {
    // Two decisions made up for the purpose: of the same two edges, once one is probable, once the other.
    const edges = [[0, 1], [0, 2]];
    const decision = (step, p) => ({ step, edge: [0, 3], probability: 0.01, entropy: 1, open_edges: 3,
      alternatives: edges.map((edge, k) => ({ edge, probability: k === 0 ? p : 1 - p })) });
    await page.route("**/api/explain", (route) => route.fulfill({ json: { start: 0, complete: true, cost: 1, steps: [decision(0, 0.9), decision(1, 0.1)] } }));
    const drop = "x,y\n0,0\n1,0\n0,1\n-1,-1\n";
    await page.setInputFiles("#file", { name: "four.csv", mimeType: "text/csv", buffer: Buffer.from(drop) });
    await page.waitForFunction(() => document.getElementById("facts").textContent.startsWith("4"));
    await page.click("#mode-step");
    await ask(page);
    const opacity = () => page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const canvas = document.getElementById("canvas-a");
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const sums = { right: 0, up: 0 }; // of how opaque bluish pixels are, right of and above the middle vertex
      const [cx, cy] = [width / 2, height / 2];
      for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) {
        const k = 4 * (y * width + x);
        if (data[k + 2] - data[k] < 60) continue;
        if (x > cx + 20 && Math.abs(y - cy) < 6) sums.right += data[k + 3];
        if (y < cy - 20 && Math.abs(x - cx) < 6) sums.up += data[k + 3];
      }
      return sums;
    });
    const before = await opacity();
    await page.click("#step-on");
    const after = await opacity();
    assert.ok(before.right > 1.5 * before.up, JSON.stringify(before));
    assert.ok(after.up > 1.5 * after.right, JSON.stringify(after));
  }));

  it("plays to the end, where the finished tree has a cost", () => visit(async (page) => {
    await generate(page, 8);
    await page.fill("#degree", "2");
    await page.click("#mode-step");
    await ask(page);
    await page.click("#step-play");
    await page.waitForFunction(() => document.getElementById("step-count").textContent === "finished");
    assert.equal(await page.getAttribute("#step-play", "aria-label"), "Play");
    assert.equal(await text(page, "chosen-words"), "finished");
    const cost = number(await text(page, "chosen"));
    const tree = JSON.parse((await download(page, "tree.json")).bytes);
    assert.ok(isTree(8, tree.edges, 2) && Math.abs(tree.cost - cost) < 1e-4 * cost);
  }));

  it("offers the problems that have a policy, and says what to do at one that has none", () => visit(async (page) => {
    const { problems, limits, parameters } = await page.evaluate(async () => (await fetch("/api/about")).json());
    const trained = problems.filter((kind) => kind.policy).map((kind) => kind.name);
    assert.ok(trained.length > 0 && trained.length < problems.length);
    const offered = () => page.locator("#problem option").evaluateAll((options) => options.filter((option) => !option.disabled).map((option) => option.value));
    const fields = parameters.map(({ name }) => name); // the page has all of them
    const known = problems.filter((kind) => kind.parameters.every((name) => fields.includes(name)));
    assert.deepEqual(await offered(), known.map((kind) => kind.name));
    await generate(page, 12);
    await page.selectOption("#problem", "mst");
    let asked = 0;
    page.on("request", (request) => (asked += request.url().includes("api/explain") ? 1 : 0));
    await page.click("#mode-step");
    assert.deepEqual(await offered(), trained);
    assert.match(await text(page, "method-note"), /^No policy was trained for this problem\. Choose Degree-constrained tree or /);
    await page.click("#go");
    assert.match(await text(page, "error"), /^No policy was trained/);
    assert.equal(asked, 0);
    await page.selectOption("#problem", "dcmst");
    assert.equal(await text(page, "error"), "");
    await generate(page, limits.explain_vertices + 1);
    await page.click("#go");
    assert.match(await text(page, "error"), new RegExp(`${limits.explain_vertices} points at most.*${limits.explain_vertices + 1} points`));
    assert.equal(asked, 0);
  }));

  it("jumps to the decisions that were not clear", () => visit(async (page) => {
    await generate(page, 40);
    await page.selectOption("#problem", "mrcst");  // routing trees are never clear from beginning to end
    await page.click("#mode-step");
    await ask(page);
    await page.click("#next-doubt");
    assert.ok(number(await text(page, "chosen-probability")) < 80);
    assert.ok((await page.locator("#entropies rect").count()) === 39);
  }));
}
