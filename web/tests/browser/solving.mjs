import assert from "node:assert/strict";
import { it } from "node:test";
import { ask, clickAt, colouredPixels, download, finished, generate, isTree, number, text } from "../support/acts.mjs";

export function solving(visit) {
  it("shows a tree that improves while the search runs, its cost, bound and gap", () => visit(async (page) => {
    await generate(page, 120);
    await page.fill("#degree", "2"); // paths are hard enough to be improved on
    await page.fill("#time", "60"); // a busy machine takes long to prove a bound; a quick one is stopped below
    await page.evaluate(() => {
      window.costs = [];
      const cost = document.getElementById("cost");
      new MutationObserver(() => window.costs.push(cost.textContent)).observe(cost, { childList: true, characterData: true, subtree: true });
    });
    await page.click("#go");
    await page.waitForFunction(() => document.getElementById("cost").textContent !== "–");
    assert.ok((await colouredPixels(page)).accent > 500, "the tree is drawn before the end");
    await page.waitForFunction(() => window.costs.length >= 2 && document.getElementById("bound").textContent !== "–", null, { timeout: 60_000 });
    await page.keyboard.press("Escape");
    await finished(page);
    const costs = (await page.evaluate(() => window.costs)).map(number).filter(Number.isFinite);
    assert.ok(costs.length >= 2, `${costs.length} costs were shown`);
    assert.ok(costs.every((cost, k) => k === 0 || cost <= costs[k - 1] * (1 + 1e-5)), `costs ${costs}`);
    const [cost, bound, gap] = [number(await text(page, "cost")), number(await text(page, "bound")), number(await text(page, "gap"))];
    assert.ok(bound <= cost * (1 + 1e-5));
    assert.ok(Math.abs(gap - (100 * (cost - bound)) / bound) < 0.02 * Math.max(1, gap), `gap ${gap} of ${cost} over ${bound}`);
    assert.ok((await page.locator("#chart .cost-line").getAttribute("d")).length > 10);
    // The values on the axis are those of the curve: the dot at its end lies where the cost does.
    const labels = await page.locator("#chart text.value").evaluateAll((all) => all.map((label) => [label.textContent, Number(label.getAttribute("y")) - 4]));
    assert.ok(labels.length >= 2, `${labels}`);
    const [[low, lowY], [high, highY]] = [labels[0], labels.at(-1)].map(([words, y]) => [number(words), y]);
    const dot = Number(await page.locator("#chart .end").getAttribute("cy"));
    const read = low + ((high - low) * (lowY - dot)) / (lowY - highY);
    assert.ok(Math.abs(read - cost) < 0.01 * (high - low), `${read} is read from the chart, the cost is ${cost}`);
    const tree = JSON.parse((await download(page, "tree.json")).bytes);
    assert.ok(isTree(120, tree.edges, 2));
    assert.ok(Math.abs(tree.cost - cost) < 1e-4 * cost);
  }));

  it("keeps to the degree that is asked for", () => visit(async (page) => {
    await generate(page, 60);
    await page.fill("#degree", "2");
    await ask(page, 0.5);
    assert.ok(isTree(60, JSON.parse((await download(page, "tree.json")).bytes).edges, 2));
  }));

  it("cancels: the server stops, the best tree stays", () => visit(async (page) => {
    await generate(page, 250);
    await page.selectOption("#problem", "mrcst");
    await page.fill("#time", "30");
    await page.click("#go");
    await page.waitForFunction(() => document.getElementById("cost").textContent !== "–");
    const health = () => page.evaluate(async () => (await fetch("/api/health")).json());
    assert.equal((await health()).running, 1);
    await page.click("#go");
    assert.equal(await text(page, "go-words"), "Solve");
    await page.waitForFunction(() => document.getElementById("verdict").textContent === "stopped");
    assert.ok(number(await text(page, "cost")) > 0);
    for (let k = 0; k < 30 && (await health()).running > 0; ++k) await page.waitForTimeout(100);
    assert.equal((await health()).running, 0);
  }));

  it("stops a search whose points change, and says that the tree is old", () => visit(async (page) => {
    await generate(page, 100);
    await page.selectOption("#problem", "mrcst");
    await page.fill("#time", "30");
    await page.click("#go");
    await page.waitForFunction(() => document.getElementById("cost").textContent !== "–");
    await clickAt(page, 0.03, 0.5);
    await finished(page);
    assert.equal(await text(page, "verdict"), "points have changed");
  }));

  it("says what has changed since the tree was found, and nothing once it is as it was", () => visit(async (page) => {
    await generate(page, 30);
    await page.fill("#degree", "3");
    await ask(page, 0.3);
    const verdict = await text(page, "verdict");
    await page.selectOption("#problem", "mst");
    assert.equal(await text(page, "verdict"), "problem has changed");
    await page.selectOption("#problem", "dcmst");
    assert.equal(await text(page, "verdict"), verdict);
    await page.fill("#degree", "4");
    assert.equal(await text(page, "verdict"), "degree has changed");
    await page.fill("#degree", "3");
    assert.equal(await text(page, "verdict"), verdict);
    await clickAt(page, 0.03, 0.5);
    assert.equal(await text(page, "verdict"), "points have changed");
  }));

  it("stops a search whose question changes", () => visit(async (page) => {
    await generate(page, 100);
    await page.selectOption("#problem", "mrcst");
    await page.fill("#time", "30");
    await page.click("#go");
    await page.waitForFunction(() => document.getElementById("cost").textContent !== "–");
    await page.selectOption("#problem", "dcmst");
    assert.equal(await text(page, "go-words"), "Solve");
    assert.equal(await text(page, "verdict"), "problem has changed");
  }));

  it("finds a Steiner tree of the terminals and a tree of few hops", () => visit(async (page) => {
    await page.selectOption("#problem", "stp");
    await generate(page, 40);
    await ask(page, 0.5);
    const terminals = JSON.parse((await download(page, "points.json")).bytes).terminals;
    const edges = JSON.parse((await download(page, "tree.json")).bytes).edges;
    const inside = new Set(edges.flat());
    assert.ok(terminals.length >= 2 && terminals.every((t) => inside.has(t)));
    await page.selectOption("#problem", "hmst");
    await page.fill("#hops", "2");
    await page.fill("#root", "5");
    await ask(page);
    const hops = JSON.parse((await download(page, "tree.json")).bytes).edges;
    const near = new Set(hops.filter((edge) => edge.includes(5)).flat());
    assert.ok(isTree(40, hops) && hops.every(([u, v]) => near.has(u) || near.has(v)));
  }));

  it("has a field for every limit that the server knows, and asks for several together", () => visit(async (page) => {
    const { parameters } = await page.evaluate(async () => (await fetch("/api/about")).json());
    const elsewhere = ["problem", "terminals", "requirements", "metric"]; // on the drawing, in files
    const names = parameters.filter(({ name, group }) => ["limits", "vertices"].includes(group) && !elsewhere.includes(name)).map(({ name }) => name);
    assert.deepEqual(await page.locator("#more-fields input").evaluateAll((inputs) => inputs.map(({ id }) => id.replace("more-", ""))), names);
    await page.selectOption("#problem", "tree");
    await generate(page, 25);
    await page.click("#more-title");
    for (const [name, value] of [["degree", "4"], ["hops", "4"], ["capacity", "8"], ["root", "7"], ["exclude_edges", "0-1, 2-3"]]) {
      await page.fill(`#more-${name}`, value);
    }
    await ask(page, 0.5);
    const { edges, problem } = JSON.parse((await download(page, "tree.json")).bytes);
    assert.equal(problem, "tree");
    assert.ok(isTree(25, edges, 4));
    const below = (v, from) => edges.filter((edge) => edge.includes(v)).flatMap(([a, b]) => (a === v ? [b] : [a])).filter((u) => u !== from);
    const size = (v, from) => 1 + below(v, from).reduce((sum, u) => sum + size(u, v), 0);
    const height = (v, from) => Math.max(0, ...below(v, from).map((u) => 1 + height(u, v)));
    assert.ok(height(7, -1) <= 4 && below(7, -1).every((branch) => size(branch, 7) <= 8));
    await page.fill("#more-hops", "3");
    assert.equal(await text(page, "verdict"), "hops have changed");
    await page.fill("#more-hops", "few");
    assert.equal(await text(page, "more-wrong"), "Hops: expected a whole number, 1 or more, found few");
    await page.click("#go");
    assert.equal(await page.evaluate(() => document.activeElement.id), "more-hops");
  }));

  it("says what a problem of limits misses", () => visit(async (page) => {
    await generate(page, 20);
    await page.selectOption("#problem", "cmst");
    await page.click("#go");
    assert.match(await text(page, "error"), /^Capacity is missing: The most demand behind an edge of the root/);
    await page.fill("#more-capacity", "6");
    await ask(page, 0.3);
    const { edges, problem } = JSON.parse((await download(page, "tree.json")).bytes);
    assert.ok(problem === "cmst" && isTree(20, edges));
  }));

  it("lays out a graph that has no positions by its tree", () => visit(async (page) => {
    await page.selectOption("#problem", "mst");
    await generate(page, 30, { kind: "sparse" });
    const before = JSON.parse((await download(page, "points.json")).bytes).layout;
    await ask(page, 0.3);
    const after = JSON.parse((await download(page, "points.json")).bytes).layout;
    assert.equal(after.length, 30);
    assert.notDeepEqual(after, before);
    assert.equal(await text(page, "verdict"), "optimal, proven");
  }));

  it("offers the methods that fit the problem", () => visit(async (page) => {
    const offered = () => page.locator("#method option").evaluateAll((options) => options.map((option) => option.value));
    assert.ok((await offered()).includes("farthest-insertion"));
    await page.selectOption("#method", "farthest-insertion");
    await page.selectOption("#problem", "mrcst");
    assert.ok(!(await offered()).includes("farthest-insertion"));
    assert.equal(await page.inputValue("#method"), "search");
  }));

  it("compares two methods side by side on the same points", () => visit(async (page) => {
    await generate(page, 80);
    await page.fill("#degree", "2");
    await page.click("#mode-compare");
    await page.selectOption("#rival-a", "farthest-insertion");
    await page.selectOption("#rival-b", "search");
    await page.fill("#time", "1");
    await page.click("#go");
    await finished(page);
    assert.ok(await page.locator("#canvas-b").isVisible());
    const [a, b] = (await page.locator("#duel tr:first-child td").allTextContents()).map(number);
    assert.ok(b <= a, `search ${b}, insertion ${a}`);
    assert.match(await text(page, "caption-a"), /Farthest insertion/);
    assert.match(await text(page, "caption-b"), /Search/);
    assert.match(await text(page, "duel-note"), b < a ? /Search is .* cheaper\. \d+ edges in both/ : /same/);
    assert.equal((await page.locator("#duel-chart path").count()) >= 2, true);
    // The one to take home is the cheaper.
    assert.ok(Math.abs(JSON.parse((await download(page, "tree.json")).bytes).cost - b) < 1e-4 * b);
  }));

  it("gives each of two methods a colour: on its tree, in the table and in the chart", () => visit(async (page) => {
    // Two answers made up for the purpose, so that the trees differ for sure.
    const trees = { search: [[0, 1], [1, 2], [2, 3]], greedy: [[0, 1], [0, 2], [0, 3]] };
    await page.route("**/api/solve", (route) => {
      const { method } = route.request().postDataJSON();
      const solution = { problem: "dcmst", cost: 3, bound: null, gap_percent: null, proven_optimal: false, seconds: 0.1, method, found_by: method, edges: trees[method] };
      return route.fulfill({ contentType: "text/event-stream", body: `event: solution\ndata: ${JSON.stringify(solution)}\n\n` });
    });
    await page.setInputFiles("#file", { name: "four.csv", mimeType: "text/csv", buffer: Buffer.from("x,y\n0,0\n1,0\n1,1\n0,1\n") });
    await page.waitForFunction(() => document.getElementById("facts").textContent.startsWith("4"));
    await page.click("#mode-compare");
    await ask(page);
    const [first, second] = [await colouredPixels(page, "canvas-a"), await colouredPixels(page, "canvas-b")];
    assert.ok(first.accent > 50 && first.rival === 0, JSON.stringify(first));
    assert.ok(second.rival > 50 && second.accent === 0, JSON.stringify(second));
    const seen = await page.evaluate(() => {
      const dot = (id) => getComputedStyle(document.getElementById(id), "::before").backgroundColor;
      const line = (kind) => getComputedStyle(document.querySelector(`#duel-chart .${kind}`)).stroke;
      return { dots: [dot("duel-a"), dot("duel-b")], lines: [line("cost-line"), line("rival-line")] };
    });
    assert.deepEqual(seen.dots, seen.lines);
    assert.notEqual(seen.dots[0], seen.dots[1]);
  }));

  it("says next to the button why there is no answer, and what to do", () => visit(async (page) => {
    await page.click("#go");
    assert.match(await text(page, "error"), /no points yet/);
    await generate(page, 12);
    await page.selectOption("#problem", "stp");
    await ask(page);
    assert.match(await text(page, "error"), /need terminals\. Mark them/);
    await page.selectOption("#problem", "ocst");
    await ask(page);
    assert.match(await text(page, "error"), /traffic.*press Generate/);
    await page.selectOption("#problem", "dcmst");
    assert.equal(await text(page, "error"), "");
    await page.fill("#degree", "0");
    await page.click("#go");
    assert.match(await text(page, "error"), /Degree/);
    await page.fill("#degree", "1"); // which only the server finds impossible
    await ask(page);
    assert.match(await text(page, "error"), /degree/i);
    assert.equal(await text(page, "verdict"), "no tree");
  }, { mayFail: true }));

  it("does not make up a degree that is missing: the field says so, and nothing is asked", () => visit(async (page) => {
    await generate(page, 12);
    let asked = 0;
    page.on("request", (request) => (asked += request.url().includes("api/solve") ? 1 : 0));
    await page.fill("#degree", "");
    assert.equal(await text(page, "degree-wrong"), "Degree is missing: a whole number, 1 or more");
    assert.equal(await page.getAttribute("#degree", "aria-invalid"), "true");
    await page.click("#mode-compare");
    await page.click("#mode-solve");
    assert.equal(await page.inputValue("#degree"), "", "the field stays as it was left");
    await page.click("#go");
    assert.equal(await text(page, "error"), "Degree is missing: a whole number, 1 or more");
    assert.equal(await page.evaluate(() => document.activeElement.id), "degree");
    await page.fill("#degree", "2.5");
    assert.equal(await text(page, "degree-wrong"), "Degree must be a whole number, 1 or more");
    await page.keyboard.press("Control+Enter");
    assert.equal(asked, 0);
    await page.selectOption("#problem", "mst");
    assert.equal(await text(page, "degree-wrong"), "", "a problem without a degree does not miss it");
    await page.selectOption("#problem", "dcmst");
    await page.fill("#degree", "3");
    assert.equal(await text(page, "degree-wrong") + await text(page, "error"), "");
    await ask(page, 0.3);
    assert.equal(asked, 1);
    assert.equal(await page.getAttribute("#degree", "aria-invalid"), "false");
  }));

  it("tells a busy server from one that is gone", () => visit(async (page) => {
    await generate(page, 12);
    await page.route("**/api/solve", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "3" }, json: { error: "all places are taken" } }));
    await ask(page);
    assert.equal(await text(page, "error"), "all places are taken (try again in 3 s)");
    await page.unroute("**/api/solve");
    await page.route("**/api/solve", (route) => route.abort());
    await ask(page);
    assert.match(await text(page, "error"), /does not answer/);
  }, { mayFail: true }));
}
