import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { ArchiveError } from "../../application/errors.js";
import type { ArchiveLines } from "../../application/ports/export.js";
import { ARCHIVE_FORMAT, type ArchiveHead } from "../../domain/archive/archive-record.js";
import { isJsonObject, jsonIn, objectField } from "../../domain/json/json.js";
import { ArchiveReader } from "../archive/archive-reader.js";
import { damaged } from "../archive/expand-blocks.js";
import { PACKED_BEGIN, PACKED_END, PACKED_MARK, unescapeBytes } from "../archive/packed-text.js";
import { LineSplitter, unpackArchive } from "../archive/unpack-archive.js";

type ArchiveForm = "html" | "lines";

/** The first line of an archive is shorter, unless it contains custom prices. */
const MARKED_IN = 1_024;
const HEAD_IN = 64 * 1024;

/**
 * Reads only the beginning of the file. `undefined` for a file that is not an exported session.
 * @param file an existing file
 */
export async function archiveFormOf(file: string): Promise<ArchiveForm | undefined> {
  const beginning = await beginningOf(file);
  const text = beginning.toString("latin1");
  if (text.slice(0, MARKED_IN).includes(PACKED_MARK)) return "html";
  const first = text.split("\n", 1)[0]!;
  // The beginning of a longer head is sufficient: custom prices follow it.
  if (first.startsWith(`{"archive":{"format":"${ARCHIVE_FORMAT}",`)) return "lines";
  const head = jsonIn(first);
  return isJsonObject(head) && objectField(head, "archive").format === ARCHIVE_FORMAT ? "lines" : undefined;
}

/**
 * Runs no code of a page.
 * @throws ArchiveError for a file that is not an exported session, or was changed
 */
export async function* readArchiveFile(file: string): ArchiveLines {
  const form = await archiveFormOf(file);
  if (form === undefined) throw new ArchiveError("No exported session is in it.");
  if (form === "html") yield* unpackArchive(packedIn(createReadStream(file)));
  else yield* linesIn(createReadStream(file));
}

/**
 * Reads nothing after the first line.
 * @throws ArchiveError as `readArchiveFile` does
 */
export async function archiveHeadIn(file: string): Promise<ArchiveHead> {
  const reader = new ArchiveReader();
  for await (const [line] of readArchiveFile(file)) {
    if (line === undefined) continue;
    reader.add(line);
    break;
  }
  if (reader.head === undefined) throw new ArchiveError("No exported session is in it.");
  return reader.head;
}

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_IN), 0, HEAD_IN, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function* linesIn(bytes: AsyncIterable<Buffer>): ArchiveLines {
  const lines = new LineSplitter();
  for await (const piece of bytes) yield lines.add(piece);
  yield lines.end();
}

const BEGIN = Buffer.from(PACKED_BEGIN);
const END = Buffer.from(PACKED_END);
const END_SIGN = END[0]!;
const ESCAPE = 0x3d;

/** The packed bytes of a page end at the first sign that begins a tag. */
async function* packedIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void> {
  let rest = Buffer.alloc(0);
  let isInside = false;
  for await (const piece of bytes) {
    rest = Buffer.concat([rest, piece]);
    if (!isInside) {
      const at = rest.indexOf(BEGIN);
      rest = rest.subarray(at === -1 ? Math.max(0, rest.length - BEGIN.length) : at + BEGIN.length);
      isInside = at !== -1;
    }
    if (!isInside) continue;
    const end = rest.indexOf(END_SIGN);
    if (end !== -1 && rest.length < end + END.length) continue;
    if (end !== -1) {
      if (!rest.subarray(end, end + END.length).equals(END)) break;
      yield unescapeBytes(rest.subarray(0, end));
      return;
    }
    const complete = rest.length - (rest.at(-1) === ESCAPE ? 1 : 0);
    yield unescapeBytes(rest.subarray(0, complete));
    rest = rest.subarray(complete);
  }
  throw isInside ? damaged("its end is missing") : damaged("the sessions in it are missing");
}
