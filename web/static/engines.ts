// The engines at work, a worker each. One is started ahead, so that a question after an aborted one does not wait.

import type { EngineRequest, EngineResponse, FromWorker } from "./messages";

class EngineWorker {
  private readonly worker = new Worker("worker.js");
  private readonly ready: Promise<void>;
  private hear: (message: FromWorker) => void = () => {};

  constructor(compiled: Promise<WebAssembly.Module>) {
    this.ready = new Promise((resolve, reject) => {
      this.hear = (message) => ("ready" in message ? resolve() : reject(new Error(JSON.stringify(message))));
    });
    this.ready.catch(() => {}); // told to whoever asks
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = (event) => this.hear({ failure: event.message || "the engine cannot be loaded" });
    void compiled.then(
      (module) => this.worker.postMessage(module),
      (error) => this.hear({ failure: String(error) }),
    );
  }

  async ask(request: EngineRequest, onProgress: (json: string) => void): Promise<EngineResponse> {
    await this.ready;
    return new Promise((resolve, reject) => {
      this.hear = (message) => {
        if ("progress" in message) onProgress(message.progress);
        if ("response" in message) resolve(message.response);
        if ("failure" in message) reject(new Error(message.failure));
      };
      this.worker.postMessage(request, [request.body]);
    });
  }

  end(): void {
    this.worker.terminate();
  }
}

export class Engines {
  private compiled: Promise<WebAssembly.Module> | null = null;
  private readonly idle: EngineWorker[] = [];

  /** Aborting the signal ends the worker, which cannot be asked to stop. */
  async ask(request: EngineRequest, signal: AbortSignal | null, onProgress: (json: string) => void): Promise<EngineResponse> {
    const worker = this.idle.pop() ?? this.start();
    if (this.idle.length === 0) this.idle.push(this.start());
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(new DOMException("The work was given up", "AbortError"));
    });
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    try {
      const response = await Promise.race([worker.ask(request, onProgress), aborted]);
      if (this.idle.length < 2) this.idle.push(worker);
      else worker.end();
      return response;
    } catch (error) {
      worker.end(); // it works on, or it is broken
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  private start(): EngineWorker {
    this.compiled ??= compile();
    return new EngineWorker(this.compiled);
  }
}

/** Not every host says that the file is WebAssembly, which streaming asks for. */
async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch("engine.wasm");
  if (!response.ok) throw new Error(`engine.wasm: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
