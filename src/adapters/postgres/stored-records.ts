import { createHash, randomUUID } from "node:crypto";

export const RECORD_TABLES = {
  trace: "trace_envelopes",
  orchestration: "orchestration_events",
  messages: "messages",
  log: "session_log",
} as const;

export type RecordList = keyof typeof RECORD_TABLES;

export interface RecordRange {
  readonly list: RecordList;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly first: number;
  readonly size: number;
  /** Excludes a session that replaced this incarnation. Default is any. */
  readonly incarnation?: string | undefined;
}

export function sameIncarnation(
  schema: string,
  { incarnation }: RecordRange,
  [tenantId, sessionId]: readonly [string, string] = ["$1", "$2"],
): string {
  if (incarnation === undefined) return "";
  return ` AND EXISTS (SELECT 1 FROM ${schema}.sessions AS own WHERE own.tenant_id = ${tenantId}
    AND own.session_id = ${sessionId} AND own.incarnation = '${incarnation}')`;
}

export interface StoredRecord {
  readonly key: string;
  readonly bytes: number;
  readonly text: string;
  /** Bytes that PostgreSQL cannot store as text (invalid UTF-8, or a NUL); `text` is then empty. */
  readonly raw: Uint8Array | undefined;
}

export type RecordColumns = { readonly [column: string]: string | number };

export interface PlacedRecord extends StoredRecord {
  readonly position: number;
  readonly columns: RecordColumns;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param text from `JSON.stringify`, which escapes NUL and lone surrogates */
export function recordOfText(text: string, key: string = randomUUID()): StoredRecord {
  return { key, bytes: Buffer.byteLength(text), text, raw: undefined };
}

export function recordOfBytes(bytes: Uint8Array, key: string): StoredRecord {
  try {
    const text = decoder.decode(bytes);
    if (!text.includes("\0")) return { key, bytes: bytes.length, text, raw: undefined };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // The decoder throws a TypeError for invalid UTF-8.
  }
  return { key, bytes: bytes.length, text: "", raw: Uint8Array.from(bytes) };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The ID itself if it is a UUID, otherwise from its SHA-256 digest. */
export function keyOfId(id: string): string {
  return UUID.test(id) ? id : uuidOf(id);
}

export function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text, "utf16le").digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return parts.join("-");
}
