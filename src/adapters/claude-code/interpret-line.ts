import { instantOf } from "../../domain/instant.js";
import { isJsonObject, type JsonObject, textField } from "../../domain/json.js";
import type { JsonLine } from "../jsonl/json-line.js";
import { agentProgress, messageOf } from "./claude-record.js";
import type { FileState, Origin } from "./file-state.js";
import { interpretAssistant, interpretSystem, interpretUser } from "./interpret-record.js";
import { RowKind } from "./trace-rows.js";

const MAX_SUMMARIES = 100;

/** Takes one more line of a file: the state afterwards knows every envelope that it gives. */
export function interpretLine(state: FileState, line: JsonLine): void {
  // A last line without its line feed was taken when it was first seen.
  if (line.start === state.tailStart) return;
  const record = line.value;
  if (record === undefined) {
    state.note(line);
    return;
  }
  if (isConversation(state, record)) state.note(line);
  const place = { start: line.start, length: line.length, line: line.number };
  if (state.isReplay(record)) {
    state.replayed++;
    state.firstReplay ??= place;
    return;
  }
  noteTitles(state, record);
  const thread = state.threadOf(record);
  const instant = thread.advance(instantOf(record.timestamp), place);
  const isRepeated = state.isRepeated(record);
  const origin: Origin = { thread, place, instant, isInner: false, isRepeated };
  start(state, origin, record);

  const progress = agentProgress(record);
  if (progress === undefined) {
    interpret(state, origin, record);
    return;
  }
  // Both readings of a progress record are kept: which one is shown depends on whether the agent has a file.
  const agent = state.thread(progress.agentId, true);
  state.push(origin, RowKind.record, { isMain: true, detail: agent.ordinal + 1 });
  const spawn = textField(record, "parentToolUseID");
  if (spawn !== undefined) state.tools.link(agent.agentId, spawn);
  const innerInstant = agent.advance(instantOf(progress.inner.timestamp), place);
  const inner: Origin = { thread: agent, place, instant: innerInstant, isInner: true, isRepeated };
  start(state, inner, record);
  interpret(state, inner, progress.inner);
}

function interpret(state: FileState, origin: Origin, record: JsonObject): void {
  const message = messageOf(record);
  if (record.type === "assistant" && message !== undefined)
    interpretAssistant(state, origin, record, message);
  else if (record.type === "user" && message !== undefined) interpretUser(state, origin, record, message);
  else if (record.type === "system") interpretSystem(state, origin, record);
  else state.push(origin, RowKind.record, { isMain: true });
}

/** The beginning of a trace is told from its first record that has a `uuid`: that one knows folder, version and branch. */
function start(state: FileState, origin: Origin, record: JsonObject): void {
  const { thread } = origin;
  if (thread.isStarted || textField(record, "uuid") === undefined) return;
  thread.isStarted = true;
  state.push(origin, RowKind.sessionStart, { sequence: 0, instant: thread.firstInstant });
}

/** Whether a record holds a message of the file's own conversation: no sub-agent's, inline or in a progress record. */
function isConversation(state: FileState, record: JsonObject): boolean {
  if (!isJsonObject(record.message)) return false;
  return state.options.isOneThread || (record.isSidechain !== true && record.agentId === undefined);
}

function noteTitles(state: FileState, record: JsonObject): void {
  switch (record.type) {
    case "custom-title":
      state.customTitle = textField(record, "customTitle") ?? state.customTitle;
      return;
    case "ai-title":
      state.aiTitle = textField(record, "aiTitle") ?? state.aiTitle;
      return;
    case "summary": {
      const summary = textField(record, "summary");
      if (summary === undefined || state.summaries.length >= MAX_SUMMARIES) return;
      state.summaries.push({ leafUuid: textField(record, "leafUuid") ?? "", summary });
      return;
    }
    default:
      if (isConversation(state, record)) state.leafUuid = textField(record, "uuid") ?? state.leafUuid;
  }
}
