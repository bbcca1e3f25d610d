// One function for each thing that the server can be asked. All of them throw ApiError with words for people.

import { eventsOf } from "./events";
import type { About, Explanation, FileRead, Instance, Progress, Question, Solution } from "./types";

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  let message = "";
  try {
    message = String((JSON.parse(text) as { error?: unknown }).error ?? "");
  } catch {
    // Not from our server; the status has to do.
  }
  if (message === "") message = `The server answered ${response.status} ${response.statusText}`.trim();
  if (response.status === 429) {
    const wait = response.headers.get("Retry-After");
    message += wait ? ` (try again in ${wait} s)` : "";
  }
  return new ApiError(message, response.status);
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer: is neuroprim serve still running?", 0);
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

function posting(body: unknown, accept = "application/json", signal?: AbortSignal): RequestInit {
  const headers = { "Content-Type": "application/json", Accept: accept };
  return { method: "POST", headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) };
}

export async function about(): Promise<About> {
  return (await ask("api/about")).json();
}

export interface Generate {
  n: number;
  kind: string;
  seed: number;
  terminals?: number;
  requirements?: boolean;
}

export async function generate(wish: Generate): Promise<Instance> {
  return (await ask("api/generate", posting(wish))).json();
}

/** The server finds out the format unless it is named. */
export async function readFile(name: string, bytes: Blob, format = ""): Promise<FileRead> {
  const headers = { "Content-Type": "application/octet-stream" };
  const query = new URLSearchParams({ name, ...(format ? { format } : {}) });
  return (await ask(`api/read?${query}`, { method: "POST", headers, body: bytes })).json();
}

export async function explain(question: Question, alternatives: number, signal: AbortSignal): Promise<Explanation> {
  return (await ask("api/explain", posting({ ...question, alternatives }, "application/json", signal))).json();
}

/** Solves, telling about every progress; aborting the signal makes the server stop its work. */
export async function solve(
  question: Question,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Solution> {
  const response = await ask("api/solve", posting(question, "text/event-stream", signal));
  if (!response.body) throw new ApiError("This browser cannot read an answer while it comes", 0);
  for await (const { event, data } of eventsOf(response.body)) {
    const value: unknown = JSON.parse(data);
    if (event === "progress") onProgress(value as Progress);
    if (event === "solution") return value as Solution;
    if (event === "error") {
      const { error, status } = value as { error: string; status?: number };
      throw new ApiError(error, status ?? 500);
    }
  }
  throw new ApiError("The server ended its answer before the solution", 0);
}

/** A file made by the server. */
export async function write(format: string, tree: unknown): Promise<Blob> {
  return (await ask(`api/write?format=${format}`, posting(tree, "*/*"))).blob();
}
