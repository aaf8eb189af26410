import type { JsonObject } from "../../domain/json/json.js";

/** A session that a file of the tool's own names. */
export interface NamedSession {
  readonly sessionId: string;
  /** The tenant that it is of, where the file tells. */
  readonly tenantId?: string | undefined;
  /** What it is called, or what was asked in it. Without any of that in the file nothing was ever asked: it counts for nothing. */
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
export interface RecordIndex extends IndexFile {
  /** Whether it is one JSON array; else each line is a record. Default is lines. */
  readonly isArray?: boolean | undefined;
  /** The session that a record of it names. */
  named(record: JsonObject): NamedSession | undefined;
}

/** Any other file, such as a database. */
export interface ReadIndex extends IndexFile {
  /** A file beside it that holds a part of it. */
  readonly rest: string;
  /** @throws SourceUnavailableError where it cannot be read: it says why */
  read(): readonly NamedSession[];
}

/**
 * What a tool says of its histories in files of its own: how long it keeps them, and which there were. Only what is named here is taken
 * from these files, which may hold secrets.
 */
export interface Surroundings {
  readonly indexes: readonly SessionIndex[];
  /** What its settings say. Default is that the histories do not lie where the tool keeps them, so that it deletes none. */
  readonly retention?: StatedRetention | undefined;
}

export interface StatedRetention {
  /** Whether the settings say that nothing is deleted. Default is that something is. */
  readonly isOff?: boolean;
  /** After so many days without a change a session is deleted; `undefined` where that cannot be told. */
  readonly days: number | undefined;
  /** Where it is said. */
  readonly statedIn: string;
}

/**
 * What a tool deletes by itself. Where nothing is known of that, there is no rule.
 *
 * - `deletes`: sessions whose file (`by: "file"`) was not written to, or in which nothing happened (`by: "activity"`), for as long as its
 *   settings say.
 * - `keeps`: nothing.
 */
export type RetentionRule =
  | { readonly rule: "deletes"; readonly by: "file" | "activity" }
  | { readonly rule: "keeps" };

/** What is known of the tool that writes a format, for the survey of its histories. */
export interface HistoryWriter {
  /** The name of the format. */
  readonly name: string;
  /** What people call the tool. */
  readonly title: string;
  /** The newest version whose files the format was tried with. Absent where files do not state one. */
  readonly verified?: string;
  /** Whether its sessions lie in databases or archives, of which several share one. Default is that each has files of its own. */
  readonly isPacked?: true;
  /** What it deletes by itself. Absent where nothing is known of that, which is not "nothing". */
  readonly retention?: RetentionRule;
}
