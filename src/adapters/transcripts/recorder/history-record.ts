import type { JsonObject } from "../../../domain/json/json.js";
import type { TokenUsage } from "../../../domain/usage/token-usage.js";
import type { ToolOutcome } from "./parts.js";
import type { TurnOutcome } from "./trace-rows.js";

/**
 * Meaning of one record of a history, as plain JSON data: functions, promises and iterators do not count.
 * @example
 * { parts: [{ is: "text", text: "Seven apples." }], call: { model: "quill-1", usage: { outputTokens: 4 } } }
 */
export interface HistoryRecord {
  /** In the order of events. An empty list is a record that the trace displays as it is. */
  readonly parts: readonly HistoryPart[];
  /** Type of the record. A record without a displayed part becomes an event `<id>.<type>`. Default is `"record"`. */
  readonly type?: string | undefined;
  /** True if this type is not recognised: the session counts it. Default is true for a record without parts. */
  readonly isUnknown?: boolean | undefined;
  /** True for state that neither a person nor a model reads, such as settings. Default is false. */
  readonly isBookkeeping?: boolean | undefined;
  /** Id of the record. A later record with the same id counts as its copy. Default is that no record is a copy. */
  readonly id?: string | undefined;
  /** ISO 8601 text, or milliseconds since the epoch. Default is `instantMember` of the record. */
  readonly instant?: unknown;
  /** True for a message of the conversation. Default is a record with a prompt, a text, a thought, a call or a result. */
  readonly isMessage?: boolean | undefined;
  /** Version of the tool that wrote the record. */
  readonly version?: string | undefined;
  /** Working directory of the session. */
  readonly directory?: string | undefined;
  /** The model call that answered with this record. Default is that the record is no answer of a model. */
  readonly call?: HistoryCall | undefined;
  /** Further members of `session.start`, if this is the first record. */
  readonly start?: JsonObject | undefined;
  /** Further members of the event of a record without a displayed part. */
  readonly passed?: JsonObject | undefined;
  /** The record without the content of its parts. Default is the complete record, whose content is then twice in the trace. */
  readonly rest?: JsonObject | undefined;
}

export interface HistoryCall {
  readonly model?: string | undefined;
  /** Id of the vendor's message. Records with the same id are one call, and its largest usage counts. */
  readonly messageId?: string | undefined;
  /** Tokens. `inputTokens` excludes those of a cache. Default is 0 each; a count that is no integer from 0 up is a warning. */
  readonly usage?: Partial<TokenUsage> | undefined;
  /** US dollars, if the tool recorded them. Default is the price of the model. */
  readonly costUsd?: number | undefined;
  /** Default is the time since the call's input. */
  readonly durationMs?: number | undefined;
  /** Further members of `llm.end`. */
  readonly more?: JsonObject | undefined;
}

/**
 * One element of a record. Records have either any number of texts, thoughts, blocks, calls and results, or one part of another kind.
 * - `prompt`: begins a turn. `input` is its content, if that is more than the text.
 * - `block`: other content of a message. Its event has the type `<id>.<type>`.
 * - `call`, `result`: use of a tool. Equal ids connect them; without an id they do not belong together. `refused` is a call that a person
 *   did not allow. Default of `outcome` is `completed`.
 * - `input`: content for the model that no person typed.
 * - `turn end`: without an `outcome`, the turn has failed if its last answer has.
 * - `error`: a failure of the runtime or of the model. `isLast` if the turn ends with it.
 * - `compaction`: earlier messages were replaced by a summary.
 * - `title`: names the session.
 */
export type HistoryPart = StatedPart & {
  /** Further members of the part's event. */
  readonly more?: JsonObject | undefined;
};

type StatedPart =
  | { readonly is: "prompt"; readonly text?: string | undefined; readonly input?: unknown }
  | { readonly is: "text" | "thinking"; readonly text?: string | undefined }
  | { readonly is: "block"; readonly type: string }
  | {
      readonly is: "call";
      readonly callId?: string | undefined;
      readonly tool?: string | undefined;
      readonly input?: unknown;
    }
  | {
      readonly is: "result";
      readonly callId?: string | undefined;
      readonly output?: unknown;
      readonly outcome?: ToolOutcome | undefined;
    }
  | { readonly is: "input" }
  | { readonly is: "turn end"; readonly outcome?: TurnOutcome | undefined }
  | { readonly is: "error"; readonly message: string; readonly isLast?: boolean | undefined }
  | { readonly is: "compaction"; readonly summary?: string | undefined }
  | { readonly is: "title"; readonly title?: string | undefined };
