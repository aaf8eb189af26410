import type { TokenUsage } from "../usage/token-usage.js";
import type { TraceEvent } from "./trace-envelope.js";

/** Events of a recorder. A start and its end share a key (`turnIndex`, `callId`, `toolCallId`); further facts go into `metadata`. */
export type RuntimeEvent = EventMembers &
  (
    | {
        readonly type: "session.start" | "session.end";
        /** Working directory of the agent. */
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
        readonly cancelReason?: string | undefined;
      }
    | ({
        readonly type: "llm.start";
        /** Only if the messages do not contain it. */
        readonly system?: unknown;
        /** Any vendor's shape. */
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
        /** A person refused the call: this is not an error. */
        readonly refused?: boolean | undefined;
        readonly outcome?: Outcome | undefined;
        readonly error?: EventError | undefined;
        readonly cancelReason?: string | undefined;
      }
    /** Text between calls. Without `role` it is the model's. */
    | { readonly type: "text"; readonly text: string; readonly role?: string | undefined }
    /** Only if the provider exposes thoughts. */
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

/** `cancelled` work neither failed nor completed. A `waiting` turn continues after a person's answer. */
type Outcome = "completed" | "failed" | "cancelled" | "waiting";

type EventError = string | { readonly message: string; readonly type?: string | undefined };

type EventMembers = {
  /** Absent for the main agent. */
  readonly agentId?: string | undefined;
  readonly parentAgentId?: string | undefined;
  /** Displayed unchanged. */
  readonly metadata?: unknown;
};

type ModelCall = {
  readonly callId: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** Id of the answer, if the provider has one. */
  readonly messageId?: string | undefined;
};

/** An event of the application, of any type that the recorder does not offer. */
export type OwnEvent<Type extends string> = {
  readonly type: Type extends RuntimeEvent["type"] ? never : Type;
  readonly [member: string]: unknown;
};

export type RecordableEvent = RuntimeEvent | TraceEvent;
