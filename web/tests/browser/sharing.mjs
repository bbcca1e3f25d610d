import assert from "node:assert/strict";
import { it } from "node:test";
import { clickAt, generate, instanceOf, text } from "../support/acts.mjs";

async function linkOf(page) {
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 10);
  return page.evaluate(() => location.hash.slice(1));
}

export function sharing(visit) {
  it("makes a link that opens the same instance and question elsewhere", async () => {
    let link, original;
    await visit(async (page, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.selectOption("#problem", "stp");
      await generate(page, 60, { seed: 9 });
      await page.fill("#time", "4");
      link = await linkOf(page);
      original = await instanceOf(page);
      await page.locator("#toast").waitFor();
      assert.match(await text(page, "toast"), /Link copied/);
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
    });
    await visit(async (page) => {
      const opened = await instanceOf(page);
      assert.deepEqual(opened.terminals, original.terminals);
      opened.points.forEach(([x, y], v) => {
        assert.ok(Math.hypot(x - original.points[v][0], y - original.points[v][1]) < 2e-5);
      });
      assert.equal(await page.inputValue("#problem"), "stp");
      assert.equal(await page.inputValue("#time"), "4");
    }, { fragment: link });
  });

  it("keeps hand-drawn points exactly", async () => {
    let link, drawn;
    await visit(async (page) => {
      for (const [x, y] of [[0.3, 0.3], [0.5, 0.62], [0.71, 0.4]]) await clickAt(page, x, y);
      drawn = await instanceOf(page);
      link = await linkOf(page);
    });
    await visit(async (page) => assert.deepEqual(await instanceOf(page), drawn), { fragment: link });
  });

  it("shows the link where copying is not allowed", () => visit(async (page) => {
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await clickAt(page, 0.5, 0.5);
    await linkOf(page);
    await page.locator("#link-dialog").waitFor();
    assert.equal(await page.inputValue("#link"), page.url());
  }));

  it("opens a link without the server", async () => {
    let link;
    await visit(async (page) => {
      await generate(page, 25);
      link = await linkOf(page);
    });
    await visit(async (page, context) => {
      await context.setOffline(true);
      await page.evaluate((link) => (location.hash = link), link);
      await page.waitForFunction(() => document.getElementById("facts").textContent === "25 points");
      assert.equal(await linkOf(page), link, "and making one needs none either");
    });
  });

  it("says so when a link is damaged", () => visit(async (page) => {
    await page.waitForFunction(() => document.getElementById("error").textContent !== "");
    assert.match(await text(page, "error"), /damaged/);
    assert.ok(await page.locator("#empty-note").isVisible());
  }, { fragment: "zAAAAnonsense" }));
}
