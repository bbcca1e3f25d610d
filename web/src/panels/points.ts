// Where points come from besides the hand: a generator, a file, something dropped or pasted.

import * as api from "../api/client";
import { byId, isTyping, make, setText } from "../dom";
import { count } from "../format";
import type { Editor } from "../model/editor";
import { mostPoints } from "../model/question";
import type { AppStore } from "../model/state";
import { firstWrong, NumberField } from "./number_field";
import { asksForFormat, inWordsOfThePage, ReadAs } from "./read_as";

function showWarnings(warnings: string[]): void {
  byId("warnings").replaceChildren(...warnings.map((words) => make("li", "", words)));
}

export class PointsPanel {
  private readonly number = new NumberField("n");
  private readonly seed = new NumberField("generate-seed");
  private readonly kind = byId<HTMLSelectElement>("kind");
  private readonly readAs = new ReadAs((name, bytes, format) => void this.read(name, bytes, format));

  constructor(
    private readonly store: AppStore,
    private readonly editor: Editor,
    private readonly say: (words: string) => void,
  ) {
    byId("points-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.generate();
    });
    const file = byId<HTMLInputElement>("file");
    byId("open").addEventListener("click", () => file.click());
    file.addEventListener("change", () => {
      const chosen = file.files?.[0];
      if (chosen) void this.read(chosen.name, chosen);
      file.value = ""; // so that the same file can be opened again
    });
    byId("clear").addEventListener("click", () => editor.clear());
    this.acceptDrops();
    this.kind.addEventListener("change", () => this.keepToLimit());
    store.watch((now, before) => {
      setText(byId("points-error"), now.pointsError);
      if (now.warnings !== before.warnings) showWarnings(now.warnings);
      if (now.about !== before.about || now.asked.problem !== before.asked.problem) this.keepToLimit();
      // Whatever takes the complaint away takes the question about the file with it.
      if (now.pointsError === "" && before.pointsError !== "") this.readAs.withdraw();
    });
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!isTyping(event.target) && text.trim() !== "") void this.read("pasted.txt", new Blob([text]));
    });
  }

  /** As many points as the server takes, which are fewer where every pair has a number. */
  private keepToLimit(): void {
    const { asked, about } = this.store.get();
    if (about) this.number.setMax(mostPoints(this.kind.value, asked.problem, about));
    this.number.mark();
  }

  private async trying(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.store.set({ pointsError: inWordsOfThePage(error instanceof Error ? error.message : String(error)) });
    }
  }

  private generate(): Promise<void> {
    return this.trying(async () => {
      if (firstWrong([this.number, this.seed])) return;
      const [n, seed] = [this.number.value, this.seed.value];
      const { problem } = this.store.get().asked;
      const wish: api.Generate = { n, kind: this.kind.value, seed };
      if (problem === "stp") wish.terminals = Math.min(n, Math.max(2, Math.round(n / 4)));
      if (problem === "ocst") wish.requirements = true;
      this.editor.replace(await api.generate(wish));
      this.say(`${count(n, "point")} generated`);
    });
  }

  private read(name: string, bytes: Blob, named = ""): Promise<void> {
    if (named === "") this.readAs.withdraw();
    return this.trying(async () => {
      const { instance, format, problem, warnings } = await api.readFile(name, bytes, named).catch((error: Error) => {
        if (asksForFormat(error.message)) this.readAs.offer(name, bytes);
        throw error;
      });
      this.editor.replace(instance, warnings.map(inWordsOfThePage));
      // A file of bare points fits any problem; one with terminals or limits was made for its own.
      if (problem && problem !== "mst") this.store.set({ asked: { ...this.store.get().asked, problem } });
      this.say(`${name}: ${count(this.store.get().instance.points.length, "vertex", "vertices")}, read as ${format}`);
    });
  }

  private acceptDrops(): void {
    const note = byId("drop-note");
    let inside = 0; // enter and leave come for every element on the way
    document.addEventListener("dragenter", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      ++inside;
      note.hidden = false;
    });
    document.addEventListener("dragleave", () => {
      inside = Math.max(0, inside - 1);
      if (inside === 0) note.hidden = true;
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      inside = 0;
      note.hidden = true;
      const dropped = event.dataTransfer?.files[0];
      if (dropped) void this.read(dropped.name, dropped);
    });
  }
}
