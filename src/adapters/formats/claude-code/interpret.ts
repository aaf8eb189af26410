import {
  countField,
  isJsonObject,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { ODD_COUNT } from "../../../domain/session/session-log.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { recordedCostOf } from "../../../domain/usage/recorded-usage.js";
import type { ConversationState } from "../../transcripts/conversation-state.js";
import type { RecordInterpreter } from "../../transcripts/format.js";
import type { RecordOrigin, SpawnNote } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";
import type { LineLocation } from "../../transcripts/trace-rows.js";
import { bookkeepingOf } from "./bookkeeping.js";
import { MessageChain } from "./message-chain.js";
import {
  agentProgress,
  blocksOf,
  blockType,
  firstText,
  hasOddUsage,
  isRefusedResult,
  messageOf,
  spawnsAgent,
  usageOf,
  userRecordKind,
} from "./record.js";

const MAX_CLAIMS = 100;

/** Passes on to a recorder what the lines of a file mean. */
export function interpreter(out: TraceRecorder): RecordInterpreter {
  const chain = new MessageChain(out);
  return { take: (record, place) => interpret(record, place, out, chain) };
}

function interpret(record: JsonObject, place: LineLocation, out: TraceRecorder, chain: MessageChain): void {
  const isMessage = isConversation(out, record);
  if (isMessage) out.noteMessage(place);
  if (isOwn(out, record)) chain.follow(record, isMessage);
  if (out.options.isReplay(record)) {
    out.noteReplay(place);
    return;
  }
  noteTitles(out, record);
  const conversation = conversationOf(out, record);
  const instant = conversation.advance(instantOf(record.timestamp), place);
  const isRepeated = out.isRepeated(textField(record, "uuid"));
  const origin: RecordOrigin = { conversation, place, instant, isInner: false, isRepeated };
  // The first record with a `uuid` knows folder, version and branch.
  const knowsWhere = textField(record, "uuid") !== undefined;
  if (knowsWhere) out.start(origin);

  const progress = agentProgress(record);
  if (progress === undefined) {
    if (conversation === out.main) followRemovals(chain, origin, record);
    interpretRecord(out, origin, record);
    return;
  }
  // Both readings of a progress record are kept: which one is shown depends on whether the agent has a file.
  const agent = out.conversation(progress.agentId, true);
  out.passThrough(origin, agent.ordinal + 1);
  const spawn = textField(record, "parentToolUseID");
  if (spawn !== undefined) out.tools.link(agent.agentId, spawn);
  const innerInstant = agent.advance(instantOf(progress.inner.timestamp), place);
  const inner: RecordOrigin = {
    conversation: agent,
    place,
    instant: innerInstant,
    isInner: true,
    isRepeated,
  };
  if (knowsWhere) out.start(inner);
  interpretRecord(out, inner, progress.inner);
}

/**
 * Whose line it is: that of the agent whose file it is in or that it names; else, in version 1.0, that of the sidechain that it
 * goes on, which is named by its root.
 */
function conversationOf(out: TraceRecorder, record: JsonObject): ConversationState {
  if (out.options.isOneConversation) return out.main;
  const agentId = textField(record, "agentId");
  if (agentId !== undefined) return out.conversation(agentId);
  if (record.isSidechain !== true) return out.main;
  return out.conversationBehind(textField(record, "parentUuid") ?? "", textField(record, "uuid") ?? "");
}

/** Whether a record holds a message of the file's own conversation: no sub-agent's, inline or in a progress record. */
function isConversation(out: TraceRecorder, record: JsonObject): boolean {
  return isJsonObject(record.message) && isOwn(out, record);
}

/** Whether a record is of the file's own conversation. */
function isOwn(out: TraceRecorder, record: JsonObject): boolean {
  return out.options.isOneConversation || (record.isSidechain !== true && record.agentId === undefined);
}

/** Whether a record may be a prompt, or names a title. */
export function hasText(record: JsonObject): boolean {
  const message = messageOf(record);
  if (record.type === "user" && message !== undefined) return userRecordKind(record, message) === "prompt";
  return record.type === "custom-title" || record.type === "ai-title" || record.type === "summary";
}

function noteTitles(out: TraceRecorder, record: JsonObject): void {
  const { titles } = out;
  switch (record.type) {
    case "custom-title":
      titles.given = textField(record, "customTitle") ?? titles.given;
      return;
    case "ai-title":
      titles.suggested = textField(record, "aiTitle") ?? titles.suggested;
      return;
    case "summary": {
      const title = textField(record, "summary");
      if (title === undefined || titles.claims.length >= MAX_CLAIMS) return;
      titles.claims.push({ key: textField(record, "leafUuid") ?? "", title });
      return;
    }
    default:
      // What a summary names as its leaf is the newest record of the conversation itself.
      if (isConversation(out, record)) titles.key = textField(record, "uuid") ?? titles.key;
  }
}

function followRemovals(chain: MessageChain, origin: RecordOrigin, record: JsonObject): void {
  const message = messageOf(record);
  if (record.type === "user" && message !== undefined && userRecordKind(record, message) === "prompt")
    chain.prompt(origin, record);
  if (record.type !== "system") return;
  if (record.subtype === "compact_boundary") chain.compact(origin, record);
  if (record.subtype === "microcompact_boundary") chain.clear(origin, record);
}

function interpretRecord(out: TraceRecorder, origin: RecordOrigin, record: JsonObject): void {
  const message = messageOf(record);
  if (record.type === "assistant" && message !== undefined) interpretAssistant(out, origin, record, message);
  else if (record.type === "user" && message !== undefined) interpretUser(out, origin, record, message);
  else if (record.type === "system") interpretSystem(out, origin, record);
  else passThrough(out, origin, record);
}

function passThrough(out: TraceRecorder, origin: RecordOrigin, record: JsonObject): void {
  if (bookkeepingOf(record).isError === true) out.failBookkeeping(origin);
  out.passThrough(origin);
}

/** One line of an API message: model calls, texts, tool calls; or an error of the API that Claude Code wrote as one. */
function interpretAssistant(
  out: TraceRecorder,
  origin: RecordOrigin,
  record: JsonObject,
  message: JsonObject,
): void {
  const { conversation, place } = origin;
  if (record.isApiErrorMessage === true) {
    out.endCall(conversation);
    out.fail(origin, true);
    return;
  }
  const isModels = message.model !== "<synthetic>";
  if (isModels) {
    conversation.model = textField(message, "model") ?? conversation.model;
    if (hasOddUsage(message)) out.problems.add(place.line, ODD_COUNT);
    out.modelCall(
      origin,
      textField(message, "id"),
      toolCallIdOf(undefined, record, 0, place),
      usageOf(message),
      { recordedUsd: recordedCostOf(record) },
    );
  }
  const blocks = blocksOf(message);
  for (const [at, block] of blocks.entries()) {
    const row = { isMain: at === 0, block: at };
    if (blockType(block) !== "tool_use" || !isJsonObject(block)) {
      out.block(origin, row);
      continue;
    }
    const name = textField(block, "name") ?? "unknown";
    out.beginTool(origin, toolCallIdOf(block.id, record, at, place), name, row, spawnOf(name, block));
  }
  out.markCallEnd(origin);
  if (blocks.length === 0) out.passThrough(origin);
  if (isModels && firstText(blocks) !== undefined)
    conversation.lastText = { ...place, isInner: origin.isInner };
  const last = blockType(blocks[blocks.length - 1]);
  conversation.end = undefined;
  if (last === "text" && message.stop_reason !== "tool_use") out.finish(origin);
}

function spawnOf(toolName: string, block: JsonObject): SpawnNote | undefined {
  if (!spawnsAgent(toolName)) return undefined;
  const input = objectField(block, "input");
  return {
    role: textField(input, "subagent_type"),
    description: textField(input, "description"),
    prompt: textField(input, "prompt"),
  };
}

/** The id of a tool call; one that was stored without is named by its line, so that its beginning has one nevertheless. */
export function toolCallIdOf(
  id: unknown,
  record: JsonObject,
  block: number,
  { line }: Pick<LineLocation, "line">,
): string {
  if (typeof id === "string" && id !== "") return id;
  return `${textField(record, "uuid") ?? `line ${line}`}#${block}`;
}

/** The id of the call that a result answers. */
export function answeredCallId(
  result: JsonObject,
  record: JsonObject,
  block: number,
  place: Pick<LineLocation, "line">,
): string {
  return toolCallIdOf(result.tool_use_id ?? record.sourceToolUseID, record, block, place);
}

function interpretUser(
  out: TraceRecorder,
  origin: RecordOrigin,
  record: JsonObject,
  message: JsonObject,
): void {
  switch (userRecordKind(record, message)) {
    case "tool results":
      interpretResults(out, origin, record, blocksOf(message));
      origin.conversation.end = undefined;
      out.answerTo(origin);
      return;
    case "prompt":
      // Of a prompt all texts are decoded, also where a session is only summed up.
      out.directory ??= textField(record, "cwd");
      out.beginTurn(origin, firstText(blocksOf(message)));
      return;
    case "interruption":
      out.endTurn(origin, "cancelled");
      out.finish(origin);
      return;
    case "other":
      out.answerTo(origin);
      out.passThrough(origin);
  }
}

function interpretResults(
  out: TraceRecorder,
  origin: RecordOrigin,
  record: JsonObject,
  blocks: readonly unknown[],
): void {
  for (const [at, block] of blocks.entries()) {
    const row = { isMain: at === 0, block: at };
    if (blockType(block) !== "tool_result" || !isJsonObject(block)) {
      out.block(origin, row);
      continue;
    }
    const outcome = objectField(record, "toolUseResult");
    out.endTool(origin, answeredCallId(block, record, at, origin.place), row, {
      outcome: isRefusedResult(block) ? "refused" : block.is_error === true ? "failed" : "completed",
      agentId: textField(outcome, "agentId"),
      isLaunch: outcome.status === "async_launched" || outcome.isAsync === true,
    });
  }
}

function interpretSystem(out: TraceRecorder, origin: RecordOrigin, record: JsonObject): void {
  switch (record.subtype) {
    case "turn_duration":
      out.endTurn(origin);
      return;
    case "api_error":
    case "error": {
      const retries = countField(record, "maxRetries");
      out.fail(origin, retries === 0 || countField(record, "retryAttempt") >= retries);
      return;
    }
    case "compact_boundary":
    case "microcompact_boundary":
      out.compaction(origin, countField(objectField(record, "compactMetadata"), "durationMs"));
      return;
    default:
      passThrough(out, origin, record);
  }
}
