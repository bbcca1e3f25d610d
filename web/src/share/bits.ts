// Whole numbers of any width, one after the other, without padding between them.

export class BitWriter {
  private bytes: number[] = [];
  private used = 0; // bits of the last byte

  /** The lowest `width` bits of the value, the highest of them first; widths up to 52. */
  write(value: number, width: number): void {
    for (let bit = width - 1; bit >= 0; --bit) {
      if (this.used === 0) this.bytes.push(0);
      if (Math.floor(value / 2 ** bit) % 2 === 1) this.bytes[this.bytes.length - 1] |= 128 >> this.used;
      this.used = (this.used + 1) % 8;
    }
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}

export class BitReader {
  private place = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** Throws RangeError at the end of the bytes. */
  read(width: number): number {
    if (this.place + width > 8 * this.bytes.length) throw new RangeError("the bits are used up");
    let value = 0;
    for (let k = 0; k < width; ++k, ++this.place) {
      value = value * 2 + ((this.bytes[this.place >> 3] >> (7 - (this.place & 7))) & 1);
    }
    return value;
  }
}

export function widthOf(largest: number): number {
  let width = 0;
  while (2 ** width <= largest) ++width;
  return width;
}
