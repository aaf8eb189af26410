import { damaged } from "./expand-blocks.js";

/**
 * Packed bytes in an HTML file of windows-1252, where each byte is one character. A byte that HTML would change, or that could end a
 * script, becomes the escape and the byte plus 64.
 */
const ESCAPE = 0x3d;
const MOVED = 64;
const ESCAPED: ReadonlySet<number> = new Set([0x00, 0x0a, 0x0d, 0x3c, ESCAPE]);

/** The file states it within its first 1,024 bytes. All else in it is ASCII. */
export const PACKED_CHARSET = "windows-1252";

/** Within the first 1,024 bytes of a file, it identifies an exported session. */
export const PACKED_MARK = '<meta name="generator" content="agent-inspector">';

export const PACKED_ID = "agent-inspector-archive";

/** No white space or line break lies between this text and the packed bytes. */
export const PACKED_BEGIN = `<script id="${PACKED_ID}" type="application/octet-stream">`;
export const PACKED_END = "</script>";

export function escapeBytes(bytes: Uint8Array): Uint8Array {
  let more = 0;
  for (const byte of bytes) if (ESCAPED.has(byte)) more++;
  if (more === 0) return bytes;
  const escaped = new Uint8Array(bytes.length + more);
  let at = 0;
  for (const byte of bytes) {
    if (ESCAPED.has(byte)) {
      escaped[at++] = ESCAPE;
      escaped[at++] = byte + MOVED;
    } else escaped[at++] = byte;
  }
  return escaped;
}

/** @throws ArchiveError if the bytes were changed */
export function unescapeBytes(escaped: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(escaped.length);
  let length = 0;
  for (let i = 0; i < escaped.length; i++) {
    let byte = escaped[i]!;
    if (byte === ESCAPE) {
      byte = escaped[++i]! - MOVED;
      if (!ESCAPED.has(byte)) throw damaged("it holds what was never written");
    }
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** Characters of the bytes 0x80 to 0x9f, as in https://encoding.spec.whatwg.org/#windows-1252. All other bytes map to themselves. */
const CHARACTERS = [
  0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
  0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
  0x153, 0x9d, 0x17e, 0x178,
];
const BYTES: ReadonlyMap<number, number> = new Map(CHARACTERS.map((code, i) => [code, 0x80 + i]));

/**
 * Restores the bytes from the text of the element in a browser.
 * @throws ArchiveError if the browser assumed another encoding, or the file was changed
 * @example
 * const packed = unpackText(document.getElementById(PACKED_ID).textContent);
 */
export function unpackText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const byte = BYTES.get(code) ?? code;
    if (byte > 0xff) throw damaged(`it is read in another encoding than ${PACKED_CHARSET}`);
    bytes[i] = byte;
  }
  return unescapeBytes(bytes);
}
