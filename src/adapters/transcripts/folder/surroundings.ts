import type { JsonObject } from "../../../domain/json/json.js";

export interface NamedSession {
  readonly sessionId: string;
  readonly tenantId?: string | undefined;
  /** Title or first prompt. A session without either never had a prompt, and does not count. */
  readonly title?: string | undefined;
  readonly directory?: string | undefined;
  /** Last activity, in milliseconds since the epoch. */
  readonly at?: number | undefined;
}

/** A tool's own list of sessions, including deleted ones. A session may occur several times. */
export type SessionIndex = RecordIndex | ReadIndex;

interface IndexFile {
  readonly folder: string;
  readonly file: string;
}

interface RecordIndex extends IndexFile {
  /** True for one JSON array, false for a record per line. Default is false. */
  readonly isArray?: boolean | undefined;
  named(record: JsonObject): NamedSession | undefined;
}

interface ReadIndex extends IndexFile {
  /** A file beside it with a part of it. */
  readonly rest: string;
  /** @throws SourceUnavailableError with the reason if it cannot be read */
  read(): readonly NamedSession[];
}

/** Retention and sessions from separate files of the tool. Only these members are read, because the files may hold secrets. */
export interface Surroundings {
  readonly indexes: readonly SessionIndex[];
  /** From the tool's settings. Default is that the histories are outside the tool's own folder, so that it deletes none. */
  readonly retention?: StatedRetention | undefined;
}

export interface StatedRetention {
  /** True if the settings disable deletion. Default is false. */
  readonly isOff?: boolean;
  /** Days without a change before the deletion; `undefined` if undetermined. */
  readonly days: number | undefined;
  readonly statedIn: string;
}

/**
 * A tool's automatic deletion; no rule without information.
 * - `deletes`: sessions without a write (`by: "file"`) or activity (`by: "activity"`) for the time in its settings.
 * - `keeps`: deletes nothing.
 */
export type RetentionRule =
  | { readonly rule: "deletes"; readonly by: "file" | "activity" }
  | { readonly rule: "keeps" };

export interface HistoryWriter {
  readonly name: string;
  readonly title: string;
  /** Newest tested version. Absent if files state none. */
  readonly verified?: string;
  /** True if several sessions share a database or an archive. Default is separate files. */
  readonly isPacked?: true;
  /** Automatic deletion. Absence means no information, not that it deletes nothing. */
  readonly retention?: RetentionRule;
}
