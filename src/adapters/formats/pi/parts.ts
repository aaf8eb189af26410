import { readUsage, recordedCostOf } from "../../../domain/dialects/recorded-usage.js";
import {
  isJsonObject,
  isOddCount,
  type JsonObject,
  labelField,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { NO_USAGE } from "../../../domain/usage/token-usage.js";
import type { ReportedCall } from "../../transcripts/recorder/calls.js";
import * as parts from "../../transcripts/recorder/parts.js";
import type { TreeRecord } from "../../transcripts/recorder/record-tree.js";
import * as pi from "./record.js";

type PiPart =
  | parts.CommonPart
  /** The entry continues from an entry before the last. It summarises the entries that this takes back. */
  | (parts.Part & { readonly is: "rewind" });

export interface PiRecord extends parts.RecordParts<PiPart>, TreeRecord {
  readonly instant: number | undefined;
  readonly isMessage: boolean;
  readonly requestedAt: number | undefined;
  readonly directory: string | undefined;
  /** The model of the answer, or the model for the next calls. */
  readonly model: string | undefined;
  readonly isAnswer: boolean;
  call(): ReportedCall | undefined;
}

const BOOKKEEPING: ReadonlyMap<unknown, string> = new Map([
  ["session", "version"],
  ["model_change", "modelId"],
  ["thinking_level_change", "thinkingLevel"],
  ["context_edit", "targetId"],
  ["usage", "kind"],
  ["custom", "customType"],
  ["label", "label"],
  ["session_info", "name"],
]);

const INPUT_ROLES = new Set<unknown>([
  "system",
  "custom",
  "hookMessage",
  "branchSummary",
  "compactionSummary",
]);

const STEPS = new Set<unknown>(["message", "custom_message", "compaction", "branch_summary"]);
const SPOKEN = new Set<unknown>(["user", "assistant", "toolResult", "bashExecution"]);

const COUNTS = ["input", "output", "cacheRead", "cacheWrite"];

/** @param format prefix of the event types that pass through */
export function readRecord(record: JsonObject, line: number, format: string): PiRecord {
  const { type } = record;
  const message = pi.messageOf(record);
  const id = textField(record, "id");
  const name = id ?? `line ${line}`;
  const isAnswer = message.role === "assistant";
  const isMirror = isAnswer && pi.isMirror(message);
  const usage = objectField(type === "message" ? message : record, "usage");
  // Pi writes 0 for an unavailable price.
  const costUSD = recordedCostOf({ usage }) || undefined;
  return {
    parts: partsOf(record, message, name, format),
    ...parts.recordedAt(record.timestamp, message.timestamp),
    id,
    key: type === "session" ? undefined : name,
    parentId: record.parentId === null ? null : textField(record, "parentId"),
    isMessage: isMessage(record, message),
    isUnseen: isMirror || (isAnswer && pi.endingOf(message) !== "answered"),
    editedId: type === "context_edit" ? textField(record, "targetId") : undefined,
    retainedFromId: type === "compaction" ? retainedFrom(record, name) : undefined,
    requestedAt: isAnswer ? instantOf(message.timestamp) : undefined,
    directory: type === "session" ? textField(record, "cwd") : undefined,
    model:
      textField(message, "model") ?? (type === "model_change" ? textField(record, "modelId") : undefined),
    isAnswer,
    version: type === "session" ? (labelField(record, "version") ?? "1") : undefined,
    unknownType: isRegistered(record, message) ? undefined : nameOf(record, message),
    call() {
      const read = readUsage({ usage });
      if (isMirror || (!isAnswer && read === undefined)) return undefined;
      return {
        messageId: undefined,
        recordId: name,
        model: textField(isAnswer ? message : record, "model"),
        usage: read ?? NO_USAGE,
        hasOddCount: COUNTS.some((count) => isOddCount(usage, count)),
        recordedUsd: costUSD,
        isBeside: !isAnswer,
      };
    },
    sessionStart() {
      const { cwd, version: sessionVersion, parentSession } = record;
      return type === "session" ? { cwd, sessionVersion, parentSession } : {};
    },
    callEnd() {
      const { model, provider, stopReason } = isAnswer ? message : record;
      // The error or the stop reason follows the answer: both are one.
      const isBroken = isAnswer && pi.endingOf(message) !== "answered";
      return { model, provider, stopReason: isBroken ? undefined : stopReason, costUSD };
    },
    passed: () => passedThrough(record, message, format),
    rest() {
      const { summary: _, ...rest } = record;
      const { content: __, ...others } = message;
      return type === "message" ? { ...record, message: others } : rest;
    },
    text: () => parts.textIn(message.content),
  };
}

function isMessage({ type, message }: JsonObject, { excludeFromContext }: JsonObject): boolean {
  return type === "message" ? isJsonObject(message) && excludeFromContext !== true : STEPS.has(type);
}

/** Before version 2 entries have no ids: the first retained entry is named by its index after the header. */
function retainedFrom({ firstKeptEntryId: id, firstKeptEntryIndex: index }: JsonObject, own: string): string {
  return typeof id === "string" ? id : typeof index === "number" ? `line ${index + 1}` : own;
}

function isRegistered({ type }: JsonObject, { role }: JsonObject): boolean {
  return type === "message"
    ? SPOKEN.has(role) || INPUT_ROLES.has(role)
    : STEPS.has(type) || BOOKKEEPING.has(type);
}

function nameOf(record: JsonObject, message: JsonObject): string {
  return textField(message, "role") ?? textField(record, "type") ?? "unknown";
}

function passedThrough(record: JsonObject, message: JsonObject, format: string): JsonObject {
  const { type, customType = message.customType } = record;
  const { role } = message;
  if (type === "custom_message" || INPUT_ROLES.has(role))
    return { type: "text", role: role === "system" ? role : "user", customType };
  const member = BOOKKEEPING.get(type);
  const bookkeeping = member && { subtype: labelField(record, member), bookkeeping: "record" };
  return { type: `${format}.${nameOf(record, message)}`, ...bookkeeping };
}

function partsOf(record: JsonObject, message: JsonObject, name: string, format: string): readonly PiPart[] {
  const { type, summary, tokensBefore, details, fromHook, fromId } = record;
  switch (type === "message" ? message.role : type) {
    case "user":
      return [parts.promptPart(parts.textIn(message.content) || undefined, () => message.content)];
    case "assistant":
      return [
        ...endParts(message),
        ...pi.blocksOf(message.content).map((block, at) => blockPart(block, at, name)),
      ];
    case "toolResult":
      return [resultPart(message, name)];
    case "compaction": {
      const event = () => ({ type: "compaction.end", tokensBefore, summary, details, fromHook });
      return [{ is: "compaction", event }];
    }
    case "branch_summary": {
      const event = () => ({ type: `${format}.branch_summary`, fromId, summary, droppedMessages: undefined });
      return [{ is: "rewind", event }];
    }
    case "session_info":
      return [{ is: "title", titles: { chosen: textField(record, "name") } }];
  }
  return type === "custom_message" || INPUT_ROLES.has(message.role) ? [{ is: "input" }] : [];
}

/** The end precedes the text of an incomplete answer. */
function endParts(message: JsonObject): readonly PiPart[] {
  const { errorMessage } = message;
  switch (pi.endingOf(message)) {
    case "failed": {
      const error = { message: textField(message, "errorMessage") ?? "The API answered with an error." };
      return [{ is: "error", isLast: true, endsCall: true, event: () => ({ type: "error", error }) }];
    }
    case "stopped":
      return [parts.turnEndPart("cancelled", { reason: errorMessage })];
    case "answered":
      return [];
  }
}

function blockPart(value: unknown, block: number, name: string): PiPart {
  if (!isJsonObject(value)) return { is: "block", block, event: () => ({ type: "text", value }) };
  if (value.type === "text") return { is: "text", block, text: textField(value, "text"), event: () => value };
  if (value.type !== "toolCall") return { is: "block", block, event: () => value };
  const { id, name: tool, arguments: input, ...rest } = value;
  const toolCallId = textField({ id }, "id") ?? `${name}#${block}`;
  const toolName = textField({ tool }, "tool") ?? "unknown";
  const event = () => ({ ...rest, type: "tool.start", toolCallId, toolName, input });
  return { is: "call", block, toolCallId, toolName, event };
}

function resultPart(message: JsonObject, name: string): PiPart {
  const { content, toolName, details } = message;
  const toolCallId = textField(message, "toolCallId") ?? name;
  const outcome = pi.outcomeOf(message);
  return {
    is: "result",
    toolCallId,
    event() {
      const output = pi.plainContent(content);
      return { type: "tool.end", toolCallId, toolName, output, ...parts.failureOf(outcome), details };
    },
    end: () => ({ outcome, isLaunch: false }),
    result: () => ({ text: parts.textIn(content) }),
  };
}
