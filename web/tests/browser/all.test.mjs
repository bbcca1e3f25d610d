// One server and one browser serve all of these, one after the other.

import { after, before, describe } from "node:test";
import { Site } from "../support/site.mjs";
import { drawing } from "./drawing.mjs";
import { files } from "./files.mjs";
import { keyboard } from "./keyboard.mjs";
import { limits } from "./limits.mjs";
import { looks } from "./looks.mjs";
import { sharing } from "./sharing.mjs";
import { solving } from "./solving.mjs";
import { stepping } from "./stepping.mjs";
import { streets } from "./streets.mjs";

let site;
before(async () => (site = await Site.open()));
after(() => site?.close());

for (const tests of [drawing, solving, limits, streets, stepping, files, sharing, keyboard, looks]) {
  describe(tests.name, () => tests((act, options) => site.visit(act, options)));
}
