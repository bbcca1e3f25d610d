// A file whose format the server cannot tell: the page asks, where the command has an option.

import { byId, make, setText } from "../dom";

/** docs/formats.md has them all; the titles are as short as a list wants them. GDAL reads files, not requests. */
export const formats: Record<string, string> = {
  csv: "Table of points (CSV)",
  edges: "Table of edges (CSV)",
  json: "JSON",
  geojson: "GeoJSON",
  tsplib: "TSPLIB",
  steinlib: "SteinLib or PACE",
  graphml: "GraphML",
  "node-link": "Node-link JSON",
  mtx: "Matrix Market",
  metis: "METIS",
  osm: "OpenStreetMap (XML)",
  orlib: "OR-Library point sets",
  capmst: "OR-Library capacitated trees",
  ocst: "Lengths and requirements",
  crd: "Plain pairs x y",
  sym: "Plain triangle of weights",
  matrix: "Plain square matrix",
};

/** Whether the message advises the option that names a format. */
export function asksForFormat(message: string): boolean {
  return message.includes("--format");
}

/**
 * The server's words are the command's. On a page there are no options, but a list of formats below the message; other
 * advice that needs an option is left out, back to the sign before it.
 */
export function inWordsOfThePage(message: string): string {
  return message
    .replace(/: name it with --format( \([^)]*\))?/, ": choose it below, or open another file")
    .replace(/ \(--format [\w-]+\)/g, "")
    .replace(/: name the format$/, ": choose one below")
    .replace(/--format ([\w-]+)/g, (option, name: string) => name in formats ? `choose “${formats[name]}” below` : option)
    .replace(/ \(--[a-z-]+(, --[a-z-]+)*\)/g, "")
    .replace(/^(.*: .*?)([:;]|,( or)?) ([^:;,]* )?--[a-z][a-z-]*.*$/, "$1") // the first colon follows the file's name
    .replace(/\s*\(?--[a-z][a-z-]*\)?/g, "");
}

export class ReadAs {
  private file: { name: string; bytes: Blob } | null = null;

  constructor(read: (name: string, bytes: Blob, format: string) => void) {
    const select = byId<HTMLSelectElement>("read-format");
    for (const [name, title] of Object.entries(formats)) {
      const option = make("option", "", title);
      option.value = name;
      select.append(option);
    }
    byId("read-again").addEventListener("click", () => {
      if (this.file) read(this.file.name, this.file.bytes, select.value);
    });
  }

  offer(name: string, bytes: Blob): void {
    this.file = { name, bytes };
    setText(byId("read-as-words"), `Read ${name} as`);
    byId("read-as").hidden = false;
  }

  withdraw(): void {
    this.file = null;
    if (byId("read-as").contains(document.activeElement)) byId("open").focus();
    byId("read-as").hidden = true;
  }
}
