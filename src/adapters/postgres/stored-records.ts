import { createHash, randomUUID } from "node:crypto";

/** The lists of records in a session, each in a separate table. */
export const RECORD_TABLES = {
  trace: "trace_envelopes",
  orchestration: "orchestration_events",
  messages: "messages",
  log: "session_log",
} as const;

export type RecordList = keyof typeof RECORD_TABLES;

/** Selected records of a session's list: a range of positions in the list's table. */
export interface RecordRange {
  readonly list: RecordList;
  readonly tenantId: string;
  readonly sessionId: string;
  /** The position of the first record, and how many there are. */
  readonly first: number;
  readonly size: number;
  /** Selects this incarnation of the session, and not another that replaced it. Default is any. */
  readonly incarnation?: string | undefined;
}

/**
 * Returns a condition on rows of records, placed after the conditions on their session: it is the selected incarnation.
 *
 * @param ids of the session, as SQL
 */
export function sameIncarnation(
  schema: string,
  { incarnation }: RecordRange,
  [tenantId, sessionId]: readonly [string, string] = ["$1", "$2"],
): string {
  if (incarnation === undefined) return "";
  return ` AND EXISTS (SELECT 1 FROM ${schema}.sessions AS own WHERE own.tenant_id = ${tenantId}
    AND own.session_id = ${sessionId} AND own.incarnation = '${incarnation}')`;
}

/** A record as it is written: its text, and the key that identifies it when it is written again. */
export interface StoredRecord {
  /** Has the form of a UUID. */
  readonly key: string;
  readonly bytes: number;
  readonly text: string;
  /** The record's bytes where PostgreSQL cannot keep them as text (no valid UTF-8, or a NUL); `text` is empty then. */
  readonly raw: Uint8Array | undefined;
}

/** Columns of a table besides the record. For an envelope, these are the keys that the merge of a trace needs. */
export type RecordColumns = { readonly [column: string]: string | number };

export interface PlacedRecord extends StoredRecord {
  readonly position: number;
  readonly columns: RecordColumns;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A record that was written as `JSON.stringify` does, which escapes NUL characters and halves of surrogate pairs. */
export function recordOfText(text: string, key: string = randomUUID()): StoredRecord {
  return { key, bytes: Buffer.byteLength(text), text, raw: undefined };
}

/** Returns a record of another writer, with unchanged bytes. */
export function recordOfBytes(bytes: Uint8Array, key: string): StoredRecord {
  try {
    const text = decoder.decode(bytes);
    if (!text.includes("\0")) return { key, bytes: bytes.length, text, raw: undefined };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the decoder throws a TypeError where the bytes are no UTF-8
  }
  return { key, bytes: bytes.length, text: "", raw: Uint8Array.from(bytes) };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the key of a record that has its own ID: the ID if it is a UUID, otherwise the beginning of its SHA-256 digest. */
export function keyOfId(id: string): string {
  return UUID.test(id) ? id : uuidOf(id);
}

/** The beginning of a text's digest, in the form of a UUID. */
export function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text, "utf16le").digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return parts.join("-");
}
