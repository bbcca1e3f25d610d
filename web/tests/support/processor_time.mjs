// Seconds of processor time: unlike those of a clock, they do not depend on what else the machine does.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the page's processes, its workers included, have taken so far. */
export async function takenByPages(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** What a command prints and takes; `folder` is for files on the way. */
export function run(command, words, folder) {
  const file = join(folder, "seconds");
  const out = execFileSync("bash", ["-c", 'TIMEFORMAT=%U; { time "$@" 2>&3; } 3>&2 2>"$0"', file, command, ...words]);
  return { out, seconds: Number(readFileSync(file, "utf8")) };
}
