import { isJsonObject, isOddCount, type JsonObject, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { NO_USAGE, usageOf } from "../../../domain/usage/token-usage.js";
import type { ReportedCall } from "./calls.js";
import type { HistoryCall, HistoryPart, HistoryRecord } from "./history-record.js";
import { type CommonPart, failureOf, promptPart, recordedAt, textIn, turnEndPart } from "./parts.js";
import type { PlainRecord } from "./plain-follower.js";
import { OUTCOMES } from "./trace-rows.js";

export interface RecordPlace {
  readonly record: JsonObject;
  /** From 1. */
  readonly line: number;
  readonly format: string;
  readonly instantMember: string;
}

const MOST_PARTS = 10_000;

/** @throws TypeError for a value that is no `HistoryRecord`. It costs only this record */
export function plainRecord(stated: HistoryRecord, place: RecordPlace): PlainRecord {
  if (!isJsonObject(stated)) throw new TypeError("The format returned no object for a record.");
  const { parts, rest = place.record, isBookkeeping, start, passed } = stated;
  checkParts(parts);
  const { format } = place;
  const type = textField(stated, "type") ?? "record";
  const isUnknown = stated.isUnknown ?? (parts.length === 0 && !isBookkeeping);
  return {
    parts: parts.map((part, at) => commonPart(part, at, place)),
    ...recordedAt(stated.instant ?? place.record[place.instantMember]),
    id: textField(stated, "id"),
    isMessage: stated.isMessage ?? parts.some(({ is }) => SPOKEN.has(is)),
    version: textField(stated, "version"),
    directory: textField(stated, "directory"),
    ...(isUnknown ? { unknownType: type } : {}),
    ...callOf(stated.call, place.line),
    sessionStart: () => ({ ...start, type: "session.start" }),
    passed: () => ({
      ...(isBookkeeping ? { bookkeeping: "record" } : {}),
      ...passed,
      type: passed?.type === "text" ? "text" : `${format}.${type}`,
    }),
    rest: () => rest,
    text: () => parts.flatMap((part) => (part.is === "text" ? [part.text] : [])).join("\n"),
  };
}

/** Several of these share a record. */
const SHARED: ReadonlySet<string> = new Set(["text", "thinking", "block", "call", "result"]);
const ALONE: ReadonlySet<string> = new Set(["prompt", "input", "turn end", "error", "compaction", "title"]);
const SPOKEN: ReadonlySet<string> = new Set(["prompt", "text", "thinking", "call", "result"]);

function checkParts(parts: unknown): asserts parts is readonly HistoryPart[] {
  if (!Array.isArray(parts)) throw new TypeError("The `parts` of a record must be an array.");
  if (parts.length > MOST_PARTS) throw new TypeError(`A record has more than ${MOST_PARTS} parts.`);
  for (const part of parts) {
    const is: unknown = isJsonObject(part) ? part.is : undefined;
    const isAlone = ALONE.has(is as string);
    if (!isAlone && !SHARED.has(is as string)) throw new TypeError("A part of a record has no kind.");
    if (isAlone && parts.length > 1) throw new TypeError(`A record with a part "${is}" has no other part.`);
  }
}

function callOf(stated: HistoryCall | undefined, line: number): Pick<PlainRecord, "call" | "callEnd"> {
  if (stated === undefined) return {};
  const { type: _, callId: __, usage: ___, costUSD: ____, ...more } = { ...stated.more };
  const counts: JsonObject = { ...stated.usage };
  const model = textField({ ...stated }, "model");
  const call: ReportedCall = {
    messageId: textField({ ...stated }, "messageId"),
    recordId: `line ${line}`,
    model,
    usage: stated.usage === undefined ? NO_USAGE : usageOf(counts),
    hasOddCount: Object.keys(counts).some((name) => isOddCount(counts, name)),
    durationMs: amountOf(stated.durationMs),
    recordedUsd: amountOf(stated.costUsd),
  };
  return { call, callEnd: () => ({ ...more, model, costUSD: call.recordedUsd }) };
}

function amountOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function commonPart(part: HistoryPart, at: number, { line, format }: RecordPlace): CommonPart {
  const event = (members: JsonObject) => () => ({ ...members, ...part.more, ...members });
  switch (part.is) {
    case "prompt": {
      const text = textOrNone(part.text);
      const prompt = promptPart(text, () => part.input ?? text);
      return part.more === undefined ? prompt : { ...prompt, event: () => event(prompt.event!())() };
    }
    case "text": {
      const text = textOrNone(part.text);
      return { is: "text", block: at, text, event: event({ type: "text", text }) };
    }
    case "thinking":
      return { is: "block", block: at, event: event({ type: "thinking", thinking: textOrNone(part.text) }) };
    case "block":
      return { is: "block", block: at, event: event({ type: `${format}.${part.type}` }) };
    case "call": {
      const toolCallId = textField(part, "callId") ?? `line ${line}#${at}`;
      const toolName = textField(part, "tool") ?? "unknown";
      const called = { type: "tool.start", toolCallId, toolName, input: part.input };
      return { is: "call", block: at, toolCallId, toolName, event: event(called) };
    }
    case "result":
      return resultPart(part, at, line, event);
    case "input":
      return { is: "input" };
    case "turn end": {
      const end = turnEndPart(
        OUTCOMES.find((one) => one === part.outcome),
        {},
      );
      return { ...end, event: () => event(end.event!())() };
    }
    case "error": {
      const error = { message: textOrNone(part.message) ?? "The tool reported an error." };
      return { is: "error", isLast: part.isLast === true, event: event({ type: "error", error }) };
    }
    case "compaction":
      return {
        is: "compaction",
        event: event({ type: "compaction.end", summary: textOrNone(part.summary) }),
      };
    case "title":
      return { is: "title", titles: { chosen: textField(part, "title") } };
    default:
      return part satisfies never;
  }
}

function resultPart(
  part: Extract<HistoryPart, { readonly is: "result" }>,
  at: number,
  line: number,
  event: (members: JsonObject) => () => JsonObject,
): CommonPart {
  const { output } = part;
  const toolCallId = textField(part, "callId") ?? `line ${line}#${at}`;
  const outcome = part.outcome === "failed" || part.outcome === "refused" ? part.outcome : "completed";
  const ended = { type: "tool.end", toolCallId, toolName: undefined, output, ...failureOf(outcome) };
  const text = () => (Array.isArray(output) ? textIn(output) : plainText(output));
  return {
    is: "result",
    block: at,
    toolCallId,
    event: event(ended),
    end: () => ({ outcome, isLaunch: false }),
    result: () => ({ text: text() }),
  };
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : (jsonTextOf(value) ?? "");
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
