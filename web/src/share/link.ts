// An instance and its question in the part of an address after the #, which never leaves the browser.
//
// "p" (plain) or "z" (deflated), then base64url of: the length of a JSON header in four bytes, the header, the points
// packed. Whatever is not a point is in the header as it is.

import { isPoints, placed, type Placed } from "../model/instance";
import type { Asked } from "../model/question";
import { deflate, fromBase64Url, inflate, toBase64Url } from "./bytes";
import { packPoints, unpackPoints, type PackedPoints } from "./points";

export interface Shared {
  instance: Placed;
  asked: Partial<Asked>;
}

interface Header {
  asked: Partial<Asked>;
  instance: Omit<Placed, "points">;
  points: Omit<PackedPoints, "bits">;
}

/** Above this an address is no longer something to pass on. */
export const longestLink = 200_000;

export async function toFragment({ instance, asked }: Shared): Promise<string> {
  const { points, ...rest } = instance;
  const { bits, ...shape } = packPoints(points);
  const header: Header = { asked, instance: rest, points: shape };
  const head = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + head.length + bits.length);
  new DataView(bytes.buffer).setUint32(0, head.length);
  bytes.set(head, 4);
  bytes.set(bits, 4 + head.length);

  const small = await deflate(bytes);
  const fragment = small && small.length < bytes.length ? `z${toBase64Url(small)}` : `p${toBase64Url(bytes)}`;
  if (fragment.length > longestLink) throw new RangeError("This instance is too large for a link: download it instead");
  return fragment;
}

/** Throws Error for anything that toFragment did not make. */
export async function fromFragment(fragment: string): Promise<Shared> {
  try {
    const coded = fromBase64Url(fragment.slice(1));
    if (fragment[0] !== "z" && fragment[0] !== "p") throw new Error("unknown kind");
    const bytes = fragment[0] === "z" ? await inflate(coded) : coded;
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Header;
    const points = unpackPoints({ ...header.points, bits: bytes.subarray(4 + length) });
    return { instance: checked(placed({ ...header.instance, points })), asked: header.asked ?? {} };
  } catch (error) {
    throw new Error("The link is damaged or cut off: nothing was opened", { cause: error });
  }
}

/** What a link says goes to the server later; here only what the page itself would stumble over is refused. */
function checked(instance: Placed): Placed {
  const n = instance.points.length;
  const isVertex = (v: unknown): boolean => Number.isInteger(v) && (v as number) >= 0 && (v as number) < n;
  if (!instance.points.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))) throw new Error("points");
  if (instance.terminals && !instance.terminals.every(isVertex)) throw new Error("terminals");
  if (instance.names && instance.names.length !== n) throw new Error("names");
  if (!isPoints(instance) && instance.matrix && instance.matrix.length !== n) throw new Error("matrix");
  return instance;
}
