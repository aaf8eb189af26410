import { isJsonObject, type JsonObject, parsedText, textField } from "../../../domain/json/json.js";
import { textBetween } from "../../../domain/text/between.js";
import { NO_USAGE } from "../../../domain/usage/token-usage.js";
import { type CommonPart, promptPart, recordedAt } from "../../transcripts/recorder/parts.js";
import type { PlainRecord } from "../../transcripts/recorder/plain-follower.js";

const MODEL = /`Model Selection` from ([^\n]*)/;

export function readRecord(record: JsonObject, line: number): PlainRecord {
  const { source, type, truncated_fields: truncated } = record;
  const content = textField(record, "content");
  const isAnswer = type === "PLANNER_RESPONSE";
  const isResult = source === "MODEL" && !isAnswer;
  const isTyped = type === "USER_INPUT";
  const facts = { messageId: undefined, recordId: `line ${line}`, model: undefined, usage: NO_USAGE };
  return {
    parts: isResult ? [resultPart(record)] : partsOf(record),
    ...recordedAt(record.created_at),
    isMessage: isTyped || isAnswer || isResult,
    ...(isAnswer ? { call: facts } : {}),
    ...(REGISTERED.has(String(type)) || isResult ? {} : { unknownType: String(type) }),
    sessionStart: () => ({ model: modelIn(content ?? "") }),
    callEnd: () => ({}),
    passed: () => ({ type: `antigravity.${String(type)}`, truncated }),
    rest() {
      const { content: _, thinking: __, tool_calls: ___, ...rest } = record;
      return rest;
    },
    text: () => content ?? "",
  };
}

const REGISTERED = new Set([
  "USER_INPUT",
  "PLANNER_RESPONSE",
  "CONVERSATION_HISTORY",
  "SYSTEM_MESSAGE",
  "CHECKPOINT",
]);

function partsOf(record: JsonObject): readonly CommonPart[] {
  const content = textField(record, "content") ?? "";
  switch (record.type) {
    case "USER_INPUT": {
      const request = textBetween(content, "<USER_REQUEST>", "</USER_REQUEST>")?.trim() ?? content;
      return [promptPart(request, () => request)];
    }
    case "PLANNER_RESPONSE":
      return answerParts(record);
    case "SYSTEM_MESSAGE":
      return [{ is: "input", event: () => ({ type: "text", role: "system", text: content }) }];
    case "CHECKPOINT":
      return [{ is: "compaction", event: () => ({ type: "compaction.end", summary: content }) }];
    default:
      return [];
  }
}

/** Calls have no ids: the steps after an answer are the results of its calls, in order. */
const stepId = (index: number) => `step ${index}`;

function answerParts(record: JsonObject): readonly CommonPart[] {
  const { thinking, tool_calls: calls, truncated_fields: truncated } = record;
  const text = textField(record, "content");
  const parts: CommonPart[] = [];
  if (typeof thinking === "string")
    parts.push({ is: "block", block: 0, event: () => ({ type: "thinking", thinking, truncated }) });
  if (text !== undefined)
    parts.push({ is: "text", text, block: 1, event: () => ({ type: "text", text, truncated }) });
  for (const [at, call] of (Array.isArray(calls) ? calls : []).entries()) {
    if (!isJsonObject(call)) continue;
    const toolCallId = stepId(Number(record.step_index) + 1 + at);
    const toolName = textField(call, "name") ?? "unknown";
    const event = () => ({ type: "tool.start", toolCallId, toolName, input: argumentsOf(call.args) });
    parts.push({ is: "call", block: at, toolCallId, toolName, event });
  }
  return parts;
}

/** Arguments are JSON texts within texts. */
function argumentsOf(args: unknown): unknown {
  if (!isJsonObject(args)) return args;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, parsedText(value)]));
}

function resultPart(record: JsonObject): CommonPart {
  const { type, content, truncated_fields: truncated, status, step_index: index } = record;
  const toolCallId = stepId(Number(index));
  const ended = { toolName: undefined, output: content, kind: type, status, truncated };
  return {
    is: "result",
    toolCallId,
    event: () => ({ type: "tool.end", toolCallId, ...ended }),
    end: () => ({ outcome: status === "ERROR" ? "failed" : "completed", isLaunch: false }),
    result: () => ({ text: typeof content === "string" ? content : "" }),
  };
}

/** The line reads "from A to B." */
function modelIn(content: string): string | undefined {
  const change = MODEL.exec(content)?.[1]?.trimEnd();
  const at = change?.indexOf(" to ") ?? -1;
  return at === -1 || !change!.endsWith(".") ? undefined : change!.slice(at + " to ".length, -1);
}
