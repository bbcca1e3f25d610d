// Server-sent events out of a stream of text. EventSource cannot send a body, so the page reads them itself.

export interface ServerEvent {
  event: string;
  data: string;
}

/** Feed it text in any pieces; it gives back the events that the text completes. */
export class EventParser {
  private rest = "";
  private event = "";
  private data: string[] = [];

  push(text: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const lines = (this.rest + text).split("\n");
    // The last piece has no line end yet; a "\r" before a "\n" belongs to the line end.
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      const finished = this.line(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (finished) events.push(finished);
    }
    return events;
  }

  private line(line: string): ServerEvent | null {
    if (line === "") {
      const finished = this.data.length > 0 ? { event: this.event || "message", data: this.data.join("\n") } : null;
      this.event = "";
      this.data = [];
      return finished;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.event = value;
    if (field === "data") this.data.push(value);
    return null; // an empty field name is a comment: the server's heart-beat
  }
}

/** The events of a response's body, as they come. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.releaseLock();
  }
}
