import { BLOCK, WINDOW } from "./packed-format.js";

/** Number of bytes removed at a time when the window is full. */
const STEP = 16 * 1024 * 1024;

/** The bytes that came last: as many as copies may begin in, and room for a block. It grows with them. */
export class ByteWindow {
  bytes = new Uint8Array(BLOCK);
  /** Number of bytes in it. */
  length = 0;

  /**
   * Makes room for a block.
   *
   * @returns by how much the bytes that were there have moved to the front
   */
  makeRoom(size: number): number {
    const wanted = this.length + size;
    if (wanted <= this.bytes.length) return 0;
    const most = WINDOW + STEP;
    if (wanted <= most) {
      const larger = new Uint8Array(Math.min(most, Math.max(wanted, 2 * this.bytes.length)));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
      return 0;
    }
    const moved = this.length - WINDOW;
    this.bytes.copyWithin(0, moved, this.length);
    this.length = WINDOW;
    return moved;
  }
}
