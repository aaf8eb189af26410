import type { JsonObject } from "../../domain/json/json.js";
import type { FolderLookup } from "./found-once.js";
import type { PackedFiles } from "./packed-files.js";
import type { RecordParts } from "./parts.js";
import type { CopiedRecord } from "./recorded.js";
import type { Surroundings } from "./surroundings.js";
import type { TraceRecorder } from "./trace-recorder.js";
import type { LineLocation } from "./trace-rows.js";
import type { AgentNote, FoundSession, TranscriptFile, TranscriptFiles } from "./transcript-files.js";

/** Which records of a session another session wrote first. */
export interface Lineage {
  /** The sessions that come first, as text: other sessions make another lineage. `""` for none. */
  readonly name: string;
  readonly isReplay: (record: JsonObject) => boolean;
  /** The same where it is known by the place of the record. Default is that it is not. */
  readonly copyAt?: (start: number) => CopiedRecord | undefined;
}

/**
 * Follows the records of one file, in their order: it tells a recorder which parts begin and end what, after all that came before.
 *
 * @example a prompt after a prompt: `recorder.beginTurn(origin, part)`, which ends the turn before it
 */
export interface Follower<R extends RecordParts = RecordParts> {
  follow(record: R, place: LineLocation): void;
  /** Takes from a copy of another session's record what the records behind it depend on. Default is nothing. */
  passCopy?(record: R, place: LineLocation): void;
}

/** A file that holds all of a tool's output. */
export interface PersistedOutput extends JsonObject {
  /** As the tenant's folder lays it out; never a path of the machine. */
  readonly file: string;
  readonly bytes: number;
}

/** Where the histories in a folder lie. */
export interface TranscriptFolder {
  /** Whether a folder holds such histories: found by the first records in it, never by names alone. */
  recognises(root: string): Generator<void, boolean>;

  /** The tenants of a folder. */
  tenants(root: string, lookup?: FolderLookup): Generator<void, string[]>;

  /** The sessions of a tenant, with their files and their {@link relatives}. */
  discover(root: string, tenantId: string, lookup?: FolderLookup): Generator<void, FoundSession[]>;

  /** One session, found without reading all others; `undefined` where there is none. */
  locate(root: string, tenantId: string, sessionId: string): Generator<void, TranscriptFiles | undefined>;

  /**
   * The sessions in one file that was named by itself, wherever it lies: most files hold one, with what lies beside it; a database or an
   * archive holds many. `undefined` where it holds no such histories.
   *
   * @param root the folder that it lies in
   */
  inFile(root: string, file: string): Generator<void, readonly FoundSession[] | undefined>;

  /** What the tool says of its histories in files of its own, in the folder or around it. Default is nothing. */
  surroundings?(root: string): Surroundings;

  /** Files that are packed, or lie in other ones. Default is that of Zstandard, by their names. */
  readonly packed?: PackedFiles;

  /** The sessions of the tenant that may have written records of this one first; none for most. Default is that there are none. */
  relatives?(root: string, session: TranscriptFiles): Generator<void, TranscriptFiles[]>;

  /** The file that a sub-agent's goes on from, and how far, where only its records tell. Default is that none does. */
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

  /** Which records of a session's file others wrote first: its relatives, or other files of the session. Default is none. */
  lineage?(root: string, session: FoundSession, file: TranscriptFile): Generator<void, Lineage>;
}

/** Where a record holds its message. */
export interface MessageMembers {
  /** A record without this member is a message itself. */
  readonly own: string;
  /** Members of a record, the outer ones first, that lead to a record of another conversation. Default is that records hold none. */
  readonly inner?: readonly string[];
}

/**
 * What the records of one tool's histories mean. Everything that is derived from them is the same for all tools, and lies in
 * this folder. All of it runs in a thread and may wait for the disk; what takes long pauses.
 */
export interface TranscriptFormat<R extends RecordParts = RecordParts> {
  /** Begins the type of every event that is passed through: `<name>.<type>`. */
  readonly name: string;

  readonly folder: TranscriptFolder;

  /**
   * What a record says, whatever came before it. No event is built for it: a session that is only summed up needs none.
   *
   * @param line the number of its line, counted from 1: what has no id is named by it
   */
  parts(record: JsonObject, line: number): R;

  follower(recorder: TraceRecorder): Follower<R>;

  /** Members of a record, the outer ones first, that lead to an array of records; each of these is followed after it, with those in it. Default is none. */
  readonly nestedIn?: readonly (readonly string[])[];

  readonly messageMembers: MessageMembers;

  /** The member of a record that holds its instant, as a text or in milliseconds since the epoch. */
  readonly instantMember: string;

  /** The note in the text of the file beside a sub-agent's; `undefined` where it holds none. Default is that there are no such files. */
  readNote?(text: string): AgentNote | undefined;

  /** The role and description of an agent that no call spawned, by its id. Default is that ids tell none. */
  knownAgent?(agentId: string): Pick<AgentNote, "role" | "description"> | undefined;
}
