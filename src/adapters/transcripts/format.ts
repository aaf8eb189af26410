import type { JsonObject } from "../../domain/json/json.js";
import type { FolderLookup } from "./found-once.js";
import type { PackedFiles } from "./packed-files.js";
import type { RecordParts } from "./parts.js";
import type { CopiedRecord } from "./recorded.js";
import type { Surroundings } from "./surroundings.js";
import type { TraceRecorder } from "./trace-recorder.js";
import type { LineLocation } from "./trace-rows.js";
import type { AgentNote, FoundSession, TranscriptFile, TranscriptFiles } from "./transcript-files.js";

/** Records of a session that another session wrote first. */
export interface Lineage {
  /** The sessions that come first, as text: other sessions make another lineage. `""` for none. */
  readonly name: string;
  readonly isReplay: (record: JsonObject) => boolean;
  /** Returns the copied record by its offset, if the offset identifies it. Default is that it does not. */
  readonly copyAt?: (start: number) => CopiedRecord | undefined;
}

/**
 * Follows the records of one file in order. It reports to a recorder which parts begin and end something, depending on all previous
 * records.
 *
 * @example a prompt after a prompt: `recorder.beginTurn(origin, part)`, which ends the turn before it
 */
export interface Follower<R extends RecordParts = RecordParts> {
  follow(record: R, place: LineLocation): void;
  /** Takes from a copy of another session's record the state that later records depend on. Default is nothing. */
  passCopy?(record: R, place: LineLocation): void;
}

/** A file that holds all of a tool's output. */
export interface PersistedOutput extends JsonObject {
  /** As the tenant's folder lays it out; never a path of the machine. */
  readonly file: string;
  readonly bytes: number;
}

/** Layout of the histories in a folder. */
export interface TranscriptFolder {
  /** True if a folder holds such histories: decided by the first records in it, never by names alone. */
  recognises(root: string): Generator<void, boolean>;

  /** The tenants of a folder. */
  tenants(root: string, lookup?: FolderLookup): Generator<void, string[]>;

  /** The sessions of a tenant, with their files and their {@link relatives}. */
  discover(root: string, tenantId: string, lookup?: FolderLookup): Generator<void, FoundSession[]>;

  /** Locates one session without reading all others; `undefined` if it does not exist. */
  locate(root: string, tenantId: string, sessionId: string): Generator<void, TranscriptFiles | undefined>;

  /**
   * The sessions in one file that was named by itself, wherever it lies: most files hold one, with what lies beside it; a database or an
   * archive holds many. `undefined` where it holds no such histories.
   *
   * @param root the folder that it lies in
   */
  inFile(root: string, file: string): Generator<void, readonly FoundSession[] | undefined>;

  /** Facts about the histories in separate files of the tool, in the folder or around it. Default is nothing. */
  surroundings?(root: string): Surroundings;

  /** Files that are packed, or lie in other ones. Default is that of Zstandard, by their names. */
  readonly packed?: PackedFiles;

  /**
   * Returns sessions of the tenant that may have written records of this one first; most sessions have no such relatives. Default is an
   * empty list.
   */
  relatives?(root: string, session: TranscriptFiles): Generator<void, TranscriptFiles[]>;

  /**
   * Returns the file from which a sub-agent's file continues, and up to which point, if only its records state that. Default is that no
   * file continues another one.
   */
  inherited?(
    root: string,
    session: FoundSession,
    file: TranscriptFile,
  ): Generator<void, TranscriptFile | undefined>;

  /** The file of a session that holds all of a tool's output, by its name; `undefined` where it is not there. Default is that none is. */
  persisted?(
    root: string,
    session: Pick<TranscriptFiles, "tenantId" | "sessionId">,
    name: string,
  ): PersistedOutput | undefined;

  /**
   * Returns the records of a session's file that others wrote first: its relatives, or other files of the session. Default is no such
   * record.
   */
  lineage?(root: string, session: FoundSession, file: TranscriptFile): Generator<void, Lineage>;
}

/** Members of a record that hold its message. */
interface MessageMembers {
  /** A record without this member is a message itself. */
  readonly own: string;
  /** Members of a record, the outer ones first, that lead to a record of another conversation. Default is that records hold none. */
  readonly inner?: readonly string[];
}

/**
 * Interprets the records of one tool's histories. All data derived from them is the same for all tools; its code is in this folder. All
 * of it runs in a thread and may wait for the disk; long tasks pause.
 */
export interface TranscriptFormat<R extends RecordParts = RecordParts> {
  /** Begins the type of every event that is passed through: `<name>.<type>`. */
  readonly name: string;

  readonly folder: TranscriptFolder;

  /**
   * Returns the content of a record, independent of earlier records. It builds no event: a session that is only summarised needs none.
   *
   * @param line the number of its line, counted from 1: it names things without an id
   */
  parts(record: JsonObject, line: number): R;

  follower(recorder: TraceRecorder): Follower<R>;

  /**
   * Members of a record, the outer ones first, that lead to an array of records. Each of these is processed after the record, with its
   * own nested records. Default is no such array.
   */
  readonly nestedIn?: readonly (readonly string[])[];

  readonly messageMembers: MessageMembers;

  /** The member of a record that holds its instant, as a text or in milliseconds since the epoch. */
  readonly instantMember: string;

  /** The note in the text of the file beside a sub-agent's; `undefined` where it holds none. Default is that there are no such files. */
  readNote?(text: string): AgentNote | undefined;

  /** The role and description of an agent that no call spawned, by its id. Default is that ids tell none. */
  knownAgent?(agentId: string): Pick<AgentNote, "role" | "description"> | undefined;
}
