/** Stands in front of a byte that HTML would change: the next one is that byte and `MOVED`. */
const ESCAPE = 0x3d;
const MOVED = 0x40;

/** What a parser of HTML does not leave as it is: NUL, a return, the beginning of a tag; and the escape itself. */
const isChanged = (byte: number) => byte === 0 || byte === 0x0d || byte === 0x3c || byte === ESCAPE;

/**
 * Bytes as they stand in an HTML document of the charset windows-1252, in which each byte is a character. Of compressed bytes four in 256
 * become two: base64 makes four of three.
 *
 * @param bytes a piece of them, wherever it is cut
 */
export function bytesForHtml(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let size = bytes.length;
  for (const byte of bytes) if (isChanged(byte)) size++;
  const escaped = new Uint8Array(size);
  let at = 0;
  for (const byte of bytes) {
    if (isChanged(byte)) escaped[at++] = ESCAPE;
    escaped[at++] = isChanged(byte) ? byte + MOVED : byte;
  }
  return escaped;
}

/**
 * The bytes that stand in such a document.
 *
 * @param text of the element that holds them, as a browser reads it
 */
export function bytesOfHtml(text: string): Uint8Array<ArrayBuffer> {
  const byteOf = new Map(Array.from(charactersOf(ALL), (character, byte) => [character.charCodeAt(0), byte]));
  const bytes = new Uint8Array(text.length);
  let size = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === ESCAPE) bytes[size++] = text.charCodeAt(++i) - MOVED;
    else bytes[size++] = code > 0xff ? (byteOf.get(code) ?? 0) : code;
  }
  return bytes.slice(0, size);
}

const ALL = Uint8Array.from({ length: 256 }, (_, byte) => byte);

function charactersOf(bytes: Uint8Array): string {
  return new TextDecoder("windows-1252").decode(bytes);
}
