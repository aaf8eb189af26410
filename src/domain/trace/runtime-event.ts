import type { TokenUsage } from "../usage/token-usage.js";
import type { TraceEvent } from "./trace-envelope.js";

/**
 * The runtime events of a recorder. A start and its end share a key (`turnIndex`, `callId`, `toolCallId`), which a viewer uses to pair
 * them. Further facts go into `metadata`; an application may record custom types.
 */
export type RuntimeEvent = EventMembers &
  (
    | {
        readonly type: "session.start" | "session.end";
        /** The folder that the agent works in. */
        readonly cwd?: string | undefined;
        readonly model?: string | undefined;
        readonly outcome?: Outcome | undefined;
      }
    | { readonly type: "turn.start"; readonly turnIndex: number; readonly input?: unknown }
    | {
        readonly type: "turn.end";
        readonly turnIndex: number;
        readonly outcome: Outcome;
        readonly input?: unknown;
        readonly error?: string | undefined;
        /** Why it was called off. */
        readonly cancelReason?: string | undefined;
      }
    | ({
        readonly type: "llm.start";
        /** The system prompt, if it is not one of the messages. */
        readonly system?: unknown;
        /** The context of the model, in any vendor's shape. */
        readonly messages?: readonly object[] | undefined;
      } & ModelCall)
    | ({
        readonly type: "llm.end";
        readonly usage?: Partial<TokenUsage> | undefined;
        readonly stopReason?: string | undefined;
        readonly output?: unknown;
        readonly outcome?: Outcome | undefined;
        readonly error?: EventError | undefined;
        readonly cancelReason?: string | undefined;
      } & ModelCall)
    | {
        readonly type: "tool.start";
        readonly toolCallId: string;
        readonly toolName: string;
        readonly input?: unknown;
      }
    | {
        readonly type: "tool.end";
        readonly toolCallId: string;
        readonly toolName: string;
        readonly input?: unknown;
        readonly output?: unknown;
        readonly isError?: boolean | undefined;
        /** True if a person refused the call: this is not an error. */
        readonly refused?: boolean | undefined;
        readonly outcome?: Outcome | undefined;
        readonly error?: EventError | undefined;
        readonly cancelReason?: string | undefined;
      }
    /** Text between calls. `role` names whose it is; without it, it is the model's. */
    | { readonly type: "text"; readonly text: string; readonly role?: string | undefined }
    /** Thoughts of the model between calls, if its provider exposes them. */
    | { readonly type: "thinking"; readonly thinking: string; readonly role?: string | undefined }
    | {
        readonly type: "compaction.start";
        readonly trigger?: string | undefined;
        readonly tokensBefore?: number | undefined;
      }
    | {
        readonly type: "compaction.end";
        readonly trigger?: string | undefined;
        readonly tokensBefore?: number | undefined;
        readonly tokensAfter?: number | undefined;
        readonly summary?: string | undefined;
      }
    | { readonly type: "input.waiting"; readonly prompt?: string | undefined }
    | { readonly type: "error"; readonly error: EventError }
  );

/** `cancelled` work was stopped before its end: it neither failed nor completed. A `waiting` turn continues after a person's answer. */
type Outcome = "completed" | "failed" | "cancelled" | "waiting";

/** Why something failed. */
type EventError = string | { readonly message: string; readonly type?: string | undefined };

/** Members of every event of the recorder. */
type EventMembers = {
  /** The sub-agent that it is of; absent for the main one. */
  readonly agentId?: string | undefined;
  readonly parentAgentId?: string | undefined;
  /** Further facts of the application, displayed unchanged. */
  readonly metadata?: unknown;
};

type ModelCall = {
  readonly callId: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** Of the answer, where the provider gave it one. */
  readonly messageId?: string | undefined;
};

/** An event of an application's own: of any type that the recorder does not offer, with whatever members. */
export type OwnEvent<Type extends string> = {
  readonly type: Type extends RuntimeEvent["type"] ? never : Type;
  readonly [member: string]: unknown;
};

/** An event of the table above, or one of the application's own. */
export type RecordableEvent = RuntimeEvent | TraceEvent;
