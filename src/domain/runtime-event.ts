import type { JsonObject } from "./json.js";
import type { TokenUsage } from "./session.js";
import type { TraceEvent } from "./trace-envelope.js";

/**
 * The runtime events that a recorder offers. A start and its end share a key (`turnIndex`, `callId`, `toolCallId`), by
 * which a viewer pairs them. Any of them may carry more fields, and an application may record types of its own.
 */
export type RuntimeEvent =
  | (JsonObject & { readonly type: "session.start" | "session.end" })
  | (JsonObject & { readonly type: "turn.start"; readonly turnIndex: number; readonly input?: unknown })
  | (JsonObject & {
      readonly type: "turn.end";
      readonly turnIndex: number;
      readonly outcome: "completed" | "failed";
      readonly error?: string;
    })
  | (JsonObject & { readonly type: "llm.start"; readonly callId: string; readonly model?: string })
  | (JsonObject & {
      readonly type: "llm.end";
      readonly callId: string;
      readonly model?: string;
      readonly usage?: Partial<TokenUsage>;
      readonly stopReason?: string;
    })
  | (JsonObject & {
      readonly type: "tool.start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input?: unknown;
    })
  | (JsonObject & {
      readonly type: "tool.end";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output?: unknown;
      readonly isError?: boolean;
    })
  /** Text between calls. `role` names whose it is; without it, it is the model's. */
  | (JsonObject & { readonly type: "text"; readonly text: string; readonly role?: string })
  /** What the model thought between calls, as far as its provider shows it. */
  | (JsonObject & { readonly type: "thinking"; readonly thinking: string; readonly role?: string })
  | (JsonObject & {
      readonly type: "compaction.start";
      readonly trigger?: string;
      readonly tokensBefore?: number;
    })
  | (JsonObject & {
      readonly type: "compaction.end";
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
    })
  | (JsonObject & { readonly type: "input.waiting"; readonly prompt?: string })
  | (JsonObject & { readonly type: "error"; readonly error: { readonly message: string } });

/** An event of the table above, or one of the application's own. */
export type RecordableEvent = RuntimeEvent | TraceEvent;
