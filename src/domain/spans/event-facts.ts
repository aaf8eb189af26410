import {
  type Bookkeeping,
  classifyEvent,
  type EventKind,
  type EventPhase,
  readBookkeeping,
} from "../dialects/event-kinds.js";
import { reasonIn } from "../dialects/output-envelopes.js";
import { readUsage, recordedCostOf } from "../dialects/recorded-usage.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { previewText } from "../text/preview-text.js";
import type { Subject } from "../text/subject.js";
import { instantOf } from "../trace/instant.js";
import { isFailure } from "../trace/outcome.js";
import type { TokenUsage } from "../usage/token-usage.js";
import { eventSubject, firstText, textWithin } from "./preview.js";

/** Facts of one envelope for the views. The envelope itself stays text until a viewer opens it. */
export interface EventFacts {
  /** Position in the response, from 0. */
  readonly index: number;
  readonly id: string;
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly source: string;
  readonly traceId: string;
  readonly type: string;
  readonly kind: EventKind;
  readonly phase: EventPhase;
  /** Only for a span that is recorded once, at its end. Not after `at`. */
  readonly startedAt: number | undefined;
  /** Only for such a span: the writer stopped waiting for its end. */
  readonly isUnfinished: boolean;
  /** Ids of the recorder of spans. */
  readonly spanId: string | undefined;
  readonly parentSpanId: string | undefined;
  /** The start and the end of a span share it. */
  readonly key: string | undefined;
  /** Tool, model, agent, or role of a text. */
  readonly name: string | undefined;
  readonly agentId: string | undefined;
  readonly parentAgentId: string | undefined;
  /** Tool call that caused an orchestration event. */
  readonly toolCallId: string | undefined;
  /** Tool call whose question this event answers. */
  readonly answers: string | undefined;
  readonly messageId: string | undefined;
  readonly usage: TokenUsage | undefined;
  /** Only for a model call, if recorded. */
  readonly provider: string | undefined;
  readonly recordedUsd: number | undefined;
  /** Characters of a model's text or of its tool input. */
  readonly writtenSize: number;
  readonly error: string | undefined;
  readonly subject: Subject;
  /** A text without words, such as an encrypted thought. */
  readonly isEmpty: boolean;
  /** Only for the start of a session. */
  readonly directory: string | undefined;
  /** Undefined for steps of the agent. */
  readonly bookkeeping: Bookkeeping | undefined;
  /** True if the instant is not recorded. */
  readonly derived: boolean;
  /** A turn without a person's prompt. */
  readonly isUnasked: boolean;
  /** Characters of JSON, at the end of a tool. */
  readonly outputSize: number;
  /** Only for a compaction. */
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
}

export function readEventFacts(envelope: JsonObject, index: number, previousAt: number): EventFacts {
  const event = isJsonObject(envelope.event) ? envelope.event : {};
  const type = textField(event, "type") ?? "unknown";
  const { kind, phase } = classifyEvent(type);
  const output = event.output ?? event.result;
  const subject = eventSubject(kind, event);
  const { tokensBefore, tokensAfter } = compactionTokens(event);
  const at = instantOf(envelope.timestamp) ?? previousAt;
  return {
    index,
    id: textField(envelope, "id") ?? `#${index}`,
    sequence: typeof envelope.sequence === "number" ? envelope.sequence : index,
    at,
    source: textField(envelope, "source") ?? "runtime",
    traceId: textField(envelope, "traceId") ?? "",
    type,
    kind,
    phase,
    startedAt: kind === "span" ? readStart(event, at) : undefined,
    isUnfinished: event.isUnfinished === true,
    spanId: textField(event, "spanId"),
    parentSpanId: textField(event, "parentSpanId"),
    key: readKey(kind, event),
    name: readName(kind, event),
    agentId: readAgentId(kind, event),
    parentAgentId:
      textField(event, "parentAgentId") ?? textField(objectField(event, "agent"), "parentAgentId"),
    toolCallId: readToolCallId(event),
    answers: textField(event, "answers"),
    messageId: textField(event, "messageId") ?? textField(objectField(event, "message"), "id"),
    usage: readUsage(event),
    provider: kind === "llm" ? textField(event, "provider") : undefined,
    recordedUsd: kind === "llm" ? recordedCostOf(event) : undefined,
    writtenSize: readWrittenSize(kind, event),
    error: readError(kind, event),
    subject,
    bookkeeping: readBookkeeping(event),
    isEmpty: kind === "text" && subject.text === "" && !hasContent(event.images),
    directory: kind === "session" ? firstText(event, ["cwd", "directory", "workingDirectory"]) : undefined,
    derived: event.derived === true,
    isUnasked: kind === "turn" && event.asked === false,
    outputSize: phase === "end" && kind === "tool" ? sizeOf(output) : 0,
    tokensBefore,
    tokensAfter,
  };
}

/** The duration is 0 if the clock was set back. */
function readStart(event: JsonObject, at: number): number | undefined {
  const byLength = typeof event.durationMs === "number" ? instantOf(at - event.durationMs) : undefined;
  const startedAt = instantOf(event.startedAt) ?? byLength;
  return startedAt === undefined ? undefined : Math.min(startedAt, at);
}

function readWrittenSize(kind: EventKind, event: JsonObject): number {
  if (kind === "text") return (textField(event, "text") ?? textField(event, "thinking") ?? "").length;
  return kind === "tool" ? (jsonOf(toolInput(event))?.length ?? 0) : 0;
}

export function toolInput(event: JsonObject): unknown {
  return event.input ?? event.args ?? event.arguments ?? event.parameters;
}

export function jsonOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

function readKey(kind: EventKind, event: JsonObject): string | undefined {
  switch (kind) {
    case "tool":
      return toolCallIdOf(event);
    case "llm":
      return modelCallIdOf(event);
    case "turn":
      return firstText(event, ["turnIndex", "turnId", "turn"]);
    case "agent":
      return readAgentId(kind, event);
    case "job":
      return firstText(objectField(event, "job"), ["jobId", "id"]) ?? firstText(event, ["jobId"]);
    case "wait":
      return firstText(objectField(event, "wait"), ["id"]) ?? firstText(event, ["waitId"]);
    case "skill":
    case "compaction":
    case "run":
    case "session":
      return firstText(event, ["compactionId", "skillName", "runId"]);
    default:
      return undefined;
  }
}

export function toolCallIdOf(event: JsonObject): string | undefined {
  return firstText(event, ["toolCallId", "callId", "toolUseId", "id"]);
}

export function modelCallIdOf(event: JsonObject): string | undefined {
  return firstText(event, ["callId", "llmCallId", "requestId", "messageId"]);
}

export function toolNameOf(event: JsonObject): string | undefined {
  return firstText(event, ["toolName", "name", "tool"]) ?? firstText(objectField(event, "tool"), ["name"]);
}

function readName(kind: EventKind, event: JsonObject): string | undefined {
  switch (kind) {
    case "tool":
      return toolNameOf(event);
    case "llm":
      return firstText(event, ["model", "modelId"]);
    case "skill":
      return firstText(event, ["skillName", "name", "skill"]);
    case "text":
      return textField(event, "role");
    case "agent": {
      const agent = objectField(event, "agent");
      return firstText(agent, ["displayName", "role"]) ?? firstText(event, ["displayName", "role"]);
    }
    case "span":
    case "evaluation":
    case "unknown":
      return textField(event, "name");
    default:
      return undefined;
  }
}

function readAgentId(kind: EventKind, event: JsonObject): string | undefined {
  const own = kind === "agent" ? textField(objectField(event, "agent"), "id") : undefined;
  return own ?? textField(event, "agentId") ?? namedAgentId(event);
}

function namedAgentId(event: JsonObject): string | undefined {
  for (const part of ["job", "input", "wait", "close"]) {
    const agentId = textField(objectField(event, part), "agentId");
    if (agentId !== undefined) return agentId;
  }
  return undefined;
}

function readToolCallId(event: JsonObject): string | undefined {
  const names = ["toolCallId", "toolUseId", "parentToolCallId"];
  return (
    firstText(event, names) ??
    firstText(objectField(event, "agent"), names) ??
    firstText(objectField(event, "job"), [...names, "jobId"]) ??
    firstText(event, ["jobId"])
  );
}

function readError(kind: EventKind, event: JsonObject): string | undefined {
  if (!isFailure(event)) return undefined;
  return previewText(errorText(kind, event) || (kind === "error" ? "error" : "failed"), 300);
}

export function errorText(kind: EventKind, event: JsonObject): string {
  const error = event.error ?? objectField(event, "job").error;
  const output = kind === "error" ? event.message : (event.output ?? event.result ?? event.content);
  return errorMessage(error) || reasonIn(textWithin(output)) || textWithin(error);
}

export function errorMessage(error: unknown): string {
  if (typeof error === "string") return error;
  return isJsonObject(error) ? (textField(error, "message") ?? "") : "";
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  return value === undefined ? 0 : JSON.stringify(value).length;
}

export function compactionTokens(event: JsonObject): {
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
} {
  return {
    tokensBefore: firstCount(event, ["tokensBefore", "preTokens", "beforeTokens"]),
    tokensAfter: firstCount(event, ["tokensAfter", "postTokens", "afterTokens"]),
  };
}

function firstCount(event: JsonObject, names: readonly string[]): number | undefined {
  for (const part of [event, objectField(event, "compactMetadata"), objectField(event, "compaction")]) {
    for (const name of names) {
      const value = part[name];
      if (typeof value === "number" && value >= 0) return value;
    }
  }
  return undefined;
}
