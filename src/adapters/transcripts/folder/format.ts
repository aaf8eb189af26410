import type { JsonObject } from "../../../domain/json/json.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import type { Follower } from "../recorder/follower.js";
import type { RecordParts } from "../recorder/parts.js";
import type { CopiedRecord } from "../recorder/record-origin.js";
import type { TraceRecorder } from "../recorder/trace-recorder.js";
import type { FolderLookup } from "./discovered-once.js";
import type { PackedFiles } from "./packed-files.js";
import type { Surroundings } from "./surroundings.js";
import type { AgentNote, TranscriptFile, TranscriptFileGroup, TranscriptFiles } from "./transcript-files.js";

export interface Lineage {
  /** Identifies the lineage by its earlier sessions; `""` for none. */
  readonly name: string;
  readonly isReplay: (record: JsonObject) => boolean;
  /** Returns the copied record at an offset. Default is that offsets do not identify copies. */
  readonly copyAt?: (start: number) => CopiedRecord | undefined;
}

export interface PersistedOutput extends JsonObject {
  /** Relative to the tenant's folder; never a path of the machine. */
  readonly file: string;
  readonly bytes: number;
}

export interface TranscriptFolder {
  /** Decided by the first records in the folder, never by names alone. */
  recognises(root: string): Generator<void, boolean>;

  tenants(root: string, lookup?: FolderLookup): Generator<void, string[]>;

  discover(root: string, tenantId: string, lookup?: FolderLookup): Generator<void, TranscriptFileGroup[]>;

  /** Does not read other sessions; `undefined` if it does not exist. Default is a search of the tenant. */
  locate?(root: string, tenantId: string, sessionId: string): Generator<void, TranscriptFiles | undefined>;

  /**
   * The sessions of a separate file: mostly one; a database or an archive holds many. `undefined` without such histories.
   * @param root the file's folder
   */
  inFile(root: string, file: string): Generator<void, readonly TranscriptFileGroup[] | undefined>;

  /** Facts in other files of the tool, in the folder or around it. Default is nothing. */
  surroundings?(root: string): Surroundings;

  /** Files that are packed or inside others. Default is Zstandard, by name. */
  readonly packed?: PackedFiles;

  /** Sessions of the tenant that may have written records of this one first; mostly none. Default is an empty list. */
  relatives?(root: string, session: TranscriptFiles): Generator<void, TranscriptFiles[]>;

  /** The file that a sub-agent's file continues, and the point, if only records state it. None by default. */
  inherited?(
    root: string,
    session: TranscriptFileGroup,
    file: TranscriptFile,
  ): Generator<void, TranscriptFile | undefined>;

  /** The file with a tool's complete output, by name; `undefined` if it is absent. None by default. */
  persisted?(root: string, session: SessionKey, name: string): PersistedOutput | undefined;

  /** Records that other sessions, or other files of this session, wrote first. None by default. */
  lineage?(root: string, session: TranscriptFileGroup, file: TranscriptFile): Generator<void, Lineage>;
}

interface MessageMembers {
  readonly own: string;
  /** Path to a nested record of another conversation, outer members first. None by default. */
  readonly inner?: readonly string[];
}

/**
 * Interprets the records of one tool's histories; derivation is common to all tools. It runs in a thread and may wait for the disk; long
 * tasks yield.
 */
export interface TranscriptFormat<R extends RecordParts = RecordParts> {
  /** Prefix of the type of passed-through events: `<name>.<type>`. */
  readonly name: string;

  readonly folder: TranscriptFolder;

  /**
   * Content of a record, independent of earlier ones. It builds no event, because a summary needs none.
   * @param line from 1: it names things without an ID
   */
  parts(record: JsonObject, line: number): R;

  follower(recorder: TraceRecorder): Follower<R>;

  /** Paths to arrays of nested records, outer members first. Each element is processed after the record, recursively. None by default. */
  readonly nestedIn?: readonly (readonly string[])[];

  readonly messageMembers: MessageMembers;

  /** Message of a record without the message members; `undefined` if the record itself is the message. Default is always that. */
  message?(record: JsonObject): JsonObject | undefined;

  /** Member with the instant, as a text or in milliseconds since the epoch. */
  readonly instantMember: string;

  /** Parses the file beside a sub-agent's; `undefined` without a note. Default is no such files. */
  readNote?(text: string): AgentNote | undefined;

  /** Role and description of an agent that no call spawned, by its ID. Default is nothing. */
  agentOf?(agentId: string): Pick<AgentNote, "role" | "description"> | undefined;
}
