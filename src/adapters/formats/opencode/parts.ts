import * as messages from "../../../domain/conversation/opencode-messages.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { ReportedCall } from "../../transcripts/recorder/calls.js";
import * as parts from "../../transcripts/recorder/parts.js";
import * as opencode from "./message.js";
import { type OpenCodePart, toolParts } from "./tool-parts.js";

export interface OpenCodeRecord extends parts.RecordParts<OpenCodePart> {
  /** `undefined` for records other than messages. */
  readonly role: "user" | "assistant" | undefined;
  /** `undefined` if the model was not called for it. */
  readonly call: ReportedCall | undefined;
  readonly answeredAt: number | undefined;
  readonly completedAt: number | undefined;
  /** OpenCode sends no failed answer to the model, and an aborted one only if it has content. */
  readonly isUnsent: boolean;
  /** The model called no tool and waits for nothing. */
  readonly isLast: boolean;
  readonly saysText: boolean;
  /** The record summarises the context or requests that. `retainedFrom` is the first retained message, if recorded. */
  readonly compaction: "request" | "summary" | undefined;
  readonly retainedFrom: string | undefined;
  readonly directory: string | undefined;
}

export function readRecord(record: JsonObject, line: number): OpenCodeRecord {
  const message = messages.messageOf(record);
  return message === undefined ? otherRecord(record) : messageRecord(record, message, line);
}

const NO_MESSAGE = {
  role: undefined,
  call: undefined,
  answeredAt: undefined,
  completedAt: undefined,
  isUnsent: false,
  isLast: false,
  saysText: false,
  compaction: undefined,
  retainedFrom: undefined,
  directory: undefined,
  isMessage: false,
  text: () => "",
} as const;

/** Placeholders until a model makes a title. */
const NO_TITLE = /^(New|Child) session - \d{4}-/;

function otherRecord(record: JsonObject): OpenCodeRecord {
  if (typeof record.type === "string") return eventRecord(record, record.type);
  const info = objectField(record, "info");
  const kind =
    typeof info.id === "string"
      ? "session"
      : "revert" in record
        ? "revert"
        : "damaged" in record
          ? "damaged"
          : "record";
  const suggested = textField(info, "title");
  const titles = suggested && !NO_TITLE.test(suggested) ? { suggested } : {};
  return {
    ...NO_MESSAGE,
    parts:
      kind === "session"
        ? [{ is: "title", titles }]
        : kind === "revert"
          ? [rewindPart(record)]
          : kind === "damaged"
            ? [{ is: "failure" }]
            : [],
    ...parts.recordedAt(objectField(info, "time").created),
    version: textField(info, "version"),
    directory: textField(info, "directory"),
    ...(kind === "record" ? { unknownType: "record" } : {}),
    sessionStart: () => ({
      directory: info.directory,
      version: info.version,
      agent: info.agent,
      projectId: info.projectID,
      parentId: info.parentID,
    }),
    passed: () => ({ type: `opencode.${kind}`, bookkeeping: "record" }),
    rest: () => record,
  };
}

function rewindPart({ revert }: JsonObject): OpenCodePart {
  const { messageID, partID } = isJsonObject(revert) ? revert : {};
  return {
    is: "rewind",
    messageId: String(messageID),
    retainsMessage: typeof partID === "string",
    event: () => ({ type: "opencode.rewind", revert, droppedMessages: undefined }),
  };
}

const REGISTERED_EVENTS = new Set([
  "agent-switched",
  "model-switched",
  "location-switched",
  "compaction",
  "idle",
]);

function eventRecord(record: JsonObject, type: string): OpenCodeRecord {
  const data = objectField(record, "data");
  const outcome =
    data.outcome === "succeeded" ? "completed" : data.outcome === "interrupted" ? "cancelled" : "failed";
  const summary = messages.summaryOf(record);
  const compacted: OpenCodePart = {
    is: "compaction",
    event: () => ({ type: "compaction.end", summary, trigger: data.reason }),
  };
  const isSummedUp = type === "compaction" && summary !== undefined;
  return {
    ...NO_MESSAGE,
    parts: type === "idle" ? [parts.turnEndPart(outcome, {})] : isSummedUp ? [compacted] : [],
    compaction: isSummedUp ? "summary" : undefined,
    isMessage: isSummedUp,
    ...parts.recordedAt(objectField(data, "time").created),
    ...(REGISTERED_EVENTS.has(type) ? {} : { unknownType: type }),
    sessionStart: () => ({}),
    passed: () => ({ type: `opencode.${type}` }),
    rest: () => record,
  };
}

function messageRecord(record: JsonObject, message: messages.OpenCodeMessage, line: number): OpenCodeRecord {
  const { info } = message;
  const isAnswer = info.role === "assistant";
  const id = textField(info, "id") ?? textField(record, "id");
  const own = isAnswer ? answerParts(message, id ?? `line ${line}`) : [userPart(message)];
  const time = objectField(info, "time");
  const texts = own.flatMap((part) => (part.is === "text" ? (part.text ?? []) : []));
  const request = messages.compactionRequestIn(message);
  const isSummary = isAnswer && messages.isSummary(message);
  return {
    role: isAnswer ? "assistant" : "user",
    parts: own,
    ...parts.recordedAt(time.created, time.completed),
    id,
    isMessage: true,
    call: messages.isModelCall(message) ? callOf(info, id, line) : undefined,
    answeredAt: opencode.answeredAt(message),
    completedAt: instantOf(time.completed),
    isUnsent: isAnswer && opencode.isUnsent(message),
    isLast: typeof info.finish === "string" && info.finish !== "tool-calls",
    saysText: texts.length > 0,
    compaction: isSummary ? "summary" : request === undefined ? undefined : "request",
    retainedFrom: request && textField(request, "tail_start_id"),
    directory: textField(objectField(info, "path"), "cwd"),
    sessionStart: () => ({}),
    callEnd: () => ({
      model: info.modelID,
      provider: info.providerID,
      stopReason: info.finish,
      agent: info.agent,
      costUSD: opencode.recordedCost(info),
    }),
    passed: () => ({
      type: isAnswer ? "opencode.assistant" : "opencode.user",
      ...(isAnswer ? {} : { role: "user" }),
    }),
    rest: () => (own[0]?.is === "input" ? record : restOf(record, isAnswer)),
    text: () => (isAnswer ? texts.join("\n") : (messages.typedText(message) ?? "")),
  };
}

function restOf(record: JsonObject, isAnswer: boolean): JsonObject {
  const { data } = record;
  if (isJsonObject(data)) return { ...record, data: { ...data, content: undefined, text: undefined } };
  const isVisible = (part: JsonObject) => (isAnswer ? !isSilent(part) : messages.isTyped(part));
  return { ...record, parts: messages.objectsIn(record.parts).filter((part) => !isVisible(part)) };
}

function callOf(info: JsonObject, messageId: string | undefined, line: number): ReportedCall {
  return {
    messageId,
    recordId: `line ${line}`,
    model: textField(info, "modelID"),
    usage: messages.usageOf(info),
    hasOddCount: opencode.hasOddUsage(info),
    recordedUsd: opencode.recordedCost(info),
  };
}

function userPart(message: messages.OpenCodeMessage): OpenCodePart {
  if (!messages.isPrompt(message)) return { is: "input" };
  const text =
    messages.typedText(message) ?? message.parts.map((part) => textField(part, "prompt")).find(Boolean);
  const promptOf = (beginning: string) => beginning.replace(/^"(.+?)"?$/s, "$1");
  return { ...parts.promptPart(text, () => text ?? message.parts.map(blockOf)), promptOf };
}

const SILENT = new Set(["step-start", "step-finish", "snapshot", "patch", "agent"]);

function isSilent({ type }: JsonObject): boolean {
  return SILENT.has(String(type));
}

function answerParts(message: messages.OpenCodeMessage, id: string): readonly OpenCodePart[] {
  const { info } = message;
  const tools = message.parts.filter(messages.isTool);
  const spoken = message.parts.filter((part) => !messages.isTool(part) && !isSilent(part));
  const session = textField(info, "sessionID");
  const isStopped = opencode.isAborted(message);
  const calls = tools.map((part, at) =>
    toolParts(part, at, messages.toolCallIdOf(part, at, id), session, isStopped),
  );
  const blocks = messages.isSummary(message)
    ? [summaryPart(message)]
    : spoken.map((part, block): OpenCodePart => {
        const times = opencode.timesOf(part);
        const event = () => blockOf(part);
        return part.type === "text"
          ? { is: "text", block, text: textField(part, "text"), event, times }
          : { is: "block", block, event, times };
      });
  return [
    ...endOf(message, isStopped),
    ...blocks,
    ...calls.map(([begin]) => begin!),
    ...calls.flatMap(([, ...ended]) => ended),
  ];
}

function endOf({ info }: messages.OpenCodeMessage, isStopped: boolean): readonly OpenCodePart[] {
  if (isStopped) return [parts.turnEndPart("cancelled", {})];
  if (info.error === undefined || info.error === null) return [];
  const message = opencode.labelOfError(info.error) ?? "The model call failed.";
  const event = () => ({ type: "error", error: { message, details: info.error } });
  return [{ is: "error", isLast: true, endsCall: true, event }];
}

function summaryPart(message: messages.OpenCodeMessage): OpenCodePart {
  const [begin, end] = [instantOf(objectField(message.info, "time").created), opencode.answeredAt(message)];
  return {
    is: "compaction",
    ...(begin === undefined || end === undefined ? {} : { durationMs: Math.max(0, end - begin) }),
    event: () => ({ type: "compaction.end", summary: messages.typedText(message) }),
  };
}

function blockOf(part: JsonObject): JsonObject {
  if (part.type === "text") return part;
  if (part.type === "reasoning") return { ...part, type: "thinking", thinking: part.text, text: undefined };
  return { ...part, type: `opencode.${textField(part, "type") ?? "part"}` };
}
