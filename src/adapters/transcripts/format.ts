import type { JsonObject } from "../../domain/json/json.js";
import type { DiskCache } from "../files/cache/disk-cache.js";
import type { DerivedFile } from "./derived-file.js";
import type { BlockLocation, CopiedRecord } from "./recorded.js";
import type { TraceRecorder } from "./trace-recorder.js";
import type { LineLocation, RecordedRow } from "./trace-rows.js";
import type { AgentNote, FoundSession, TranscriptFile, TranscriptFiles } from "./transcript-files.js";

/** The text of a result, and what else is known of the job that it ends. */
export interface JobResult {
  readonly text: string;
  readonly details?: JsonObject;
}

/** Which records of a session another session wrote first. */
export interface Lineage {
  /** The sessions that come first, as text: other sessions make another lineage. `""` for none. */
  readonly name: string;
  readonly isReplay: (record: JsonObject) => boolean;
  /** The same where it is known by the place of the record. Default is that it is not. */
  readonly copyAt?: (start: number) => CopiedRecord | undefined;
}

/** Passes on to a recorder what the records of one file mean, in their order: it may know what came before. */
export interface RecordInterpreter {
  take(record: JsonObject, place: LineLocation): void;
  /** Takes from a copy what the records behind it depend on. Default is nothing. */
  passCopy?(record: JsonObject): void;
}

/**
 * What the records of one tool's histories mean. Everything that is derived from them is the same for all tools, and lies in
 * this folder. All of it runs in a thread and may wait for the disk; what takes long pauses.
 */
export interface TranscriptFormat {
  /** Begins the type of every event that is passed through: `<name>.<type>`. */
  readonly name: string;

  /** Whether a folder holds such histories: found by the first records in it, never by names alone. */
  recognises(root: string): Generator<void, boolean>;

  /**
   * The tenants of a folder.
   *
   * @param cache where the format may cache what it read of files for it
   */
  tenants(root: string, cache?: DiskCache): Generator<void, string[]>;

  /**
   * The sessions of a tenant, with their files and their {@link relatives}.
   *
   * @param cache where the format may cache what it read of files for it
   */
  discover(root: string, tenantId: string, cache?: DiskCache): Generator<void, FoundSession[]>;

  /** One session, found without reading all others; `undefined` where there is none. */
  locate(root: string, tenantId: string, sessionId: string): Generator<void, TranscriptFiles | undefined>;

  /** The sessions of the tenant that may have written records of this one first; none for most. Default is that there are none. */
  relatives?(root: string, session: TranscriptFiles): Generator<void, TranscriptFiles[]>;

  /** Which records of a session's file others wrote first: its relatives, or other files of the session. Default is none. */
  lineage?(root: string, session: FoundSession, file: TranscriptFile): Generator<void, Lineage>;

  interpreter(recorder: TraceRecorder): RecordInterpreter;

  /** Members of a record, the outer ones first, that lead to an array of records; each of these is interpreted after it. Default is none. */
  readonly nestedIn?: readonly (readonly string[])[];

  /** Whether a session's summary may show a text of the record: a title, or a prompt. */
  hasText(record: JsonObject): boolean;

  /** The record inside of a record that repeats another one; the record itself where it does not. Default is that none does. */
  innerRecord?(record: JsonObject): JsonObject;

  /** The id of a record, where it has one that is unique. Default is that none has. */
  recordId?(record: JsonObject): string | undefined;

  /** The canonical event of a row of the trace, derived from its record. */
  render(row: RecordedRow, record: JsonObject, file: DerivedFile): JsonObject;

  /** The record without what the envelopes of its line show already. */
  withoutContent(record: JsonObject, isInner: boolean): JsonObject;

  /** The member of a record that holds its message; a record without it is a message itself. */
  readonly messageMember: string;

  /** The member of a record that holds its instant, as a text. */
  readonly instantMember: string;

  /** What a tool result contains that ends the job of a sub-agent. */
  resultOf(record: JsonObject, block: BlockLocation["block"]): JobResult;

  textOf(record: JsonObject): string;

  /** The note in the text of the file beside a sub-agent's; `undefined` where it holds none. Default is that there are no such files. */
  readNote?(text: string): AgentNote | undefined;

  /** The role and description of an agent that no call spawned, by its id. Default is that ids tell none. */
  knownAgent?(agentId: string): Pick<AgentNote, "role" | "description"> | undefined;

  /** What was asked, as a person would say it. Default is the prompt itself. */
  askedIn?(prompt: string): string;
}
