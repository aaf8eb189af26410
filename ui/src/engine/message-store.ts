import { isJsonObject } from "../../../src/domain/json.js";
import type { ContentKind } from "../../../src/domain/search-query.js";
import { compareContexts, foldRuns, messageText } from "../model/compare-contexts.js";
import {
  alignCalls,
  type ContextCall,
  contextCalls,
  contextLength,
  contextOf,
  contextSizes,
  type TracedCall,
} from "../model/context-calls.js";
import {
  type ConversationEntry,
  conversationEntries,
  type ReadMessage,
  readMessage,
} from "../model/conversation.js";
import { previewText } from "../model/formats.js";
import type { MessagePart } from "../model/message-part.js";
import { partText } from "../model/message-parts.js";
import { inputPreview } from "../model/preview.js";
import { contextLine, countChanges, MAX_PREVIEW } from "./context-lines.js";
import type {
  ContextCalls,
  ContextComparison,
  CutText,
  EntryRow,
  MessageTarget,
} from "./message-protocol.js";

/** The part of a message that holds a kind of content. */
const PART_TYPES: { readonly [kind in ContentKind]?: ConversationEntry["part"]["type"] } = {
  text: "text",
  thinking: "thinking",
  input: "call",
  output: "result",
  error: "result",
  other: "other",
};

/** Holds the conversation of a session and answers for the entries on the screen. */
export class MessageStore {
  version = 0;
  #directory = "";
  #records: readonly string[] = [];
  #messages: ReadMessage[] = [];
  #entries: readonly ConversationEntry[] = [];
  #calls: readonly ContextCall[] = [];

  /** Replaces the conversation. Records that are the same as before are not parsed again. */
  update(records: readonly string[]): void {
    const known = this.#messages;
    this.#messages = records.map((record, index) =>
      this.#records[index] === record && known[index] !== undefined
        ? known[index]
        : parseMessage(record, index),
    );
    this.#records = records;
    this.#entries = conversationEntries(this.#messages);
    this.#calls = contextCalls(this.#messages);
    this.version++;
  }

  /** Sets the folder that the paths of calls are read from. */
  workIn(directory: string): void {
    if (directory === this.#directory) return;
    this.#directory = directory;
    this.version++;
  }

  get entryCount(): number {
    return this.#entries.length;
  }

  get messageCount(): number {
    return this.#messages.length;
  }

  entries(from: number, to: number): EntryRow[] {
    return this.#entries.slice(from, to).map((entry) => entryRow(entry, this.#directory));
  }

  /** The place of the entry that shows a target; -1 where there is none. */
  locate(target: MessageTarget): number {
    if ("callId" in target) return this.#callPlace(target.callId);
    const { messageIndex, kind } = target;
    const shown = this.#entries.findIndex(
      (entry) =>
        entry.messageIndex === messageIndex && (kind === undefined || entry.part.type === PART_TYPES[kind]),
    );
    if (shown !== -1) return shown;
    // The result of a tool is shown with its call, which another message asked for.
    const result = this.#messages[messageIndex]?.parts.find(({ type }) => type === "result");
    const call = result?.type === "result" ? this.#callPlace(result.callId) : -1;
    return call === -1 ? this.#entries.findIndex((entry) => entry.messageIndex >= messageIndex) : call;
  }

  #callPlace(callId: string): number {
    return this.#entries.findIndex(
      ({ part }) => (part.type === "call" || part.type === "result") && part.callId === callId,
    );
  }

  /** The entries of tool calls that failed. */
  failedPlaces(): number[] {
    return [...this.#entries.keys()].filter((place) => {
      const { part, result } = this.#entries[place]!;
      return part.type === "result" ? part.isError : result?.isError === true;
    });
  }

  /** The whole of a text that an entry shows cut. */
  fullText(index: number, which: "part" | "result"): string {
    const entry = this.#entries[index];
    if (entry === undefined) return "";
    const whole = entryRow(entry, this.#directory, Number.POSITIVE_INFINITY);
    return which === "part" ? whole.text.text : (whole.result?.text.text ?? "");
  }

  /** The images that an entry shows: those of its result for a call. */
  images(index: number): readonly string[] {
    const entry = this.#entries[index];
    return entry === undefined ? [] : imagesOf(entry.result ?? entry.part);
  }

  /** The tool call that an entry shows. */
  call(index: number): Extract<MessagePart, { type: "call" }> | undefined {
    const part = this.#entries[index]?.part;
    return part?.type === "call" ? part : undefined;
  }

  /** The stored message as JSON. */
  messageJson(index: number): string {
    const record = this.#records[index];
    return record === undefined ? "" : JSON.stringify(JSON.parse(record), null, 2);
  }

  messageText(index: number): string {
    const message = this.#messages[Math.floor(index)];
    const inside = message?.replacement?.find((one) => one.index === index);
    return message === undefined ? "" : messageText(inside ?? message);
  }

  /** The beginning of it, as much as a screen or two show. */
  messageBeginning(index: number): CutText {
    return cut(this.messageText(index), CUT_AT);
  }

  calls(traced: readonly TracedCall[]): ContextCalls {
    const sizes = contextSizes(this.#messages, this.#calls);
    const { matches, unseen } = alignCalls(this.#calls, traced);
    return {
      unseenCalls: unseen,
      messages: this.#messages.length,
      calls: this.#calls.map((call, place) => ({
        index: call.index,
        messages: contextLength(this.#messages, call),
        sizes: sizes[place]!,
        countedTokens: matches[place]?.tokens,
        spanId: matches[place]?.spanId,
        at: matches[place]?.at,
        compacted: call.compacted,
        answer: this.#answerOf(call),
      })),
    };
  }

  compare(base: number, call: number): ContextComparison | undefined {
    const from = this.#calls[base];
    const to = this.#calls[call];
    if (to === undefined) return undefined;
    const rows = compareContexts(from === undefined ? [] : this.#seenBy(from), this.#seenBy(to));
    return { base, call, counts: countChanges(rows), lines: foldRuns(rows).map((row) => this.#line(row)) };
  }

  /** The messages of a folded run. */
  seenBetween(
    call: number,
    from: number,
    to: number,
    change: "kept" | "dropped",
  ): ContextComparison["lines"] {
    const seen = this.#calls[call] === undefined ? [] : this.#seenBy(this.#calls[call]);
    return seen
      .filter(({ index }) => index >= from && index <= to)
      .map((message) =>
        this.#line({ change, before: message, after: change === "kept" ? message : undefined }),
      );
  }

  #line(row: Parameters<typeof contextLine>[0]): ReturnType<typeof contextLine> {
    return contextLine(row, this.#directory);
  }

  #seenBy(call: ContextCall): readonly ReadMessage[] {
    return contextOf(this.#messages, call);
  }

  #answerOf({ to, answerEnd }: ContextCall): string {
    const parts = this.#messages.slice(to, answerEnd).flatMap(({ parts }) => parts);
    const text = parts.find((part) => part.type === "text" && part.text.trim() !== "");
    const tools = parts.flatMap((part) => (part.type === "call" ? [part.name] : []));
    const preview = text?.type === "text" ? previewText(text.text, MAX_PREVIEW) : "";
    return [preview, tools.join(", ")].filter(Boolean).join(" → ");
  }
}

function parseMessage(record: string, index: number): ReadMessage {
  const value: unknown = JSON.parse(record);
  return readMessage(isJsonObject(value) ? value : { value }, index);
}

/** Somewhat more than a folded text shows. The page asks for the rest when somebody unfolds it. */
const CUT_AT = 6000;

function entryRow(
  { key, messageIndex, origin, role, opensSpeaker, part, result }: ConversationEntry,
  directory: string,
  cutAt = CUT_AT,
): EntryRow {
  return {
    key,
    messageIndex,
    origin,
    role,
    opensSpeaker,
    type: part.type,
    text: cut(partText(part), cutAt),
    name: part.type === "call" ? part.name : "",
    preview: part.type === "call" ? inputPreview(part.input, directory) : "",
    callId: part.type === "call" || part.type === "result" ? part.callId : "",
    result: result && {
      text: cut(result.text, cutAt),
      isError: result.isError,
      images: result.images.length,
    },
    images: imagesOf(part).length,
  };
}

function imagesOf(part: MessagePart): readonly string[] {
  if (part.type === "image") return [part.source];
  return part.type === "result" ? part.images : [];
}

function cut(text: string, cutAt: number): CutText {
  return { text: text.length > cutAt ? text.slice(0, cutAt) : text, length: text.length };
}
