// One engine in a Web Worker: a request at a time. It cannot listen while it works; whoever wants it to stop ends it.

import type { EngineRequest, EngineResponse, FromWorker } from "./messages";

/** What Emscripten makes of web/engine, as far as it is used here. */
interface Engine {
  HEAPU8: Uint8Array;
  FS: { mkdir(path: string): void; writeFile(path: string, bytes: Uint8Array): void };
  ENV: Record<string, string>;
  _malloc(size: number): number;
  _free(pointer: number): void;
  _answer(method: number, path: number, parameters: number, count: number, body: number, size: number): void;
}

interface WorkerScope {
  importScripts(url: string): void;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  loadEngine(options: object): Promise<Engine>;
}
const scope = self as unknown as WorkerScope;
const models = ["dcmst", "dcmst-3", "mrcst", "stp"];

let engine: Engine;

async function start(compiled: WebAssembly.Module): Promise<void> {
  scope.importScripts("engine.js");
  engine = await scope.loadEngine({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      void WebAssembly.instantiate(compiled, imports).then(done);
      return {};
    },
    preRun: [(module: Engine) => (module.ENV.NEUROPRIM_MODELS = "/models")],
    onProgress: (progress: string) => scope.postMessage({ progress }),
    onResponse: (response: EngineResponse) => scope.postMessage({ response }, [response.body.buffer as ArrayBuffer]),
    fetchFile,
  });
  engine.FS.mkdir("/models");
  for (const name of models) engine.FS.writeFile(`/models/${name}.safetensors`, new Uint8Array()); // there, but unread
}

/** Fills a file of the engine from the one of the same path beside this script, while the engine waits. */
function fetchFile(path: string): void {
  const request = new XMLHttpRequest();
  request.open("GET", path.slice(1), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status === 200) engine.FS.writeFile(path, new Uint8Array(request.response as ArrayBuffer));
}

function answer(request: EngineRequest): void {
  const encoder = new TextEncoder();
  const held: number[] = [];
  const place = (bytes: Uint8Array): number => {
    const pointer = engine._malloc(Math.max(bytes.length, 1));
    if (pointer === 0) throw new Error("there is not enough memory for this");
    engine.HEAPU8.set(bytes, pointer);
    held.push(pointer);
    return pointer;
  };
  const parameters = encoder.encode(request.parameters.map(([name, value]) => `${name}\0${value}\0`).join(""));
  const body = new Uint8Array(request.body);
  try {
    const method = place(encoder.encode(`${request.method}\0`));
    const path = place(encoder.encode(`${request.path}\0`));
    engine._answer(method, path, place(parameters), parameters.length, place(body), body.length);
  } finally {
    for (const pointer of held) engine._free(pointer);
  }
}

scope.onmessage = ({ data }: MessageEvent): void => {
  if (data instanceof WebAssembly.Module) {
    start(data).then(
      () => scope.postMessage({ ready: true }),
      (error) => scope.postMessage({ failure: String(error) }),
    );
    return;
  }
  try {
    answer(data as EngineRequest);
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
};
