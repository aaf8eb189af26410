import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { ODD_COUNT } from "../../../domain/session/session-log.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { RecordInterpreter } from "../../transcripts/format.js";
import { runsBesides } from "../../transcripts/message-places.js";
import type { RecordOrigin } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";
import type { LineLocation } from "../../transcripts/trace-rows.js";
import * as gemini from "./record.js";

/** What was seen of a message, which is written again when more of it is known: hashes of what it held. */
interface SeenMessage {
  blocks: number;
  tokens: number;
  isCall: boolean;
}

/** Passes on to a recorder what the records of one file mean: messages, and what is said of the session. */
export class Interpreter implements RecordInterpreter {
  readonly #out: TraceRecorder;
  /** By hashes of their ids. */
  readonly #messages = new Map<number, SeenMessage>();
  /** The tool calls that began, by hashes of their ids, and whether they ended. */
  readonly #tools = new Map<number, boolean>();
  /** The messages that no rewind dropped, in their order. */
  #live: number[] = [];
  /** How many messages were noted before each, the first and the last time that it was written. */
  readonly #places = new Map<number, { readonly first: number; last: number }>();

  constructor(out: TraceRecorder) {
    this.#out = out;
  }

  take(record: JsonObject, place: LineLocation): void {
    const out = this.#out;
    const conversation = out.main;
    const isMessage = typeof record.type === "string";
    const id = isMessage ? textField(record, "id") : undefined;
    const key = id === undefined ? undefined : hash53(id);
    const before = key === undefined ? undefined : this.#messages.get(key);
    if (key !== undefined && (before === undefined || place.isNested)) this.#live.push(key);
    // What takes the place of all messages repeats most of them.
    if (place.isNested && before !== undefined) return;
    const isSaid = record.type === "user" || record.type === "gemini";
    if (key !== undefined && isSaid) this.#notePlace(key);
    if (isSaid) out.noteMessage(place, id);
    const begun = Number.isNaN(conversation.firstInstant) ? record.startTime : undefined;
    const instant = conversation.advance(instantOf(record.timestamp ?? begun), place);
    const isRepeated = before !== undefined;
    const origin: RecordOrigin = { conversation, place, instant, isInner: false, isRepeated };
    out.start(origin);
    const message = before ?? { blocks: 0, tokens: 0, isCall: false };
    if (key !== undefined) this.#messages.set(key, message);
    if (!isMessage) this.#takeFields(origin, record);
    else if (record.type === "gemini") this.#takeAnswer(origin, record, message);
    else if (isRepeated) out.passThrough(origin);
    else if (record.type === "user") this.#takeUser(origin, record);
    else if (record.type === "error") out.fail(origin, true);
    else if (gemini.isCancellation(record) && conversation.isTurnOpen) {
      out.endTurn(origin, "cancelled");
      out.finish(origin);
    } else out.passThrough(origin);
  }

  /** What is said of the session, or what takes messages back. */
  #takeFields(origin: RecordOrigin, record: JsonObject): void {
    const out = this.#out;
    const fields = isJsonObject(record.$set) ? record.$set : record;
    out.titles.suggested = textField(fields, "summary") ?? out.titles.suggested;
    if (Array.isArray(fields.messages)) this.#replaceMessages(origin, fields.messages);
    if (typeof record.$rewindTo !== "string") {
      out.passThrough(origin);
      return;
    }
    const first = Math.max(0, this.#live.lastIndexOf(hash53(record.$rewindTo)));
    const dropped = this.#live.splice(first);
    const from = this.#places.get(dropped[0] ?? -1)?.first ?? out.messageCount;
    out.remove(origin, { cause: "rewind", messages: [[from, out.messageCount]] });
    const { isTurnOpen, isFinished } = origin.conversation;
    const endsTurn = isTurnOpen && !isFinished;
    if (endsTurn) out.endTurn(origin, "cancelled");
    out.block(origin, { isMain: !endsTurn, block: dropped.length });
  }

  #notePlace(key: number): void {
    const { messageCount } = this.#out;
    const place = this.#places.get(key);
    if (place === undefined) this.#places.set(key, { first: messageCount, last: messageCount });
    else place.last = messageCount;
  }

  /** Other messages take the place of all so far: those among them that were there already stay. */
  #replaceMessages(origin: RecordOrigin, messages: readonly unknown[]): void {
    const { messageCount } = this.#out;
    const ids = messages.flatMap((message) =>
      isJsonObject(message) ? (textField(message, "id") ?? []) : [],
    );
    const kept = ids.flatMap((id) => this.#places.get(hash53(id))?.last ?? []).sort((a, b) => a - b);
    const runs = runsBesides(
      kept.map((at) => [at, at + 1] as const),
      messageCount,
    );
    this.#live = [];
    if (runs.length > 0) this.#out.remove(origin, { cause: "compaction", messages: runs });
  }

  #takeUser(origin: RecordOrigin, record: JsonObject): void {
    const out = this.#out;
    const kind = gemini.userMessageKind(record);
    if (kind === "prompt") {
      out.beginTurn(origin, gemini.promptText(record));
      return;
    }
    out.answerTo(origin);
    if (kind === "summary") {
      // The summary itself is the last message so far. What takes the place of all messages says itself what it keeps.
      const last = out.messageCount - 1;
      if (!origin.place.isNested) out.remove(origin, { cause: "compaction", messages: [[0, last]] }, last);
      out.compaction(origin, 0);
    } else out.passThrough(origin);
  }

  /** An answer of the model, as far as it is new: its texts are written first, then its tokens, then its tools as they end. */
  #takeAnswer(origin: RecordOrigin, record: JsonObject, message: SeenMessage): void {
    const out = this.#out;
    const { conversation, place } = origin;
    const { thoughts, content, tokens } = record;
    const held = gemini.blocksOf(record);
    const blocks = held.length === 0 ? message.blocks : hash53(jsonTextOf([thoughts, content])!);
    const usage = isJsonObject(tokens) ? hash53(jsonTextOf(tokens)!) : message.tokens;
    const hasNewBlocks = blocks !== message.blocks;
    const isNewer = !message.isCall || hasNewBlocks || usage !== message.tokens;
    const isNewCall = isNewer && gemini.isModelCall(record);
    Object.assign(message, { blocks, tokens: usage, isCall: message.isCall || isNewCall });
    let rows = 0;
    if (isNewCall) {
      conversation.model = textField(record, "model") ?? conversation.model;
      if (gemini.hasOddUsage(record)) out.problems.add(place.line, ODD_COUNT);
      const id = textField(record, "id");
      out.modelCall(origin, id, id ?? `line ${place.line}`, gemini.usageOf(record));
    }
    if (hasNewBlocks) for (const block of held.keys()) out.block(origin, { isMain: rows++ === 0, block });
    if (isNewCall) out.markCallEnd(origin);
    const calls = [...gemini.toolCallsOf(record).entries()].map(([block, call]) => {
      const id = gemini.toolCallIdOf(call, block, record, place.line);
      return { block, call, id, key: hash53(id), agentId: textField(call, "agentId") };
    });
    for (const { block, call, id, key, agentId } of calls) {
      if (this.#tools.has(key)) continue;
      this.#tools.set(key, false);
      const at = { ...origin, instant: gemini.timesOf(call, origin.instant).begin };
      const name = textField(call, "name") ?? "unknown";
      const spawn = { role: name, description: textField(call, "description"), prompt: undefined };
      const row = { isMain: rows++ === 0, block };
      out.beginTool(at, id, name, row, agentId === undefined ? undefined : spawn);
    }
    for (const { block, call, id, key, agentId } of calls) {
      if (!gemini.isEnded(call) || this.#tools.get(key) !== false) continue;
      this.#tools.set(key, true);
      const instant = conversation.advance(gemini.timesOf(call, origin.instant).end, place);
      const at = { ...origin, instant };
      const outcome = gemini.outcomeOf(call);
      out.endTool(at, id, { isMain: rows++ === 0, block }, { outcome, agentId, isLaunch: false });
      out.answerTo(at);
    }
    if (rows === 0) out.passThrough(origin);
    if (rows === 0 && !isNewCall) return;
    const hasText = gemini.textsOf(content).length > 0;
    if (hasText) conversation.lastText = { ...place, isInner: false };
    conversation.end = undefined;
    if (hasText && calls.length === 0) out.finish(origin);
  }
}

/** Whether a record may be a prompt, or names a title. */
export function hasText(record: JsonObject): boolean {
  return record.type === "user" || "summary" in record || "summary" in objectField(record, "$set");
}
