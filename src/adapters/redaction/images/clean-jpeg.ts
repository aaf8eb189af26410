import { ByteReader, joined } from "./byte-parts.js";
import { ascii } from "./image-kind.js";

const SCAN = 0xda;
const END = 0xd9;

/**
 * ISO/IEC 10918-1, Annex B: segments of a marker and a length, and a scan's data after its header. Retains only application segments that
 * are needed for decoding (JFIF, Adobe), without a thumbnail; removes comments. Nothing after the end is retained.
 */
export function cleanJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(bytes);
  const kept = [reader.take(2)];
  let hasScan = false;
  while (reader.has(2)) {
    if (bytes[reader.at] !== 0xff) return undefined;
    const marker = bytes[reader.at + 1]!;
    if (marker === 0xff) {
      reader.take(1); // fills
    } else if (marker === END) {
      return hasScan ? joined([...kept, reader.take(2)]) : undefined;
    } else {
      if (!reader.has(4) || reader.uint16(2) < 2 || !reader.has(2 + reader.uint16(2))) return undefined;
      if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) return undefined;
      const segment = reader.take(2 + reader.uint16(2));
      const own = keptOf(marker, segment);
      if (own === undefined) return undefined;
      kept.push(own);
      if (marker === SCAN) {
        hasScan = true;
        kept.push(reader.take(scanLength(bytes, reader.at)));
      }
    }
  }
  return undefined;
}

const NOTHING = new Uint8Array(0);

/** Returns the retained part of a segment; `undefined` for an invalid segment. */
function keptOf(marker: number, segment: Uint8Array): Uint8Array | undefined {
  const isOfDecoding = marker >= 0xc0 && marker <= 0xdf;
  if (isOfDecoding) return segment;
  if (marker === 0xe0 && ascii(segment, 4, 9) === "JFIF\0") return withoutThumbnail(segment);
  if (marker === 0xee && ascii(segment, 4, 9) === "Adobe") return segment.length === 16 ? segment : undefined;
  return NOTHING;
}

function withoutThumbnail(segment: Uint8Array): Uint8Array | undefined {
  if (segment.length < 18) return undefined;
  const own = segment.slice(0, 18);
  own.set([0, 16], 2);
  own.set([0, 0], 16);
  return own;
}

/** Returns the length of a scan's data: up to a marker that does not belong to the scan. */
function scanLength(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const next = bytes[at + 1];
    const isMarker =
      bytes[at] === 0xff && next !== 0 && !(next !== undefined && next >= 0xd0 && next <= 0xd7);
    if (isMarker && next !== 0xff) break;
    at++;
  }
  return at - from;
}
