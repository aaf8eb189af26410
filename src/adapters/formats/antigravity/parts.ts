import { isJsonObject, type JsonObject, parsedText, textField } from "../../../domain/json/json.js";
import { textBetween } from "../../../domain/text/between.js";
import type { HistoryPart, HistoryRecord } from "../../transcripts/recorder/history-record.js";

const MODEL = /`Model Selection` from ([^\n]*)/;

export function readRecord(record: JsonObject): HistoryRecord {
  const { source, type, truncated_fields: truncated } = record;
  const isAnswer = type === "PLANNER_RESPONSE";
  const isResult = source === "MODEL" && !isAnswer;
  const { content, thinking: _, tool_calls: __, ...rest } = record;
  return {
    parts: isResult ? [resultPart(record)] : partsOf(record),
    type: String(type),
    isUnknown: !isResult && !REGISTERED.has(String(type)),
    isMessage: type === "USER_INPUT" || isAnswer || isResult,
    call: isAnswer ? {} : undefined,
    start: { model: modelIn(typeof content === "string" ? content : "") },
    passed: { truncated },
    rest,
  };
}

const REGISTERED = new Set([
  "USER_INPUT",
  "PLANNER_RESPONSE",
  "CONVERSATION_HISTORY",
  "SYSTEM_MESSAGE",
  "CHECKPOINT",
]);

function partsOf(record: JsonObject): readonly HistoryPart[] {
  const content = textField(record, "content") ?? "";
  switch (record.type) {
    case "USER_INPUT": {
      const request = textBetween(content, "<USER_REQUEST>", "</USER_REQUEST>")?.trim() ?? content;
      return [{ is: "prompt", text: request }];
    }
    case "PLANNER_RESPONSE":
      return answerParts(record);
    case "SYSTEM_MESSAGE":
      return [{ is: "input" }];
    case "CHECKPOINT":
      return [{ is: "compaction", summary: content }];
    default:
      return [];
  }
}

/** Calls have no ids: the steps after an answer are the results of its calls, in order. */
const stepId = (index: number) => `step ${index}`;

function answerParts(record: JsonObject): readonly HistoryPart[] {
  const { thinking, tool_calls: calls, truncated_fields: truncated } = record;
  const text = textField(record, "content");
  const parts: HistoryPart[] = [];
  if (typeof thinking === "string") parts.push({ is: "thinking", text: thinking, more: { truncated } });
  if (text !== undefined) parts.push({ is: "text", text, more: { truncated } });
  for (const [at, call] of (Array.isArray(calls) ? calls : []).entries()) {
    if (!isJsonObject(call)) continue;
    const callId = stepId(Number(record.step_index) + 1 + at);
    parts.push({ is: "call", callId, tool: textField(call, "name"), input: argumentsOf(call.args) });
  }
  return parts;
}

/** Arguments are JSON texts within texts. */
function argumentsOf(args: unknown): unknown {
  if (!isJsonObject(args)) return args;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, parsedText(value)]));
}

function resultPart(record: JsonObject): HistoryPart {
  const { type: kind, content: output, truncated_fields: truncated, status, step_index: index } = record;
  const outcome = status === "ERROR" ? "failed" : "completed";
  const more = { kind, status, truncated };
  return { is: "result", callId: stepId(Number(index)), output, outcome, more };
}

/** The line reads "from A to B." */
function modelIn(content: string): string | undefined {
  const change = MODEL.exec(content)?.[1]?.trimEnd();
  const at = change?.indexOf(" to ") ?? -1;
  return at === -1 || !change!.endsWith(".") ? undefined : change!.slice(at + " to ".length, -1);
}
