import { ArchiveError } from "../../application/errors.js";
import type { ArchiveLines } from "../../application/ports/export.js";
import { yieldToEventLoop } from "../../application/threads/slices.js";
import { FREE_BYTES, LONGEST_LINE, MOST_BLOCKS, MOST_EXPANSION } from "./archive-bounds.js";
import { BlockExpander, damaged } from "./expand-blocks.js";

const PIECE = 64 * 1024;

/**
 * Yields the lines on demand.
 * @param packed the bytes that `unpackText` returns
 * @throws ArchiveError if the bytes changed after packing
 * @example
 * const { source, head } = await openArchive(unpackArchive([unpackText(element.textContent)]));
 */
export async function* unpackArchive(packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ArchiveLines {
  const expander = new BlockExpander();
  const lines = new LineSplitter();
  const counted = new CountedBytes(packed);
  let expanded = 0;
  let blocks = 0;
  for await (const bytes of inflated(counted)) {
    for (const block of expander.add(bytes)) {
      expanded += block.length;
      if (expanded > FREE_BYTES + MOST_EXPANSION * counted.size) throw tooCompressed();
      if (++blocks > MOST_BLOCKS) throw tooManyBlocks();
      yield lines.add(block);
      await yieldToEventLoop();
    }
  }
  expander.end();
  yield lines.end();
}

class CountedBytes {
  size = 0;
  readonly #bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

  constructor(bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    this.#bytes = bytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const bytes of this.#bytes) {
      this.size += bytes.length;
      yield bytes;
    }
  }
}

function tooManyBlocks(): ArchiveError {
  return new ArchiveError(
    `It is too large to be opened: it has more than ${MOST_BLOCKS.toLocaleString("en")} packed blocks. Export fewer sessions.`,
  );
}

function tooCompressed(): ArchiveError {
  return new ArchiveError(
    `It is too large to be opened: it becomes more than ${FREE_BYTES / 2 ** 20} MiB and ${MOST_EXPANSION.toLocaleString("en")} times its size. ` +
      "Export fewer sessions.",
  );
}

/** Both the platform and a file may break off: the reader gets our own error. */
async function* inflated(packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  const gzip = new DecompressionStream("gzip");
  const writer = gzip.writable.getWriter();
  const writing = write(packed, writer);
  writing.catch(() => undefined);
  const reader = gzip.readable.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield value as Uint8Array;
    }
    await writing;
  } catch (error) {
    const cause = await writing.then(
      () => error,
      (failure: unknown) => failure,
    );
    throw cause instanceof ArchiveError ? cause : damaged("it cannot be unpacked");
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function write(
  packed: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter,
): Promise<void> {
  try {
    for await (const bytes of packed) {
      for (let at = 0; at < bytes.length; at += PIECE) await writer.write(bytes.subarray(at, at + PIECE));
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

function tooLong(): ArchiveError {
  return new ArchiveError(
    `It is too large to be opened: a line has more than ${LONGEST_LINE / 2 ** 20} Mi characters. Export a part of the session, by --only.`,
  );
}

export class LineSplitter {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #rest = "";

  /** @throws ArchiveError for a line that is too long */
  add(bytes: Uint8Array): string[] {
    const lines = this.#decoder.decode(bytes, { stream: true }).split("\n");
    lines[0] = this.#rest + lines[0]!;
    if (lines[0].length > LONGEST_LINE) throw tooLong();
    this.#rest = lines.pop()!;
    return lines;
  }

  end(): string[] {
    const last = this.#rest + this.#decoder.decode();
    return last === "" ? [] : [last];
  }
}
