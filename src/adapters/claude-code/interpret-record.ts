import { countField, isJsonObject, type JsonObject, objectField, textField } from "../../domain/json.js";
import {
  blocksOf,
  blockType,
  firstText,
  hash53,
  spawnsAgent,
  usageOf,
  userRecordKind,
} from "./claude-record.js";
import type { FileState, Origin } from "./file-state.js";
import { known } from "./thread-state.js";
import { type LinePlace, RowKind, type TurnOutcome } from "./trace-rows.js";

export const OUTCOMES: readonly TurnOutcome[] = ["completed", "failed", "cancelled"];

/** One line of an API message: model calls, texts, tool calls; or an error of the API that Claude Code wrote as one. */
export function interpretAssistant(
  state: FileState,
  origin: Origin,
  record: JsonObject,
  message: JsonObject,
): void {
  const { thread, place } = origin;
  if (record.isApiErrorMessage === true) {
    state.endCall(thread);
    state.push(origin, RowKind.error, { isMain: true });
    fail(origin, true);
    return;
  }
  if (message.model !== "<synthetic>") {
    state.call(origin, textField(message, "id"), toolCallIdOf(undefined, record, 0, place), usageOf(message));
    thread.hasFailed = false;
    if (!thread.isTurnOpen) thread.lastTurnFailed = false;
  }
  const blocks = blocksOf(message);
  blocks.forEach((block, at) => {
    const row = { isMain: at === 0, block: at };
    if (blockType(block) === "tool_use") {
      // The model has spoken before its tools begin: that is where the call ends, if no line of it follows.
      state.markCallEnd(origin);
      beginTool(state, origin, record, block as JsonObject, row);
    } else {
      state.push(origin, RowKind.block, row);
    }
  });
  state.markCallEnd(origin);
  if (blocks.length === 0) state.push(origin, RowKind.record, { isMain: true });
  if (firstText(blocks) !== undefined) thread.lastText = { ...place, isInner: origin.isInner };
  const last = blockType(blocks[blocks.length - 1]);
  thread.end = undefined;
  if (last === "text" && message.stop_reason !== "tool_use") finish(origin);
}

function beginTool(
  state: FileState,
  origin: Origin,
  record: JsonObject,
  block: JsonObject,
  row: { readonly isMain: boolean; readonly block: number },
): void {
  const name = textField(block, "name") ?? "unknown";
  const toolUseId = toolCallIdOf(block.id, record, row.block, origin.place);
  state.tools.begin(toolUseId, name);
  state.push(origin, RowKind.toolStart, row);
  if (!spawnsAgent(name)) return;
  const input = objectField(block, "input");
  const prompt = textField(input, "prompt");
  state.tools.spawns.set(toolUseId, {
    toolUseId,
    role: textField(input, "subagent_type"),
    description: textField(input, "description"),
    promptKey: prompt === undefined ? undefined : hash53(prompt),
    callerId: origin.thread.agentId,
    instant: known(origin.instant),
    result: undefined,
  });
}

/** The id of a tool call; one that was stored without is named by its line, so that its beginning has one nevertheless. */
export function toolCallIdOf(
  id: unknown,
  record: JsonObject,
  block: number,
  { line }: Pick<LinePlace, "line">,
): string {
  if (typeof id === "string" && id !== "") return id;
  return `${textField(record, "uuid") ?? `line ${line}`}#${block}`;
}

/** The id of the call that a result answers. */
export function answeredCallId(
  result: JsonObject,
  record: JsonObject,
  block: number,
  place: Pick<LinePlace, "line">,
): string {
  return toolCallIdOf(result.tool_use_id ?? record.sourceToolUseID, record, block, place);
}

export function interpretUser(
  state: FileState,
  origin: Origin,
  record: JsonObject,
  message: JsonObject,
): void {
  const { thread } = origin;
  switch (userRecordKind(record, message)) {
    case "tool results":
      endTools(state, origin, record, blocksOf(message));
      thread.end = undefined;
      thread.answered = origin.instant;
      return;
    case "prompt": {
      state.endCall(thread);
      // Nothing else told of the end of the turn before.
      if (thread.isTurnOpen) endTurn(state, origin, thread.hasFailed ? "failed" : "completed", false);
      const text = firstText(blocksOf(message));
      thread.askedAt ??= known(origin.instant);
      thread.firstPrompt ??= text?.slice(0, 400);
      if (text !== undefined) thread.promptKey ??= hash53(text);
      state.push(origin, RowKind.turnStart, { isMain: true, detail: thread.beginTurn() });
      thread.answered = origin.instant;
      return;
    }
    case "interruption":
      state.endCall(thread);
      if (thread.isTurnOpen) endTurn(state, origin, "cancelled", true);
      else state.push(origin, RowKind.record, { isMain: true });
      finish(origin);
      return;
    case "other":
      thread.answered = origin.instant;
      state.push(origin, RowKind.record, { isMain: true });
  }
}

function endTools(state: FileState, origin: Origin, record: JsonObject, blocks: readonly unknown[]): void {
  blocks.forEach((block, at) => {
    const row = { isMain: at === 0, block: at };
    if (blockType(block) !== "tool_result" || !isJsonObject(block)) {
      state.push(origin, RowKind.block, row);
      return;
    }
    const toolUseId = answeredCallId(block, record, at, origin.place);
    state.push(origin, RowKind.toolEnd, { ...row, detail: state.tools.end(toolUseId) });
    const outcome = objectField(record, "toolUseResult");
    const agentId = textField(outcome, "agentId");
    if (agentId !== undefined) state.tools.link(agentId, toolUseId);
    const spawn = state.tools.spawns.get(toolUseId);
    if (spawn === undefined) return;
    const isLaunch = outcome.status === "async_launched" || outcome.isAsync === true;
    const { place, isInner } = origin;
    const instant = known(origin.instant);
    spawn.result = { place, isInner, block: at, instant, isError: block.is_error === true, isLaunch };
  });
}

function endTurn(state: FileState, origin: Origin, outcome: TurnOutcome, isMain: boolean): void {
  const { thread } = origin;
  const detail = (thread.turns - 1) * OUTCOMES.length + OUTCOMES.indexOf(outcome);
  const { end } = thread;
  if (isMain) state.push(origin, RowKind.turnEnd, { isMain, detail });
  else if (end === undefined) {
    state.push(origin, RowKind.turnEnd, { detail, instant: thread.previousInstant });
  } else {
    const { place, isInner, instant, sequence } = end;
    state.push({ ...origin, place, isInner }, RowKind.turnEnd, { detail, instant, sequence });
  }
  thread.hasFailed = outcome === "failed";
  thread.endTurn();
}

export function interpretSystem(state: FileState, origin: Origin, record: JsonObject): void {
  const { thread, instant } = origin;
  switch (record.subtype) {
    case "turn_duration":
      state.endCall(thread);
      if (thread.isTurnOpen) endTurn(state, origin, thread.hasFailed ? "failed" : "completed", true);
      else state.push(origin, RowKind.record, { isMain: true });
      return;
    case "api_error":
    case "error": {
      state.push(origin, RowKind.error, { isMain: true });
      const retries = countField(record, "maxRetries");
      fail(origin, retries === 0 || countField(record, "retryAttempt") >= retries);
      return;
    }
    case "compact_boundary":
    case "microcompact_boundary": {
      const durationMs = countField(objectField(record, "compactMetadata"), "durationMs");
      state.push(origin, RowKind.compactionStart, { instant: instant - durationMs });
      state.push(origin, RowKind.compactionEnd, { isMain: true });
      return;
    }
    default:
      state.push(origin, RowKind.record, { isMain: true });
  }
}

/** An error is no failure once the model has answered again: that takes it back. */
function fail(origin: Origin, isLast: boolean): void {
  const { thread } = origin;
  thread.hasFailed = true;
  thread.end = undefined;
  if (isLast) finish(origin);
  if (!thread.isTurnOpen) thread.lastTurnFailed = true;
}

function finish({ thread, place, isInner, instant }: Origin): void {
  thread.finish(place, isInner, instant);
}
