import type { JsonObject } from "../../domain/json/json.js";

/** A session that a file of the tool's own names. */
export interface NamedSession {
  readonly sessionId: string;
  /** Its tenant, if the file names it. */
  readonly tenantId?: string | undefined;
  /** Its title, or its first prompt. Without any of these in the file the session never had a prompt: it does not count. */
  readonly title?: string | undefined;
  readonly directory?: string | undefined;
  /** When it was active last, in milliseconds since the epoch. */
  readonly at?: number | undefined;
}

/** A file of the tool's own that names sessions, those too whose files are gone. It may name one several times. */
export type SessionIndex = RecordIndex | ReadIndex;

interface IndexFile {
  /** The folder that it has to lie in: nothing outside is read. */
  readonly folder: string;
  readonly file: string;
}

/** A file of records. */
interface RecordIndex extends IndexFile {
  /** True if the file is one JSON array; otherwise each line is a record. Default is false. */
  readonly isArray?: boolean | undefined;
  /** The session that a record of it names. */
  named(record: JsonObject): NamedSession | undefined;
}

/** Any other file, such as a database. */
interface ReadIndex extends IndexFile {
  /** A file beside it that holds a part of it. */
  readonly rest: string;
  /** @throws SourceUnavailableError where it cannot be read: it says why */
  read(): readonly NamedSession[];
}

/**
 * Facts about a tool's histories from separate files of the tool: their retention period, and the sessions that existed. Only the members
 * named here are read from these files, which may hold secrets.
 */
export interface Surroundings {
  readonly indexes: readonly SessionIndex[];
  /**
   * Retention according to its settings. Default is that the histories are outside the tool's own folder, so that it deletes none of
   * them.
   */
  readonly retention?: StatedRetention | undefined;
}

export interface StatedRetention {
  /** True if the settings disable deletion. Default is false. */
  readonly isOff?: boolean;
  /** Number of days without a change after which a session is deleted; `undefined` if it cannot be determined. */
  readonly days: number | undefined;
  /** Location of the setting. */
  readonly statedIn: string;
}

/**
 * A tool's automatic deletion. Without information about it, there is no rule.
 *
 * - `deletes`: sessions whose file was not written to (`by: "file"`), or without activity (`by: "activity"`), for the time in its
 *   settings.
 * - `keeps`: deletes nothing.
 */
export type RetentionRule =
  | { readonly rule: "deletes"; readonly by: "file" | "activity" }
  | { readonly rule: "keeps" };

/** Facts about the tool that writes a format, for the survey of its histories. */
export interface HistoryWriter {
  /** The name of the format. */
  readonly name: string;
  /** Name of the tool for people. */
  readonly title: string;
  /** The newest version whose files the format was tried with. Absent where files do not state one. */
  readonly verified?: string;
  /** True if its sessions are in databases or archives that several sessions share. Default is that each session has its own files. */
  readonly isPacked?: true;
  /** Its automatic deletion. Absent if there is no information, which does not mean that it deletes nothing. */
  readonly retention?: RetentionRule;
}
