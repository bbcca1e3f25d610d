import assert from "node:assert/strict";
import { it } from "node:test";
import { finished, instanceOf, number, text } from "../support/acts.mjs";

async function press(page, keys) {
  for (const key of keys.split(" ")) await page.keyboard.press(key === "Space" ? " " : key);
}

/** Tab until the element has the focus, as somebody without a mouse would. */
async function tabTo(page, id) {
  for (let k = 0; k < 40; ++k) {
    if ((await page.evaluate(() => document.activeElement?.id)) === id) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach #${id}`);
}

export function keyboard(visit) {
  it("draws, moves, marks, solves and steps without a mouse", () => visit(async (page) => {
    await tabTo(page, "canvas-a");
    await press(page, "Enter Shift+ArrowRight Enter Shift+ArrowDown Enter Shift+ArrowLeft Shift+ArrowLeft Enter Shift+ArrowUp ArrowUp Enter");
    assert.match(await text(page, "say"), /^Point 4 at /);
    await press(page, "n");
    assert.match(await text(page, "say"), /^Point 0 at /);
    const before = await page.evaluate(() => document.getElementById("facts").textContent);
    await press(page, "g Shift+ArrowUp Enter");
    const after = await page.evaluate(() => document.getElementById("facts").textContent);
    assert.notEqual(after, before);
    await press(page, "p Delete");
    await page.waitForFunction(() => document.getElementById("facts").textContent === "4 points");

    await tabTo(page, "problem");
    await page.keyboard.type("Degree");
    await tabTo(page, "degree");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("2");
    await press(page, "Control+Enter");
    await finished(page);
    assert.ok(number(await text(page, "cost")) > 0);
    assert.equal(await text(page, "error"), "");

    await page.evaluate(() => document.activeElement.blur());
    await press(page, "2 s");
    await page.locator("#transport").waitFor();
    await press(page, "ArrowRight ArrowRight");
    assert.equal(await text(page, "step-count"), "3 of 3");
    await press(page, "1");
    await tabTo(page, "canvas-a");
    await press(page, "n t");
    assert.deepEqual((await instanceOf(page)).terminals, [0]);
  }));

  it("stops with Escape", () => visit(async (page) => {
    await page.fill("#n", "200");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("facts").textContent.startsWith("200"));
    await page.selectOption("#problem", "mrcst");
    await page.fill("#time", "30");
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction(() => document.getElementById("cost").textContent !== "–");
    await page.keyboard.press("Escape");
    await finished(page);
    assert.equal(await text(page, "verdict"), "stopped");
  }));

  it("lists its shortcuts, and the list closes again", () => visit(async (page) => {
    await page.keyboard.press("?");
    await page.locator("#help-dialog").waitFor();
    assert.ok((await page.locator("#shortcuts kbd").count()) > 15);
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("#help-dialog").isHidden());
  }));

  it("goes through the download menu with arrows and gives the focus back", () => visit(async (page) => {
    await page.fill("#n", "12");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("facts").textContent.startsWith("12"));
    await tabTo(page, "download").catch(() => {});
    await page.locator("#download").focus();
    await press(page, "Enter ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.what), "points.json");
    await press(page, "Escape");
    assert.equal(await page.evaluate(() => document.activeElement.id), "download");
  }));

  it("shows where the focus is, on everything that takes it", () => visit(async (page) => {
    const seen = new Set();
    for (let k = 0; k < 40; ++k) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        const style = getComputedStyle(element);
        return { id: element.id || element.dataset.tool || element.tagName, outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 };
      });
      if (at.id === "BODY") break;
      if (at.id !== "HTML") assert.ok(at.outline, `${at.id} shows no focus`);
      seen.add(at.id);
    }
    for (const id of ["theme", "help", "canvas-a", "draw", "zoom-fit", "mode-solve", "n", "kind", "generate", "open", "problem", "degree", "method", "time", "go"]) {
      assert.ok(seen.has(id), `Tab passes by ${id}`);
    }
  }));

  it("gives every control a name", () => visit(async (page) => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, canvas, [role]")]
        .filter((element) => !["option", "status", "alert"].includes(element.getAttribute("role") ?? ""))
        .filter((element) => {
          const labelled = element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") || element.labels?.length;
          return !labelled && !element.textContent.trim() && element.getAttribute("aria-hidden") !== "true";
        })
        .map((element) => element.outerHTML.slice(0, 80)));
    assert.deepEqual(nameless, []);
  }));
}
