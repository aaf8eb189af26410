import type { JsonObject } from "../../domain/json/json.js";
import type { ConversationState } from "./conversation-state.js";
import type { TitleClaim } from "./parts.js";
import type { LineLocation } from "./trace-rows.js";

/** A record that another file holds first. */
export interface CopiedRecord {
  /** True if it is a message: the model's context contained it. */
  readonly isMessage: boolean;
  /** True if later records depend on it. */
  readonly isNeeded: boolean;
}

export interface TraceRecorderOptions {
  /** The agent whose file it is; `""` for the conversation of a session. */
  readonly agentId: string;
  /** True if every line belongs to that agent, even if it names another one; else each line belongs to the agent that it names. */
  readonly isOneConversation: boolean;
  /** The model of calls whose records name none. Default is that nothing says it. */
  readonly model?: string | undefined;
  /** True if the conversation began in another file. */
  readonly isContinued: boolean;
  /** The member whose array holds the records of a file that is one JSON document. */
  readonly arrayMember?: string | undefined;
  /** True if rows and messages are required; false for their summary only. */
  readonly keepsRows: boolean;
  /** True if another session wrote the record first. */
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
  /** Title from the user, and title from a model. */
  given?: string | undefined;
  suggested?: string | undefined;
  /** The key by which other files refer to the session. */
  key?: string | undefined;
  /** Titles of sessions by their keys. Most are of other sessions than the file's own. */
  readonly claims: TitleClaim[];
}

/** The part of its record that an envelope displays; the first envelope of a record carries the rest of it. */
export interface PartLocation {
  readonly isMain: boolean;
  readonly part: number;
}

/** Number of records of one type. */
export interface TypeCount {
  readonly type: string;
  readonly count: number;
}
