// What visitors do and see, in words.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";

export async function text(page, id) {
  return (await page.locator(`#${id}`).textContent()).trim();
}

export function number(words) {
  return Number(words.replace(/[, %]/g, ""));
}

export async function generate(page, n, { kind = "uniform", seed = 1 } = {}) {
  await page.fill("#n", `${n}`);
  await page.selectOption("#kind", kind);
  await page.fill("#generate-seed", `${seed}`);
  const answered = page.waitForResponse(/api\/generate/);
  await page.click("#generate");
  await answered;
  await page.waitForFunction((n) => document.getElementById("facts").textContent.startsWith(n.toLocaleString("en")), n);
}

/** Asks and waits for the end of the answer. */
export async function ask(page, seconds) {
  if (seconds) await page.fill("#time", `${seconds}`);
  await page.click("#go");
  await finished(page);
}

export async function finished(page) {
  await page.waitForFunction(() => document.getElementById("go-words").textContent !== "Cancel", null, { timeout: 120_000 });
}

/** Downloads "tree.svg", "tree.json", …, "points.json": the name of the file and its bytes. */
export async function download(page, what) {
  await page.click("#download");
  const coming = page.waitForEvent("download");
  await page.click(`#formats [data-what="${what}"]`);
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

export async function instanceOf(page) {
  return JSON.parse((await download(page, "points.json")).bytes);
}

/** Pictures to look at go into the folder of this name, if there is one. */
const folder = process.env.SCREENSHOTS;

export async function picture(page, name) {
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.waitForTimeout(350);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Nothing sticks out at the sides. */
export async function fits(page, width) {
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, "nothing to scroll sideways");
  const outside = await page.evaluate((width) =>
    [...document.querySelectorAll("button, input, select, canvas, h1, p, dd, td, th")]
      .filter((element) => element.offsetParent && !element.closest(".unseen"))
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.left < -1 || box.right > width + 1);
      })
      .map((element) => element.id || element.outerHTML.slice(0, 60)), width);
  assert.deepEqual(outside, []);
}

/** Clicks on the drawing, at fractions of its width and height. */
export async function clickAt(page, x, y, options = {}) {
  const box = await page.locator("#canvas-a").boundingBox();
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  if (options.shift) await page.keyboard.down("Shift");
  await page.mouse.down({ button: options.button ?? "left" });
  await page.mouse.up({ button: options.button ?? "left" });
  if (options.shift) await page.keyboard.up("Shift");
}

export async function dragFromTo(page, from, to) {
  const box = await page.locator("#canvas-a").boundingBox();
  const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
  await page.mouse.move(...at(to));
  await page.mouse.up();
}

/** How many pixels of a canvas are of the accent's hue, and how many of the second method's, once nothing fades. */
export async function colouredPixels(page, canvas = "canvas-a") {
  return page.evaluate(async (id) => {
    const element = document.getElementById(id);
    const counts = () => {
      const { data } = element.getContext("2d").getImageData(0, 0, element.width, element.height);
      const count = { accent: 0, rival: 0 };
      for (let k = 0; k < data.length; k += 4) {
        if (data[k + 3] > 200 && data[k + 2] - data[k] > 90) ++count.accent;
        if (data[k + 3] > 200 && data[k] - data[k + 2] > 90) ++count.rival;
      }
      return count;
    };
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)));
    for (let before = null, k = 0; ; ++k) {
      await frame();
      const now = counts();
      if (k > 20 || (before && before.accent === now.accent && before.rival === now.rival)) return now;
      before = now;
    }
  }, canvas);
}

/** How many pixels of the drawing are nearly of a colour of the style sheet. */
export async function pixelsOf(page, name) {
  return page.evaluate(async (name) => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 500)));
    const style = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    const wanted = [1, 3, 5].map((k) => parseInt(style.slice(k, k + 2), 16));
    const canvas = document.getElementById("canvas-a");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) {
      if (data[k + 3] > 200 && wanted.every((value, c) => Math.abs(value - data[k + c]) < 12)) ++count;
    }
    return count;
  }, name);
}

/** Whether the edges are a tree of all n vertices with no degree above the limit. */
export function isTree(n, edges, most = Infinity) {
  const parent = Array.from({ length: n }, (_, v) => v);
  const find = (v) => (parent[v] === v ? v : (parent[v] = find(parent[v])));
  const degree = new Array(n).fill(0);
  for (const [u, v] of edges) {
    if (find(u) === find(v)) return false;
    parent[find(u)] = find(v);
    ++degree[u];
    ++degree[v];
  }
  return edges.length === n - 1 && Math.max(...degree) <= most;
}
