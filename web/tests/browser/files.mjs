import assert from "node:assert/strict";
import { it } from "node:test";
import { ask, clickAt, download, generate, instanceOf, text } from "../support/acts.mjs";

const campus = "name,x,y,terminal\ngate,12,8,1\nlibrary,34,22,1\ncanteen,41,35,0\nmuseum,15,70,1\n";

async function drop(page, name, content) {
  const data = await page.evaluateHandle(([name, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], name));
    return transfer;
  }, [name, content]);
  await page.dispatchEvent("#canvas-a", "dragenter", { dataTransfer: data });
  assert.ok(await page.locator("#drop-note").isVisible());
  await page.dispatchEvent("#canvas-a", "drop", { dataTransfer: data });
}

export function files(visit) {
  it("opens a file that is dropped, with names and terminals", () => visit(async (page) => {
    await drop(page, "campus.csv", campus);
    await page.waitForFunction(() => document.getElementById("facts").textContent === "4 points · 3 terminals");
    assert.ok(await page.locator("#drop-note").isHidden());
    assert.equal(await page.inputValue("#problem"), "stp");
    const { names, points, terminals } = await instanceOf(page);
    assert.deepEqual(names, ["gate", "library", "canteen", "museum"]);
    assert.deepEqual(points[1], [34, 22]);
    assert.deepEqual(terminals, [0, 1, 3]);
    await ask(page, 0.3);
    assert.equal(await text(page, "error"), "");
    await clickAt(page, 0.02, 0.98); // beside all points: nothing is selected that a name would be shown of
  }));

  it("opens a file that is chosen, TSPLIB too", () => visit(async (page) => {
    const tsp = "NAME : three\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 3 4\nEOF\n";
    await page.setInputFiles("#file", { name: "three.tsp", mimeType: "text/plain", buffer: Buffer.from(tsp) });
    await page.waitForFunction(() => document.getElementById("facts").textContent === "3 points");
    assert.match(await text(page, "say"), /three\.tsp: 3 vertices, read as tsplib/i);
    await page.selectOption("#problem", "mst");
    await ask(page, 0.3);
    assert.equal(await text(page, "cost"), "7");
  }));

  it("takes points that are pasted", () => visit(async (page) => {
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "x,y\n0,0\n2,0\n2,2\n0,2\n1,1\n");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    });
    await page.waitForFunction(() => document.getElementById("facts").textContent === "5 points");
  }));

  it("says what is wrong with a file and where, and keeps the points there were", () => visit(async (page) => {
    await generate(page, 9);
    await drop(page, "points.csv", "x,y\n1,2\n3,abc\n");
    await page.waitForFunction(() => document.getElementById("points-error").textContent !== "");
    assert.match(await text(page, "points-error"), /points\.csv:3.*abc/);
    assert.equal((await instanceOf(page)).points.length, 9);
    await generate(page, 10);
    assert.equal(await text(page, "points-error"), "", "what is mended is not complained about");
  }, { mayFail: true }));

  it("shows what the reader warned of, until other points come", () => visit(async (page) => {
    const lines = ["SECTION Graph", "Nodes 2", "Edges 1", "E 1 2 3", "END", "SECTION Strange", "X 1", "END", "EOF", ""];
    await drop(page, "strange.stp", lines.join("\n"));
    await page.waitForFunction(() => document.querySelectorAll("#warnings li").length === 1);
    assert.match(await text(page, "warnings"), /Strange/);
    await generate(page, 5);
    assert.equal(await text(page, "warnings"), "");
  }));

  it("lets the visitor choose the format that a file's content does not tell", () => visit(async (page) => {
    const refused = page.waitForResponse(/api\/read/);
    await drop(page, "notes.txt", "Dear diary,\ntoday was a day.\n");
    await refused;
    await page.locator("#read-as").waitFor();
    const said = await text(page, "points-error");
    assert.match(said, /notes\.txt.*choose it below, or open another file/);
    assert.ok(!said.includes("--"), `no options on a page: ${said}`);
    assert.match(await text(page, "read-as-words"), /notes\.txt/);

    // Six numbers are three points, or the weights between four.
    await drop(page, "numbers.txt", "1 2 3 4 5 6\n");
    await page.waitForFunction(() => document.getElementById("points-error").textContent.includes("numbers.txt"));
    assert.ok(!(await text(page, "points-error")).includes("--"), await text(page, "points-error"));
    await page.selectOption("#read-format", "crd");
    await page.click("#read-again");
    await page.waitForFunction(() => document.getElementById("facts").textContent === "3 points");
    assert.ok(await page.locator("#read-as").isHidden());
    assert.equal(await text(page, "points-error"), "");
    assert.equal(await page.evaluate(() => document.activeElement.id), "open", "the focus stays near");
  }, { mayFail: true }));

  it("offers the formats that the server reads", () => visit(async (page) => {
    const offered = await page.locator("#read-format option").evaluateAll((options) => options.map((option) => option.value));
    const { error } = await page.evaluate(async () => (await fetch("/api/read?name=a&format=none", { method: "POST", body: "1" })).json());
    const read = error.replace(/^.*expected one of /, "").split(", ");
    assert.deepEqual(offered.sort(), read.filter((format) => format !== "gdal").sort());
  }, { mayFail: true }));

  it("downloads the tree in every format", () => visit(async (page) => {
    await generate(page, 30);
    await page.click("#download");
    assert.ok(await page.locator('#formats [data-what="tree.svg"]').isDisabled(), "no tree yet");
    await page.keyboard.press("Escape");
    await ask(page, 0.3);

    const svg = await download(page, "tree.svg");
    assert.match(svg.name, /\.svg$/);
    assert.match(svg.bytes.toString(), /^<svg[\s\S]*<\/svg>\s*$/);
    assert.ok(svg.bytes.toString().match(/<circle/g).length >= 30);

    const png = (await download(page, "tree.png")).bytes;
    assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
    assert.ok(png.length > 2000);

    const json = JSON.parse((await download(page, "tree.json")).bytes);
    assert.equal(json.edges.length, 29);
    assert.equal(json.problem, "dcmst");

    const geo = JSON.parse((await download(page, "tree.geojson")).bytes);
    const kinds = geo.features.map((feature) => feature.geometry.type);
    assert.equal(kinds.filter((kind) => kind === "LineString").length, 29);
    assert.equal(kinds.filter((kind) => kind === "Point").length, 30);

    const csv = (await download(page, "tree.csv")).bytes.toString().trim().split("\n");
    assert.ok(csv.length >= 30, `${csv.length} lines`);
  }));
}
