import type { JsonObject } from "../../domain/json/json.js";
import type { ConversationState } from "./conversation-state.js";
import type { TitleClaim } from "./parts.js";
import type { LineLocation } from "./trace-rows.js";

/** A record that another file holds first. */
export interface CopiedRecord {
  /** Whether it is a message: the model saw it. */
  readonly isMessage: boolean;
  /** Whether the records behind it depend on it. */
  readonly isNeeded: boolean;
}

export interface TraceRecorderOptions {
  /** The agent whose file it is; `""` for the conversation of a session. */
  readonly agentId: string;
  /** Whether every line is of that agent, whichever agent it names; else each line belongs to the agent that it names. */
  readonly isOneConversation: boolean;
  /** The model of calls whose records name none. Default is that nothing says it. */
  readonly model?: string | undefined;
  /** Whether the conversation began in another file. */
  readonly isContinued: boolean;
  /** The member whose array holds the records of a file that is one JSON document. */
  readonly arrayMember?: string | undefined;
  /** Whether rows and messages are wanted, or only what they sum up to. */
  readonly keepsRows: boolean;
  /** Whether another session wrote the record first. */
  readonly isReplay: (record: JsonObject) => boolean;
  /** The copy of another file's record that lies at a place. */
  readonly copyAt?: ((start: number) => CopiedRecord | undefined) | undefined;
}

/** The record that an envelope is derived from, and where the envelope belongs. */
export interface RecordOrigin {
  readonly conversation: ConversationState;
  readonly place: LineLocation;
  /** Milliseconds since the epoch; `NaN` where nothing in the conversation knows one yet. */
  readonly instant: number;
  /** Derived from a record that lies inside this one. */
  readonly isInner: boolean;
  /** The record's id came before in the file, so it cannot be an envelope's id again. */
  readonly isRepeated: boolean;
}

/** The titles that a file contains, for its own session and for others. */
export interface TitleHints {
  /** The title that the user gave, and the one that a model did. */
  given?: string | undefined;
  suggested?: string | undefined;
  /** The key by which other files name the session. */
  key?: string | undefined;
  /** Titles of sessions by their keys. Most are of other sessions than the file's own. */
  readonly claims: TitleClaim[];
}

/** Which part of its record an envelope shows; the first envelope of a record carries what the others do not. */
export interface PartLocation {
  readonly isMain: boolean;
  readonly part: number;
}

/** How many records are of one type. */
export interface TypeCount {
  readonly type: string;
  readonly count: number;
}
