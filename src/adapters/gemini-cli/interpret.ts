import { instantOf } from "../../domain/instant.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../../domain/json.js";
import { ODD_COUNT } from "../../domain/session-log.js";
import { hash53 } from "../transcripts/hash53.js";
import type { RecordOrigin } from "../transcripts/recorded.js";
import type { TraceRecorder } from "../transcripts/trace-recorder.js";
import type { LinePlace } from "../transcripts/trace-rows.js";
import {
  blocksOf,
  hasOddUsage,
  isEnded,
  isModelCall,
  promptText,
  textsOf,
  timesOf,
  toolCallIdOf,
  toolCallsOf,
  usageOf,
  userMessageKind,
} from "./record.js";

/** What was seen of a message, which is written again when more of it is known. */
interface SeenMessage {
  /** A hash of its thoughts and texts, and one of its tokens. */
  blocks: number;
  tokens: number;
  isCall: boolean;
}

/** What later records of a file refer to. */
class Seen {
  readonly messages = new Map<number, SeenMessage>();
  /** The tool calls that began, by hashes of their ids, and whether they ended. */
  readonly tools = new Map<number, boolean>();
  /** The messages that a rewind has not dropped, in their order, by hashes of their ids. */
  live: number[] = [];
}

const seenBy = new WeakMap<TraceRecorder, Seen>();

/** Passes on to the recorder what one record of a file means: a message, or what is said of the session. */
export function interpret(record: JsonObject, place: LinePlace, out: TraceRecorder): void {
  const seen = seenBy.get(out) ?? new Seen();
  seenBy.set(out, seen);
  const id = textField(record, "id");
  const isMessage = typeof record.type === "string";
  const key = isMessage && id !== undefined ? hash53(id) : undefined;
  const before = key === undefined ? undefined : seen.messages.get(key);
  if (key !== undefined && (before === undefined || place.isNested)) seen.live.push(key);
  // What replaces the whole history repeats most of it.
  if (place.isNested && before !== undefined) return;
  if (record.type === "user" || record.type === "gemini") out.noteMessage(place, id);

  const conversation = out.main;
  const begun = Number.isNaN(conversation.firstInstant) ? record.startTime : undefined;
  const instant = conversation.advance(instantOf(record.timestamp ?? begun), place);
  const origin: RecordOrigin = {
    conversation,
    place,
    instant,
    isInner: false,
    isRepeated: before !== undefined,
  };
  out.start(origin);
  if (!isMessage) {
    interpretOther(out, seen, origin, record);
    return;
  }
  const message = before ?? { blocks: 0, tokens: 0, isCall: false };
  if (key !== undefined) seen.messages.set(key, message);
  if (record.type === "gemini") interpretAnswer(out, seen, message, origin, record);
  else if (before !== undefined) out.passThrough(origin);
  else interpretNote(out, origin, record);
}

/** What is said of the session, or what takes something back. */
function interpretOther(out: TraceRecorder, seen: Seen, origin: RecordOrigin, record: JsonObject): void {
  const fields = isJsonObject(record.$set) ? record.$set : record;
  out.titles.suggested = textField(fields, "summary") ?? out.titles.suggested;
  if (Array.isArray(fields.messages)) seen.live = [];
  if (typeof record.$rewindTo === "string") rewind(out, seen, origin, record.$rewindTo);
  else out.passThrough(origin);
}

function rewind(out: TraceRecorder, seen: Seen, origin: RecordOrigin, messageId: string): void {
  const first = Math.max(0, seen.live.lastIndexOf(hash53(messageId)));
  const dropped = seen.live.length - first;
  seen.live.length = first;
  const { isTurnOpen, isFinished } = origin.conversation;
  const endsTurn = isTurnOpen && !isFinished;
  if (endsTurn) out.endTurn(origin, "cancelled");
  out.block(origin, { isMain: !endsTurn, block: dropped });
}

/** A message that is none of the model's. */
function interpretNote(out: TraceRecorder, origin: RecordOrigin, record: JsonObject): void {
  const { conversation } = origin;
  if (record.type === "user") interpretUser(out, origin, record);
  else if (record.type === "error") out.fail(origin, true);
  else if (isCancellation(record) && conversation.isTurnOpen) {
    out.endTurn(origin, "cancelled");
    out.finish(origin);
  } else out.passThrough(origin);
}

function isCancellation(record: JsonObject): boolean {
  return record.type === "info" && textsOf(record.content)[0]?.startsWith("Request cancelled") === true;
}

function interpretUser(out: TraceRecorder, origin: RecordOrigin, record: JsonObject): void {
  switch (userMessageKind(record)) {
    case "prompt":
      out.beginTurn(origin, promptText(record));
      return;
    case "summary":
      out.compaction(origin, 0);
      out.answerTo(origin);
      return;
    case "other":
      out.answerTo(origin);
      out.passThrough(origin);
  }
}

/** An answer of the model, as far as it is new: its texts are written first, then its tokens, then its tools as they end. */
function interpretAnswer(
  out: TraceRecorder,
  seen: Seen,
  message: SeenMessage,
  origin: RecordOrigin,
  record: JsonObject,
): void {
  const { conversation, place } = origin;
  const blocks = blocksOf(record);
  const blocksHash = blocks.length === 0 ? 0 : hash53(JSON.stringify([record.thoughts, record.content]));
  const tokensHash = isJsonObject(record.tokens) ? hash53(JSON.stringify(record.tokens)) : 0;
  const hasNewBlocks = blocksHash !== 0 && blocksHash !== message.blocks;
  const isNewCall = isModelCall(record) && (!message.isCall || hasNewBlocks || tokensHash !== message.tokens);
  const calls = toolCallsOf(record);
  if (isNewCall) {
    if (hasOddUsage(record)) out.problems.add(place.line, ODD_COUNT);
    const id = textField(record, "id");
    out.modelCall(origin, id, id ?? `line ${place.line}`, usageOf(record));
  }
  let isMain = true;
  const next = () => {
    const first = isMain;
    isMain = false;
    return first;
  };
  if (hasNewBlocks) for (const at of blocks.keys()) out.block(origin, { isMain: next(), block: at });
  if (isNewCall) out.markCallEnd(origin);
  for (const [at, call] of calls.entries()) beginTool(out, seen, origin, record, call, at, next);
  for (const [at, call] of calls.entries()) endTool(out, seen, origin, record, call, at, next);
  const isNew = !isMain || isNewCall;
  if (isMain) out.passThrough(origin);
  message.blocks = blocksHash;
  message.tokens = tokensHash;
  message.isCall ||= isNewCall;
  if (!isNew) return;
  const hasText = textsOf(record.content).length > 0;
  if (hasText) conversation.lastText = { ...place, isInner: false };
  conversation.end = undefined;
  if (hasText && calls.length === 0) out.finish(origin);
}

function beginTool(
  out: TraceRecorder,
  seen: Seen,
  origin: RecordOrigin,
  record: JsonObject,
  call: JsonObject,
  block: number,
  next: () => boolean,
): void {
  const id = toolCallIdOf(call, block, record, origin.place.line);
  const key = hash53(id);
  if (seen.tools.has(key)) return;
  seen.tools.set(key, false);
  const { begin } = timesOf(call, origin.instant);
  const name = textField(call, "name") ?? "unknown";
  const spawn =
    agentOf(call) === undefined
      ? undefined
      : { role: name, description: textField(call, "description"), prompt: undefined };
  out.beginTool({ ...origin, instant: begin }, id, name, { isMain: next(), block }, spawn);
}

function endTool(
  out: TraceRecorder,
  seen: Seen,
  origin: RecordOrigin,
  record: JsonObject,
  call: JsonObject,
  block: number,
  next: () => boolean,
): void {
  const id = toolCallIdOf(call, block, record, origin.place.line);
  const key = hash53(id);
  if (!isEnded(call) || seen.tools.get(key) !== false) return;
  seen.tools.set(key, true);
  const { end } = timesOf(call, origin.instant);
  const ended = { ...origin, instant: origin.conversation.advance(end, origin.place) };
  const isError = call.status === "error" || call.status === "cancelled";
  out.endTool(ended, id, { isMain: next(), block }, { isError, agentId: agentOf(call), isLaunch: false });
  out.answerTo(ended);
}

/** The sub-agent that a tool call ran. */
function agentOf(call: JsonObject): string | undefined {
  return textField(call, "agentId");
}

/** Whether a record may be a prompt, or names a title. */
export function hasText(record: JsonObject): boolean {
  return record.type === "user" || "summary" in record || "summary" in objectField(record, "$set");
}
