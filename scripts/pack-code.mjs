import { createRequire } from "node:module";
import { crc32 } from "node:zlib";

/** Its types are its sources, which keep to other rules than ours: by an `import` they would be checked as ours. */
const { compress } = createRequire(import.meta.url)("lzma1");

/**
 * A text as `ui/src/standalone/unpack-code.ts` unpacks it.
 *
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function packCode(text) {
  const lzma = compress(Buffer.from(text), 9);
  const packed = new Uint8Array(4 + lzma.length);
  new DataView(packed.buffer).setUint32(0, crc32(lzma), true);
  packed.set(lzma, 4);
  return packed;
}
