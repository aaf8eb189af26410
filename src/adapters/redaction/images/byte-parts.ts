/** Reads bytes one part after another. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** True if this number of bytes remains. */
  has(count: number): boolean {
    return this.at + count <= this.bytes.length;
  }

  /** Returns the next bytes, after `has` has checked them. */
  take(count: number): Uint8Array {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  uint16(offset = 0): number {
    return this.#view.getUint16(this.at + offset);
  }

  uint32(offset = 0, littleEndian = false): number {
    return this.#view.getUint32(this.at + offset, littleEndian);
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
