import type { JsonObject } from "../../../domain/json/json.js";
import type { ConversationState } from "./conversation-state.js";
import type { TitleClaim } from "./parts.js";
import type { LineLocation } from "./trace-rows.js";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface CopiedRecord {
  readonly isMessage: boolean;
  readonly isNeeded: boolean;
}

export interface TraceRecorderOptions {
  /** The file's agent; `""` for the session's conversation. */
  readonly agentId: string;
  /** True if every line belongs to that agent, whatever it names. */
  readonly isOneConversation: boolean;
  readonly model?: string | undefined;
  readonly isContinued: boolean;
  /** The array with the records of a file that is one JSON document. */
  readonly arrayMember?: string | undefined;
  readonly retainsRows: boolean;
  readonly isReplay: (record: JsonObject) => boolean;
  readonly copyAt?: ((start: number) => CopiedRecord | undefined) | undefined;
}

export interface RecordOrigin {
  readonly conversation: ConversationState;
  readonly place: LineLocation;
  /** In milliseconds since the epoch; `NaN` before the conversation's first instant. */
  readonly instant: number;
  readonly isInner: boolean;
  readonly isRepeated: boolean;
}

export interface TitleHints {
  /** From the user; `suggested` is from a model. */
  chosen?: string | undefined;
  suggested?: string | undefined;
  key?: string | undefined;
  readonly claims: TitleClaim[];
}

/** The displayed part of the record. The first envelope of a record also carries the rest. */
export interface PartLocation {
  readonly isMain: boolean;
  readonly part: number;
}

export interface TypeCount {
  readonly type: string;
  readonly count: number;
}
