// What the page and its workers say to each other.

export interface EngineRequest {
  method: string;
  path: string;
  parameters: [string, string][];
  body: ArrayBuffer;
}

export interface EngineResponse {
  status: number;
  type: string;
  fileName: string;
  body: Uint8Array;
}

export type FromWorker = { ready: true } | { progress: string } | { response: EngineResponse } | { failure: string };
