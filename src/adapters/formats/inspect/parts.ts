import { isJsonObject, type JsonObject, objectField, present, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import * as parts from "../../transcripts/recorder/parts.js";
import { callOf, type InspectCall } from "./model-calls.js";

export interface InspectRecord extends parts.RecordParts<parts.CommonPart> {
  /** `""` for the sample itself. */
  readonly agent: string;
  readonly role?: string | undefined;
  readonly call?: InspectCall | undefined;
}

/** Bookkeeping, then displayed events. Others pass through and count as unknown. */
const BOOKKEEPING = [
  "sample",
  "model",
  "span_begin",
  "span_end",
  "step",
  "state",
  "store",
  "sample_init",
  "logger",
  "sandbox",
];
const VISIBLE = [
  "sample_limit",
  "info",
  "approval",
  "input",
  "subtask",
  "score_edit",
  "branch",
  "anchor",
  "checkpoint",
];
const READ = ["model", "tool", "tool_end", "score", "error", "compaction"];
const REGISTERED: ReadonlySet<unknown> = new Set([...BOOKKEEPING, ...VISIBLE, ...READ]);

export function readRecord(record: JsonObject, line: number): InspectRecord {
  const type = textField(record, "event") ?? `${record.line}`;
  const message =
    isJsonObject(record.message) && (record.line === "message" || type === "model") ? record.message : {};
  const isMessage = message === record.message;
  const isLine = record.line !== undefined;
  const role = textField(message, "role") ?? "unknown";
  return {
    parts: partsOf(record, type, message, line),
    ...parts.recordedAt(record.timestamp, objectField(record, "sample").started_at),
    isMessage,
    agent: textField(record, "agent") ?? "",
    version: type === "sample" ? textField(objectField(runOf(record), "packages"), "inspect_ai") : undefined,
    unknownType: isLine || REGISTERED.has(type) ? undefined : type,
    ...(type === "message" ? { role } : {}),
    ...(type === "model" ? { call: callOf(record, line) } : {}),
    sessionStart() {
      const { task, model, sandbox } = runOf(record);
      const { id: sampleId, epoch, target, choices } = objectField(record, "sample");
      return {
        task,
        model,
        sandbox,
        sampleId,
        epoch,
        target,
        choices,
        status: objectField(record, "log").status,
      };
    },
    callEnd() {
      const output = objectField(record, "output");
      const { role: modelRole, cache, retries, working_time: workingTime } = record;
      const { total_cost: costUSD } = objectField(output, "usage");
      const facts = { stopReason: output.stop_reason, role: modelRole, cache, retries, workingTime, costUSD };
      return { model: textField(record, "model") ?? textField(output, "model"), ...present(facts) };
    },
    passed: () => passedThrough(record, type, role),
    rest() {
      const { message: _, ...rest } = record;
      return rest;
    },
    text: () => (type === "model" ? parts.textIn(message.content) : ""),
  };
}

const runOf = (record: JsonObject) => objectField(objectField(record, "log"), "eval");

function passedThrough(record: JsonObject, type: string, role: string): JsonObject {
  const isNote = BOOKKEEPING.includes(type) || (type === "message" && role === "tool");
  const bookkeeping = isNote ? "record" : undefined;
  const { tool_call_id: toolCallId, name, action } = record;
  if (type === "sandbox") return { type: "inspect.sandbox", bookkeeping, toolCallId, action };
  if (type === "message") return { type: "inspect.message", bookkeeping, role };
  return { type: `inspect.${type}`, bookkeeping, name };
}

function partsOf(
  record: JsonObject,
  type: string,
  message: JsonObject,
  line: number,
): readonly parts.CommonPart[] {
  switch (type) {
    case "message":
      return inputParts(message);
    case "model":
      return answerParts(record, message);
    case "tool":
      return [callPart(record, line)];
    case "tool_end":
      return [resultPart(record, line)];
    case "score":
      return [scorePart(record)];
    case "compaction": {
      const { tokens_before: tokensBefore, tokens_after: tokensAfter, type: subtype, source } = record;
      const event = { type: "compaction.end", subtype, source, tokensBefore, tokensAfter };
      return [{ is: "compaction", event: () => event }];
    }
    case "retry":
    case "error":
      return [errorPart(record.error, type === "error")];
    case "end": {
      const { error, limit, is_reported: isReported } = record;
      const outcome = error !== undefined ? "failed" : limit !== undefined ? "cancelled" : "completed";
      const failed = error === undefined || isReported === true ? [] : [errorPart(error, true)];
      return [...failed, parts.turnEndPart(outcome, present({ limit }))];
    }
    default:
      return [];
  }
}

function inputParts({ role, content }: JsonObject): readonly parts.CommonPart[] {
  const textPart = { type: "text", role, text: parts.textIn(content) };
  const spoken = {
    is: "block",
    event: () => (typeof content === "string" ? textPart : { ...textPart, content }),
  } as const;
  if (role === "user") return [parts.promptPart(textPart.text, () => content), { ...spoken, block: 1 }];
  return role === "system" ? [spoken] : [];
}

function answerParts({ error, output }: JsonObject, { content }: JsonObject): readonly parts.CommonPart[] {
  const blocks = Array.isArray(content) ? content : [content ?? ""].filter((one) => one !== "");
  const failure = error ?? objectField({ output }, "output").error ?? undefined;
  return [
    ...blocks.map((block, at) =>
      blockPart(typeof block === "string" ? { type: "text", text: block } : block, at),
    ),
    ...(failure === undefined || failure === null ? [] : [{ ...errorPart(failure, true), endsCall: true }]),
  ];
}

function blockPart(block: unknown, at: number): parts.CommonPart {
  if (!isJsonObject(block))
    return { is: "block", block: at, event: () => ({ type: "inspect.part", value: block }) };
  const thinking = textField(block, "reasoning") ?? textField(block, "summary");
  const type = block.type === "text" ? "text" : `inspect.${textField(block, "type") ?? "part"}`;
  const event =
    block.type === "reasoning"
      ? { ...block, type: "thinking", thinking: thinking ?? "" }
      : { ...block, type };
  return { is: "block", block: at, event: () => event };
}

function errorPart(error: unknown, isLast: boolean): parts.ErrorPart {
  const errorText = isJsonObject(error)
    ? error
    : { message: typeof error === "string" ? error : jsonTextOf(error) };
  return {
    is: "error",
    isLast,
    event: () => ({ type: "error", error: errorText, ...(isLast ? {} : { retried: true }) }),
  };
}

const toolCallIdOf = ({ id }: JsonObject, line: number) =>
  typeof id === "string" && id !== "" ? id : `line ${line}`;

function callPart(record: JsonObject, line: number): parts.CallPart {
  const toolCallId = toolCallIdOf(record, line);
  const toolName = textField(record, "function") ?? "unknown";
  return {
    is: "call",
    toolCallId,
    toolName,
    event: () => ({ type: "tool.start", toolCallId, toolName, input: record.arguments }),
    spawn() {
      if (textField(record, "spawned") === undefined) return undefined;
      return { role: "agent", description: textField(record, "agent_name") ?? toolName, prompt: undefined };
    },
  };
}

function resultPart(record: JsonObject, line: number): parts.ResultPart {
  const { result: output, error, failed, truncated } = record;
  const toolCallId = toolCallIdOf(record, line);
  const isError = isJsonObject(error) || failed === true;
  const outcome =
    isJsonObject(error) && error.type === "approval" ? "refused" : isError ? "failed" : "completed";
  const ended = { output, ...present({ error: error ?? undefined, truncated: truncated ?? undefined }) };
  return {
    is: "result",
    toolCallId,
    event: () => ({
      type: "tool.end",
      toolCallId,
      toolName: record.function,
      ...ended,
      ...parts.failureOf(outcome),
    }),
    end: () => ({ outcome, agentId: textField(record, "spawned"), isLaunch: false }),
    result: () => ({
      text:
        textField(objectField(record, "error"), "message") ??
        (parts.textIn(output) || (jsonTextOf(output) ?? "")),
    }),
  };
}

function scorePart(record: JsonObject): parts.CommonPart {
  const score = isJsonObject(record.score) ? record.score : { value: record.score };
  const { name, target, intermediate } = record;
  const { value } = score;
  const text = typeof value === "string" ? value : jsonTextOf(value);
  return {
    is: "block",
    event: () => ({ ...score, type: "inspect.score", name, text, target, intermediate }),
  };
}
