type ImageKind = "png" | "jpeg" | "gif" | "webp" | "other";

export function imageKindOf(bytes: Uint8Array): ImageKind | undefined {
  if (begins(bytes, 0, "\x89PNG\r\n\x1a\n")) return "png";
  if (begins(bytes, 0, "\xff\xd8\xff")) return "jpeg";
  if (begins(bytes, 0, "GIF87a") || begins(bytes, 0, "GIF89a")) return "gif";
  if (begins(bytes, 0, "RIFF") && begins(bytes, 8, "WEBP")) return "webp";
  if (begins(bytes, 0, "II*\0") || begins(bytes, 0, "MM\0*")) return "other"; // TIFF
  if (begins(bytes, 4, "ftyp") && /^(?:avi[fs]|hei[cfx]|mif1|msf1)$/.test(ascii(bytes, 8, 12)))
    return "other";
  if (begins(bytes, 0, "BM") && begins(bytes, 6, "\0\0\0\0")) return "other";
  return begins(bytes, 0, "\0\0\x01\0") && bytes.length > 22 ? "other" : undefined; // an icon
}

function begins(bytes: Uint8Array, at: number, with_: string): boolean {
  for (let i = 0; i < with_.length; i++) if (bytes[at + i] !== with_.charCodeAt(i)) return false;
  return true;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/** Maximum length of the code of an image that a review displays, in characters. */
const MOST_DISPLAYED = 100_000;

/**
 * Returns the address of an image for display; `undefined` if it is too large or a page does not display its kind.
 *
 * @param code in base64
 */
export function imageAddress(code: string): string | undefined {
  if (code.length > MOST_DISPLAYED) return undefined;
  const bytes = Buffer.from(code, "base64");
  const kind = imageKindOf(bytes);
  return kind === "other" || kind === undefined
    ? undefined
    : `data:image/${kind};base64,${bytes.toString("base64")}`;
}
