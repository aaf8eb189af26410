import { BLOCK, WINDOW } from "./packed-format.js";

const STEP = 16 * 1024 * 1024;

/** The latest bytes: as many as copies may begin in, and room for a block. */
export class ByteWindow {
  bytes = new Uint8Array(BLOCK);
  length = 0;

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
