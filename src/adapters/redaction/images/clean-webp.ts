import { ByteReader, joined } from "./byte-parts.js";
import { ascii } from "./image-kind.js";

/** Of the picture; in `VP8X` it says what else there is. */
const KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF"]);
/** The bits of `VP8X` for a profile of colours, Exif and XMP. */
const METADATA = 0x20 | 0x08 | 0x04;

/** The container of WebP: RIFF chunks of a type and a length. Nothing after the length in its header is retained. */
export function cleanWebp(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < 20) return undefined;
  const reader = new ByteReader(bytes);
  const end = reader.uint32(4, true) + 8;
  if (end > bytes.length) return undefined;
  const chunks = chunksOf(bytes.subarray(12, end));
  if (chunks === undefined) return undefined;
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map(ownChunk);
  if (!chunks.some(({ type }) => /^VP8[ L]$|^ANMF$/.test(type))) return undefined;
  if (!kept.every((chunk) => chunk !== undefined)) return undefined;
  const body = joined(kept);
  const header = bytes.slice(0, 12);
  new DataView(header.buffer).setUint32(4, body.length + 4, true);
  return joined([header, body]);
}

/** `undefined` for one that is broken. */
function ownChunk({ type, chunk }: Chunk): Uint8Array | undefined {
  if (type === "VP8X") {
    const own = chunk.slice();
    own[8] = own[8]! & ~METADATA;
    return own;
  }
  if (type !== "ANMF") return chunk;
  // A frame: its position and duration, and nested chunks of any type.
  const inner = chunk.length < FRAME_HEADER ? undefined : chunksOf(chunk.subarray(FRAME_HEADER));
  if (inner === undefined) return undefined;
  const pictures = inner.filter((part) => /^(?:VP8[ L]|ALPH)$/.test(part.type)).map((part) => part.chunk);
  const own = joined([chunk.slice(0, FRAME_HEADER), ...pictures]);
  new DataView(own.buffer).setUint32(4, own.length - 8, true);
  return own;
}

/** Of the chunk and of the frame. */
const FRAME_HEADER = 8 + 16;

interface Chunk {
  readonly type: string;
  readonly chunk: Uint8Array;
}

function chunksOf(bytes: Uint8Array): Chunk[] | undefined {
  const reader = new ByteReader(bytes);
  const chunks: Chunk[] = [];
  while (reader.at < bytes.length) {
    if (!reader.has(8)) return undefined;
    const type = ascii(bytes, reader.at, reader.at + 4);
    const size = reader.uint32(4, true);
    const padded = 8 + size + (size % 2);
    if (!reader.has(padded) || (type === "VP8X" && size < 10)) return undefined;
    chunks.push({ type, chunk: reader.take(padded) });
  }
  return chunks;
}
