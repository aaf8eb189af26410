import { createGzip } from "node:zlib";
import type { ArchiveLines } from "../../application/ports/export.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import { escapeBytes } from "../archive/packed-text.js";
import { LineBlocks } from "./line-blocks.js";
import { BlockMaker } from "./make-blocks.js";

/** Less memory than the default makes gzip compute codes for fewer bytes at once: numbers, texts and base64 alternate in a block. */
const MEM_LEVEL = 6;

/** Yields the content between `PACKED_BEGIN` and `PACKED_END`, on demand. At most the last 64 MB of lines are in memory, as bytes. */
export async function* packArchive(
  lines: ArchiveLines,
  { signal }: ReadOptions = {},
): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: 9, memLevel: MEM_LEVEL, chunkSize: 64 * 1024 });
  const writing = writeBlocks(lines, gzip, signal);
  writing.catch((error: Error) => gzip.destroy(error));
  try {
    for await (const bytes of gzip) yield escapeBytes(bytes as Uint8Array);
    await writing;
  } finally {
    gzip.destroy();
  }
}

async function writeBlocks(
  lines: ArchiveLines,
  gzip: ReturnType<typeof createGzip>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const maker = new BlockMaker();
  const blocks = new LineBlocks();
  const write = async (block: Uint8Array) => {
    const packed = await runInSlices(maker.add(block), signal);
    if (gzip.destroyed) throw new Error("Nobody reads what is packed.");
    if (!gzip.write(packed)) await drained(gzip);
  };
  for await (const batch of lines) {
    for (const line of batch) for (const block of blocks.add(line)) await write(block);
  }
  for (const block of blocks.end()) await write(block);
  gzip.end();
}

function drained(gzip: ReturnType<typeof createGzip>): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      gzip.off("drain", settle).off("close", settle);
      resolve();
    };
    gzip.on("drain", settle).on("close", settle);
  });
}
