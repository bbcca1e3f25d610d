// A server and a browser for all tests, and a fresh page for each. NEUROPRIM names the command whose server it is, or a
// folder with the page without a server, which Python then serves.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export class Site {
  static async open() {
    const site = new Site();
    const { CHROMIUM: executablePath, NEUROPRIM: neuroprim } = process.env;
    assert.ok(executablePath && neuroprim, "web/test.sh browser sets CHROMIUM and NEUROPRIM");
    site.static = statSync(neuroprim).isDirectory();
    const [program, ...words] = site.static
      ? ["python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", neuroprim, "0"]
      : [neuroprim, "serve", "--port", "0"];
    site.server = spawn(program, words, { stdio: ["ignore", "pipe", site.static ? "ignore" : "inherit"] });
    site.address = await firstAddress(site.server);
    // Root has no sandbox to use, and containers often no /dev/shm to speak of.
    const args = ["--disable-dev-shm-usage", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])];
    site.browser = await chromium.launch({ executablePath, args });
    return site;
  }

  async close() {
    await this.browser?.close();
    this.server?.kill("SIGINT");
  }

  /** Does something on a fresh page; any error in the page and any request to elsewhere fail the test. */
  async visit(act, { fragment = "", mayFail = false, ...options } = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
    context.setDefaultTimeout(60_000); // nothing takes that long, but on a busy machine
    const page = await context.newPage();
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(`error in the page: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !mayFail) troubles.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.address) && !/^(data|blob):/.test(url)) troubles.push(`request to ${url}`);
    });
    try {
      await page.goto(`${this.address}/#${fragment}`);
      await page.locator("#problem option[value=mst]").waitFor({ state: "attached" });
      await act(page, context);
      assert.deepEqual(troubles, []);
    } finally {
      await context.close();
    }
  }
}

async function firstAddress(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const found = /https?:\/\/[^\s/]+/.exec(line);
    if (found) return found[0];
  }
  throw new Error("the server ended before it told its address");
}
