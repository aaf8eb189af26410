import { createHash, randomUUID } from "node:crypto";

/** A record as it is written: its text, and the key by which it is known when it is written again. */
export interface StoredRecord {
  /** UUID-shaped. */
  readonly key: string;
  readonly bytes: number;
  readonly text: string;
  /** The record itself, where it is no valid UTF-8 and `text` only stands for it. */
  readonly raw: Uint8Array | undefined;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A record of ours: JSON text has no NUL and no half of a surrogate pair, because `JSON.stringify` escapes both. */
export function recordOfText(text: string, key: string = randomUUID()): StoredRecord {
  return { key, bytes: Buffer.byteLength(text), text, raw: undefined };
}

/** A record of somebody else, exactly as it is. */
export function recordOfBytes(bytes: Uint8Array, key: string): StoredRecord {
  try {
    const text = decoder.decode(bytes);
    if (!text.includes("\0")) return { key, bytes: bytes.length, text, raw: undefined };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // a TypeError is how the decoder says that this is no UTF-8
  }
  return { key, bytes: bytes.length, text: "", raw: Uint8Array.from(bytes) };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The key of a record that has an id of its own: the id where it is a UUID, else the beginning of its digest. */
export function keyOfId(id: string): string {
  if (UUID.test(id)) return id;
  const hex = createHash("sha256").update(id, "utf16le").digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}
