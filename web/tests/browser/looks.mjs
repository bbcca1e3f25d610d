import assert from "node:assert/strict";
import { it } from "node:test";
import { ask, clickAt, fits, generate, picture } from "../support/acts.mjs";

/** How far two colours are apart, as the WCAG counts it. */
function contrast(a, b) {
  const light = (colour) => {
    const [r, g, b] = colour.match(/\d+(\.\d+)?/g).slice(0, 3).map((v) => Number(v) / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

const phone = { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" };

/** In the page: whether all of an element is on the screen, with nothing else on top of it. */
function inSight(element) {
  const box = element.getBoundingClientRect();
  const spots = [0.02, 0.5, 0.98].flatMap((x) => [0.04, 0.5, 0.96].map((y) => [box.left + x * box.width, box.top + y * box.height]));
  return spots.every(([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (element.contains(top) || top.contains(element) || top.closest("label")?.contains(element));
  });
}

export function looks(visit) {
  for (const width of [1280, 400]) {
    for (const colorScheme of ["light", "dark"]) {
      it(`fits ${width} pixels in the ${colorScheme}`, () => visit(async (page) => {
        await picture(page, `empty-${width}-${colorScheme}`);
        await generate(page, 60);
        await ask(page, 0.5);
        await picture(page, `solve-${width}-${colorScheme}`);
        await fits(page, width);
        await page.click("#mode-compare");
        await ask(page);
        await picture(page, `compare-${width}-${colorScheme}`);
        await fits(page, width);
        await readable(page);
        await page.click("#mode-step");
        await ask(page);
        await page.click("#next-doubt");
        await picture(page, `step-${width}-${colorScheme}`);
        await fits(page, width);
        await readable(page);
      }, { viewport: { width, height: 800 }, colorScheme }));
    }
  }

  it("gives the drawing the width of a phone, and shows the results below it at once", () => visit(async (page) => {
    await generate(page, 60);
    await page.fill("#time", "0.3");
    const { width } = page.viewportSize();
    assert.equal((await page.locator("#canvas-a").boundingBox()).width, width);
    const [left, right] = await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const canvas = document.getElementById("canvas-a");
      const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let [left, right] = [width, 0];
      for (let k = 0; k < data.length; k += 4) {
        if (data[k + 3] < 250 || data[k] > 100) continue; // dots are dark, the grid is not
        left = Math.min(left, (k / 4) % width);
        right = Math.max(right, (k / 4) % width);
      }
      return [left / devicePixelRatio, right / devicePixelRatio];
    });
    assert.ok(right - left > 0.8 * width, `points from ${left} to ${right} of ${width} pixels`);

    await page.evaluate(`window.inSight = ${inSight}`);
    await page.locator("#method-note").scrollIntoViewIfNeeded();
    await ask(page);
    await page.waitForFunction(() => document.querySelector(".stage").getBoundingClientRect().top >= 0);
    const hidden = await page.evaluate(() => ["canvas-a", "cost", "verdict", "bound", "gap", "elapsed"].filter((id) => !window.inSight(document.getElementById(id))));
    assert.deepEqual(hidden, []);
  }, phone));

  it("fits the narrowest of phones, however many fields a problem has", () => visit(async (page) => {
    await generate(page, 200);
    await page.selectOption("#problem", "hmst");
    for (const mode of ["solve", "compare", "step"]) {
      await page.click(`#mode-${mode}`);
      await fits(page, 320);
    }
  }, { ...phone, viewport: { width: 320, height: 568 } }));

  it("lets nothing lie under the button: what is scrolled to is in sight", () => visit(async (page) => {
    await generate(page, 60);
    await ask(page, 0.3);
    await page.evaluate(`window.inSight = ${inSight}`);
    for (const mode of ["solve", "compare", "step"]) {
      await page.click(`#mode-${mode}`);
      if (mode !== "solve") await ask(page);
      const covered = await page.evaluate(async () => {
        const found = [];
        for (const element of document.querySelectorAll(".panel button, .panel input, .panel select, .panel .note, .panel dd, .panel td:not(:empty), .panel li, .group button")) {
          if (!element.offsetParent || element.closest(".unseen")) continue;
          element.scrollIntoView({ block: "nearest", behavior: "instant" });
          if (!window.inSight(element)) found.push(element.id || element.outerHTML.slice(0, 60));
        }
        return found;
      });
      assert.deepEqual(covered, [], mode);
    }
  }, phone));

  it("is dark when the system is, and the other when asked, and remembers", () => visit(async (page) => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "dark");
    await page.click("#theme");
    assert.equal(await theme(), "light");
    await page.reload();
    assert.equal(await theme(), "light");
  }, { colorScheme: "dark" }));

  it("paints as many pixels as the screen has", () => visit(async (page) => {
    const [pixels, box] = await page.evaluate(() => {
      const canvas = document.getElementById("canvas-a");
      return [[canvas.width, canvas.height], [canvas.clientWidth, canvas.clientHeight]];
    });
    assert.deepEqual(pixels, box.map((length) => 2 * length));
  }, { deviceScaleFactor: 2 }));

  it("paints nothing while nothing changes", () => visit(async (page) => {
    await generate(page, 50);
    await clickAt(page, 0.5, 0.5);
    const becameStill = await page.evaluate(async () => {
      let count = 0;
      const clear = CanvasRenderingContext2D.prototype.clearRect;
      CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        ++count;
        return clear.apply(this, box);
      };
      // What is still to be painted takes as long as the machine is busy; after that nothing may come.
      for (let k = 0; k < 20; ++k) {
        const before = count;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 400)));
        if (count === before) return true;
      }
      return false;
    });
    assert.ok(becameStill);
  }));
}

async function readable(page) {
  // Colours on their way to others are not those that are read.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
  const pairs = await page.evaluate(() => {
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor;
        if (!/, 0\)$|transparent|color\(/.test(colour)) return colour;
      }
      return "rgb(255, 255, 255)";
    };
    return [...document.querySelectorAll("label, .note, .error, .wrong, .facts, dt, dd, td, th, h1, .plain, .primary, .segmented button, .alternatives span, output, .verdict")]
      .filter((element) => element.offsetParent && !element.disabled)
      .map((element) => ({ what: element.id || element.className || element.tagName, ink: getComputedStyle(element).color, ground: behind(element) }));
  });
  assert.ok(pairs.length > 10);
  for (const { what, ink, ground } of pairs) {
    assert.ok(contrast(ink, ground) >= 4.5, `${what}: ${ink} on ${ground} is ${contrast(ink, ground).toFixed(2)} to 1`);
  }
}
