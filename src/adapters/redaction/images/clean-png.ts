import { ByteReader, joined } from "./byte-parts.js";
import { ascii } from "./image-kind.js";

/** Chunks with the picture and the meaning of its colors. Color profiles (`iCCP`) contain names and texts. */
const KEPT = new Set(["IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "acTL", "fcTL", "fdAT"]);

/** PNG, Third Edition, 5.3: chunks of a length, a type, data and a checksum. Nothing after the last chunk is retained. */
export function cleanPng(bytes: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(bytes);
  const kept = [reader.take(8)];
  let hasPicture = false;
  while (reader.has(12)) {
    const size = reader.uint32() + 12;
    const type = ascii(bytes, reader.at + 4, reader.at + 8);
    if (!reader.has(size) || !/^[A-Za-z]{4}$/.test(type)) return undefined;
    const chunk = reader.take(size);
    if (type === "IEND") return size === 12 && hasPicture ? joined([...kept, chunk]) : undefined;
    if (kept.length === 1 && type !== "IHDR") return undefined;
    if (type === "IDAT") hasPicture = true;
    if (KEPT.has(type)) kept.push(chunk);
  }
  return undefined;
}
