// Answers the page's requests to api/… by engines in workers, as neuroprim serve does. The page knows only fetch.

import { Engines } from "./engines";
import type { EngineRequest, EngineResponse } from "./messages";

const engines = new Engines();

function headersOf(response: EngineResponse): HeadersInit {
  const name = response.fileName;
  return {
    "Content-Type": response.type,
    ...(name ? { "Content-Disposition": `attachment; filename="${name}"` } : {}),
  };
}

async function plainAnswer(request: EngineRequest, signal: AbortSignal | null): Promise<Response> {
  const answer = await engines.ask(request, signal, () => {});
  return new Response(answer.body as BlobPart, { status: answer.status, headers: headersOf(answer) });
}

/** A stream of events as the server sends it (docs/serve.md). */
async function streamedAnswer(request: EngineRequest, signal: AbortSignal | null): Promise<Response> {
  const encoder = new TextEncoder();
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const tell = (event: string, data: string) => {
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${data.trimEnd()}\n\n`));
        begin();
      };
      engines.ask(request, signal, (progress) => tell("progress", progress)).then(
        (answer) => {
          if (answer.status === 200) tell("solution", new TextDecoder().decode(answer.body));
          else tell("error", JSON.stringify({ ...JSON.parse(new TextDecoder().decode(answer.body)), status: answer.status }));
          controller.close();
        },
        (error) => {
          controller.error(error); // whoever reads meets it
          begin();
        },
      );
    },
  });
  await begun;
  return new Response(body, { status: 200, headers: { "Content-Type": "text/event-stream" } });
}

/** The engine draws SVG; pixels are the browser's. */
async function picture(request: EngineRequest, signal: AbortSignal | null): Promise<Response> {
  const parameters = request.parameters.map(([name, value]): [string, string] => [name, name === "format" ? "svg" : value]);
  const drawing = await plainAnswer({ ...request, parameters }, signal);
  if (!drawing.ok) return drawing;
  const url = URL.createObjectURL(await drawing.blob());
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    const scale = 2;
    [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const pixels = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    const name = drawing.headers.get("Content-Disposition")?.replace(/svg"$/, 'png"');
    return new Response(pixels, { status: 200, headers: name ? { "Content-Disposition": name } : {} });
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function unpacked(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const [first, second] = new Uint8Array(bytes);
  if (first !== 0x1f || second !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function bytesOf(body: BodyInit | null | undefined): Promise<ArrayBuffer> {
  return unpacked(await new Response(body ?? "").arrayBuffer());
}

async function answer(address: string, init: RequestInit): Promise<Response> {
  const url = new URL(address, "http://engine/");
  let body: ArrayBuffer;
  try {
    body = await bytesOf(init.body);
  } catch {
    return Response.json({ error: "the gzip file is corrupt or cut off" }, { status: 400 });
  }
  const request = { method: init.method ?? "GET", path: url.pathname, parameters: [...url.searchParams], body };
  const signal = init.signal ?? null;
  const streams = new Headers(init.headers).get("Accept") === "text/event-stream";
  if (url.pathname === "/api/write" && url.searchParams.get("format") === "png") return picture(request, signal);
  return streams ? streamedAnswer(request, signal) : plainAnswer(request, signal);
}

/** From now on what is fetched from api/… comes from here. */
export function answerLocally(): void {
  const fetchElsewhere = window.fetch.bind(window);
  window.fetch = (input, init = {}) => {
    if (typeof input !== "string" || !input.startsWith("api/")) return fetchElsewhere(input, init);
    return answer(input, init);
  };
}
