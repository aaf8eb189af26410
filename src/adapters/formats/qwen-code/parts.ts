import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import * as parts from "../../transcripts/recorder/parts.js";
import type { TreeRecord } from "../../transcripts/recorder/record-tree.js";
import { jobEndInText } from "../../transcripts/recorder/task-notification.js";
import { OUTCOMES } from "../../transcripts/recorder/trace-rows.js";
import * as qwen from "./record.js";
import { agentIdOf, type Spent, spentIn, type Telemetry, telemetryIn, uiEventOf } from "./telemetry.js";

/** Takes back the records after its parent. Follows the end of the turn that it cancels. */
type QwenPart = parts.CommonPart | (parts.Part & { readonly is: "rewind" });

export interface QwenRecord extends parts.RecordParts<QwenPart>, Omit<TreeRecord, "isMessage" | "instant"> {
  readonly directory: string | undefined;
  readonly isAnswer: boolean;
  readonly model: string | undefined;
  readonly spent: Spent | undefined;
  readonly telemetry: Telemetry | undefined;
}

/** No record follows these, whatever parent they name. */
const BESIDE = /^session_(artifact|sources)_/;

export function readRecord(record: JsonObject, line: number): QwenRecord {
  const { type, parentUuid, cwd, version, gitBranch } = record;
  const id = textField(record, "uuid");
  const telemetry = telemetryIn(record);
  const own = partsOf(record, line, telemetry);
  const spoken = qwen.partsOf(record);
  const history = qwen.compressedHistoryOf(record);
  const isBeside = type === "system" && BESIDE.test(textField(record, "subtype") ?? "");
  return {
    parts: own,
    ...parts.recordedAt(record.timestamp),
    id,
    isMessage: (type !== "system" && isJsonObject(record.message)) || history !== undefined,
    version: textField(record, "version"),
    unknownType: qwen.unknownTypeOf(record),
    key: isBeside ? undefined : id,
    parentId: isBeside ? undefined : parentUuid === null ? null : textField(record, "parentUuid"),
    isUnseen: false,
    editedId: undefined,
    retainedFromId: history === undefined ? undefined : id,
    directory: textField(record, "cwd"),
    isAnswer: type === "assistant",
    model: textField(record, "model"),
    spent: spentIn(record),
    telemetry,
    sessionStart: () => ({ cwd, version, gitBranch }),
    callEnd: () =>
      telemetry === undefined ? { model: textField(record, "model") } : reportedCallEnd(record),
    passed: () => passedThrough(record, telemetry),
    rest() {
      if (type === "user" || !isJsonObject(record.message)) return record;
      const { parts: _, ...message } = record.message;
      return { ...record, message };
    },
    text: () => qwen.textsOf(spoken).join("\n"),
  };
}

function reportedCallEnd(record: JsonObject): JsonObject {
  const { model, prompt_id: promptId, duration_ms: durationMs, ttft_ms: ttftMs } = uiEventOf(record);
  return { model, promptId, durationMs, ttftMs };
}

function passedThrough(record: JsonObject, telemetry: Telemetry | undefined): JsonObject {
  if (record.type === "user") return { type: "text", role: "user" };
  const bookkeeping = qwen.isBookkeeping(record) ? "record" : undefined;
  if (telemetry === undefined) {
    const type = textField(record, record.type === "system" ? "subtype" : "type") ?? "record";
    return { type: `qwen-code.${type}`, bookkeeping: type === "assistant" ? "record" : bookkeeping };
  }
  const { error_message: message, duration_ms: durationMs } = uiEventOf(record);
  const failure = telemetry.is === "error" ? { isError: true, error: { message } } : {};
  const { toolCallId, promptId } = telemetry;
  return { type: `qwen-code.${telemetry.is}`, bookkeeping, toolCallId, promptId, durationMs, ...failure };
}

function partsOf(record: JsonObject, line: number, telemetry: Telemetry | undefined): readonly QwenPart[] {
  switch (record.type) {
    case "user":
      return userParts(record);
    case "assistant":
      return qwen.partsOf(record).map((part, at) => textPart(part, at, record, line));
    case "tool_result":
      return qwen.partsOf(record).map((part, at) => resultPart(part, at, record, line));
    case "system":
      if (telemetry?.is === "error") return [errorPart(record, telemetry)];
      return systemParts(record);
    default:
      return [];
  }
}

function userParts(record: JsonObject): readonly QwenPart[] {
  const { subtype } = record;
  const chosen = qwen.partsOf(record);
  if (subtype === "notification" || subtype === "cron") {
    const event = () => ({ type: "turn.start", turnIndex: undefined, input: inputOf(chosen) });
    const end = jobEndInText(qwen.textsOf(chosen)[0] ?? "");
    const turn: QwenPart = { is: "prompt", prompt: undefined, isPrompt: false, event };
    return end === undefined ? [turn] : [turn, { ...end, agentId: agentIdOf(end.agentId) }];
  }
  const prompt = qwen.promptIn(record);
  if (prompt.length === 0 || subtype === "mid_turn_user_message" || subtype === "goal_runtime")
    return [{ is: "input" }];
  return [parts.promptPart(qwen.textsOf(prompt).join("\n") || undefined, () => inputOf(prompt))];
}

function inputOf(chosen: readonly unknown[]): JsonObject[] {
  return chosen.map(qwen.blockOf);
}

function textPart(part: unknown, block: number, record: JsonObject, line: number): QwenPart {
  if (isJsonObject(part) && isJsonObject(part.functionCall))
    return callPart(part.functionCall, block, record, line);
  const event = () => qwen.blockOf(part);
  const isText = isJsonObject(part) && part.thought !== true && typeof part.text === "string";
  return isText ? { is: "text", block, text: textField(part, "text"), event } : { is: "block", block, event };
}

function toolCallIdOf(call: JsonObject, at: number, record: JsonObject, line: number): string {
  return textField(call, "id") ?? `${textField(record, "uuid") ?? `line ${line}`}#${at}`;
}

function callPart(call: JsonObject, block: number, record: JsonObject, line: number): QwenPart {
  const toolCallId = toolCallIdOf(call, block, record, line);
  const toolName = textField(call, "name") ?? "unknown";
  return {
    is: "call",
    block,
    toolCallId,
    toolName,
    event: () => ({ type: "tool.start", toolCallId, toolName, input: call.args }),
    spawn() {
      if (toolName !== "agent" && toolName !== "task") return undefined;
      const args = objectField(call, "args");
      const [role, description, prompt] = ["subagent_type", "description", "prompt"].map((name) =>
        textField(args, name),
      );
      return { role, description, prompt };
    },
  };
}

function resultPart(part: unknown, block: number, record: JsonObject, line: number): QwenPart {
  if (!isJsonObject(part) || !isJsonObject(part.functionResponse))
    return { is: "block", block, event: () => qwen.blockOf(part) };
  const { functionResponse: chosen } = part;
  const toolCallId = toolCallIdOf(chosen, block, record, line);
  const response = objectField(chosen, "response");
  const { status, errorType, executionStatus, durationMs, resultDisplay } = objectField(
    record,
    "toolCallResult",
  );
  const outcome = qwen.outcomeOf(status, response);
  const output = response.output ?? response.error ?? chosen.response;
  return {
    is: "result",
    block,
    toolCallId,
    event: () => ({
      type: "tool.end",
      toolCallId,
      toolName: textField(chosen, "name"),
      output,
      ...parts.failureOf(outcome),
      status,
      errorType,
      executionStatus,
      durationMs,
      resultDisplay,
    }),
    end() {
      const task =
        isJsonObject(resultDisplay) && resultDisplay.type === "task_execution" ? resultDisplay : {};
      const name = textField(task, "subagentName");
      const agentId = name === undefined ? undefined : agentIdOf(`${name}-${toolCallId}`);
      return { outcome, agentId, isLaunch: task.executionMode === "background" };
    },
    result: () => ({ text: typeof output === "string" ? output : (jsonTextOf(output) ?? "") }),
  };
}

function errorPart(record: JsonObject, { isSide, agentId, promptId, model }: Telemetry): QwenPart {
  if (isSide || agentId !== undefined) return { is: "failure" };
  const event = () => {
    const {
      error_message,
      error_type: type,
      status_code: status,
      duration_ms: durationMs,
    } = uiEventOf(record);
    const message = typeof error_message === "string" ? error_message : "The request failed.";
    return { type: "error", error: { message, type, status }, model, promptId, durationMs };
  };
  return { is: "error", isLast: true, event };
}

function systemParts(record: JsonObject): readonly QwenPart[] {
  const payload = objectField(record, "systemPayload");
  switch (record.subtype) {
    case "custom_title": {
      const title = textField(payload, "customTitle");
      return [
        { is: "title", titles: payload.titleSource === "auto" ? { suggested: title } : { chosen: title } },
      ];
    }
    case "turn_result": {
      const { state, stopReason, error } = payload;
      const outcome = state === "error" ? "failed" : OUTCOMES.find((one) => one === state);
      return [parts.turnEndPart(outcome, { stopReason, error })];
    }
    case "rewind":
      return [
        parts.turnEndPart("cancelled", {}),
        { is: "rewind", event: () => ({ type: "qwen-code.rewind", droppedMessages: undefined }) },
      ];
    case "chat_compression":
      return compactionParts(record, objectField(payload, "info"));
    default:
      return [];
  }
}

function compactionParts(record: JsonObject, info: JsonObject): readonly QwenPart[] {
  const history = qwen.compressedHistoryOf(record);
  if (history === undefined) return [];
  const event = () => {
    const { triggerReason: trigger, originalTokenCount, newTokenCount } = info;
    const tokens = { tokensBefore: originalTokenCount, tokensAfter: newTokenCount };
    const [summary] = history;
    const texts = qwen.textsOf(qwen.partsOf({ message: summary }));
    return { type: "compaction.end", trigger, ...tokens, summary: texts.join("\n") };
  };
  return [{ is: "compaction", event }];
}
