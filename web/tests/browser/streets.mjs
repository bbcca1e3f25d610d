import assert from "node:assert/strict";
import { it } from "node:test";
import { ask, colouredPixels, download, fits, picture, pixelsOf, text } from "../support/acts.mjs";
import { random } from "../support/random.mjs";

const feature = (type, coordinates, properties = {}) => ({ type: "Feature", geometry: { type, coordinates }, properties });

/** A bent grid of streets, houses beside them that want one to four lines each, an exchange, and a park. */
function town(width = 7, houses = 20) {
  const draw = random(5);
  const at = (i, j) => [8 + 0.001 * i, 47 + 0.0007 * j];
  const features = [];
  for (let i = 0; i < width; ++i) {
    for (let j = 0; j < width; ++j) {
      for (const [k, l] of [[i + 1, j], [i, j + 1]]) {
        if (k === width || l === width) continue;
        const [a, b] = [at(i, j), at(k, l)];
        const bend = [(a[0] + b[0]) / 2 + 2e-4 * (draw() - 0.5), (a[1] + b[1]) / 2 + 2e-4 * (draw() - 0.5)];
        features.push(feature("LineString", [a, bend, b]));
      }
    }
  }
  for (let k = 0; k < houses; ++k) {
    const where = [8 + 0.001 * (width - 1) * draw(), 47 + 0.0007 * (width - 1) * draw()];
    features.push(feature("Point", where, { name: `house ${k}`, demand: 1 + Math.floor(4 * draw()) }));
  }
  features.push(feature("Point", at(3, 3), { name: "exchange", root: true }));
  const [x, y] = at(1.2, 1.2);
  const ring = [[x, y], [x + 6e-4, y], [x + 6e-4, y + 4e-4], [x, y + 4e-4], [x, y]];
  features.push(feature("Polygon", [ring], { forbidden: true, name: "park" }));
  return { type: "FeatureCollection", features };
}

async function open(page, data, name = "town.geojson") {
  await page.setInputFiles("#file", { name, mimeType: "application/geo+json", buffer: Buffer.from(JSON.stringify(data)) });
  await page.waitForFunction(() => / · \d+ edges$/.test(document.getElementById("facts").textContent));
}

export function streets(visit) {
  for (const width of [1280, 400]) {
    for (const colorScheme of ["light", "dark"]) {
      it(`draws the tree along the streets of a map, on ${width} pixels in the ${colorScheme}`, () => visit(async (page) => {
        await open(page, town());
        assert.ok((await pixelsOf(page, "street")) > 300, "streets before there is a tree");
        assert.equal((await colouredPixels(page)).accent > 0, true, "addresses");
        await ask(page, 0.5);
        assert.equal(await page.inputValue("#problem"), "stp");
        assert.ok((await pixelsOf(page, "street")) > 150, "streets behind the tree");
        await fits(page, width);
        await picture(page, `streets-${width}-${colorScheme}`);
        await page.selectOption("#problem", "tree");
        await page.click("#more-title");
        await page.fill("#more-capacity", "25");
        await page.fill("#more-cables", "5=1, 12=1.6, 25=2.4");
        await ask(page, 0.5);
        assert.match(await text(page, "specification"), /cables.*at most 25 per branch of exchange/i);
        assert.match((await page.locator("#kept-limits li").allTextContents()).join(), /Capacity ≤ 25/);
        const kinds = await page.locator("#cable-list li").count();
        assert.equal(kinds, 3);
        for (let k = 0; k < kinds; ++k) assert.ok((await pixelsOf(page, `cable-${k}`)) > 50, `cable ${k}`);
        await fits(page, width);
        await picture(page, `cables-on-streets-${width}-${colorScheme}`);
      }, { viewport: { width, height: 800 }, colorScheme }));
    }
  }

  it("downloads lines that run as the streets do, with what they carry", () => visit(async (page) => {
    const data = town();
    await open(page, data);
    await ask(page, 0.5);
    const geo = JSON.parse((await download(page, "tree.geojson")).bytes);
    const lines = geo.features.filter((one) => one.geometry.type === "LineString");
    assert.ok(lines.length > 20);
    assert.ok(lines.some((line) => line.geometry.coordinates.length > 2), "bends");
    const metres = lines.reduce((sum, line) => sum + line.properties.length, 0);
    assert.ok(Math.abs(metres - geo.neuroprim.cost) < 1e-6 * metres);
    const all = data.features.reduce((sum, one) => sum + (one.properties.demand ?? 0), 0);
    const root = geo.features.find((one) => one.properties.root);
    assert.equal(root.properties.name, "exchange");
    assert.equal(root.properties.load, all, "loads are counted from the exchange");
  }));

  it("tells of a map that has faults, and refuses one that cannot be meant, by the names of its features", () => visit(async (page) => {
    const faulty = town();
    faulty.features.push(feature("LineString", [[8.1, 47], [8.101, 47]], { name: "Far Lane" }));
    await open(page, faulty);
    assert.match(await text(page, "warnings"), /Far Lane.*meets no other street/);
    const far = town();
    far.features.push(feature("Point", [8.5, 47], { name: "farm", demand: 1 }));
    await page.setInputFiles("#file", { name: "far.geojson", mimeType: "application/geo+json", buffer: Buffer.from(JSON.stringify(far)) });
    await page.waitForFunction(() => /farm.*from the nearest street/.test(document.getElementById("points-error").textContent));
  }, { mayFail: true }));
}
