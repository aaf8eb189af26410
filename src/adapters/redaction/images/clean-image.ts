import { cleanGif } from "./clean-gif.js";
import { cleanJpeg } from "./clean-jpeg.js";
import { cleanPng } from "./clean-png.js";
import { cleanWebp } from "./clean-webp.js";
import { type ImageKind, imageKindOf } from "./image-kind.js";

/** Removes data that is not part of the picture; returns `undefined` for a broken image. */
type CleanImage = (bytes: Uint8Array) => Uint8Array | undefined;

const CLEANERS: Readonly<Record<Exclude<ImageKind, "other">, CleanImage>> = {
  png: cleanPng,
  jpeg: cleanJpeg,
  gif: cleanGif,
  webp: cleanWebp,
};

/**
 * The same picture without metadata: without what its author, place and camera are, and any text.
 *
 * @param code in base64
 * @returns in base64; `undefined` for an image that is broken, or of another kind: it must not be passed on
 */
export function cleanImage(code: string): string | undefined {
  const { buffer, byteOffset, length } = Buffer.from(code, "base64");
  const bytes = new Uint8Array(buffer, byteOffset, length); // a Buffer's slices are its own memory
  const kind = imageKindOf(bytes);
  const cleaned = kind === undefined || kind === "other" ? undefined : CLEANERS[kind](bytes);
  return cleaned && Buffer.from(cleaned.buffer, cleaned.byteOffset, cleaned.length).toString("base64");
}

/** Maximum length of an image's address that is displayed in a review, in characters. */
const LONGEST_SHOWN = 100_000;

/** Returns the address of a picture for display; `undefined` if it is too large or not a picture. */
export function shownImage(code: string): string | undefined {
  if (code.length > LONGEST_SHOWN) return undefined;
  const cleaned = cleanImage(code);
  const kind = imageKindOf(Buffer.from(code.slice(0, 64), "base64"));
  return cleaned && `data:image/${kind};base64,${cleaned}`;
}
