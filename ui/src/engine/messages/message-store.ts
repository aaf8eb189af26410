import {
  type ConversationEntry,
  conversationEntries,
  type ReadMessage,
  readMessage,
} from "../../../../src/domain/conversation/conversation.js";
import type {
  ConversationOutline,
  MessageRun,
} from "../../../../src/domain/conversation/conversation-outline.js";
import { type MessagePart, partText } from "../../../../src/domain/conversation/message-part.js";
import { recordIn } from "../../../../src/domain/json/json.js";
import type { ContentKind } from "../../../../src/domain/search/search-query.js";
import { inputPreview } from "../../../../src/domain/spans/preview.js";
import { answerIds } from "../../model/messages/conversation-spans.js";
import { parseInSlices } from "../records/parse-in-slices.js";
import { indentedJson } from "../records/record-json.js";
import { CUT_AT, cutText } from "./cut-text.js";
import type { MessageTarget, RecordedEntry } from "./message-protocol.js";

const PART_TYPES: { readonly [kind in ContentKind]?: ConversationEntry["part"]["type"] } = {
  text: "text",
  thinking: "thinking",
  input: "call",
  output: "result",
  error: "result",
  other: "other",
};

export class MessageStore {
  version = 0;
  answeredBy: readonly (string | undefined)[] = [];
  isBehind = false;
  outline: ConversationOutline | undefined;
  #directory = "";
  #records: readonly string[] = [];
  #messages: readonly ReadMessage[] = [];
  #updates = 0;
  #entries: readonly ConversationEntry[] = [];

  /**
   * Parses a slice at a time, but not unchanged records. Requests in the meantime get the previous conversation.
   * @returns false if another conversation arrived first
   */
  async update(records: readonly string[], outline?: ConversationOutline): Promise<boolean> {
    const update = ++this.#updates;
    this.isBehind = true;
    const messages = await parseInSlices<ReadMessage>(
      records,
      (record, index) => {
        const unchanged = this.#records[index] === record ? this.#messages[index] : undefined;
        return unchanged ?? readMessage(recordIn(record), index);
      },
      () => update !== this.#updates,
    );
    if (messages === undefined || update !== this.#updates) return false;
    this.#take(records, messages, outline);
    return true;
  }

  clear(): void {
    this.#updates++;
    this.#take([], [], undefined);
  }

  #take(
    records: readonly string[],
    messages: readonly ReadMessage[],
    outline: ConversationOutline | undefined,
  ): void {
    this.#records = records;
    this.#messages = messages;
    this.#entries = conversationEntries(messages);
    this.outline = outline;
    this.answeredBy = answerIds(messages, outline);
    this.isBehind = false;
    this.version++;
  }

  workIn(directory: string): void {
    if (directory === this.#directory) return;
    this.#directory = directory;
    this.version++;
  }

  get entryCount(): number {
    return this.#entries.length;
  }

  get messages(): readonly ReadMessage[] {
    return this.#messages;
  }

  parts(from?: number, to?: number): readonly ConversationEntry[] {
    return from === undefined ? this.#entries : this.#entries.slice(from, to);
  }

  entries(from: number, to: number): RecordedEntry[] {
    return this.#entries.slice(from, to).map((entry, at) => ({
      ...entryRow(entry, this.#directory),
      opensAnswer: this.#opensAnswer(entry, this.#entries[from + at - 1]),
      removal: this.#removalOf(entry),
    }));
  }

  #opensAnswer({ origin, messageIndex }: ConversationEntry, before: ConversationEntry | undefined): boolean {
    if (origin !== "assistant") return false;
    if (before?.origin !== "assistant") return true;
    const last = before.messageIndex;
    const id = this.answeredBy[messageIndex];
    if (id !== undefined || this.answeredBy[last] !== undefined) return id !== this.answeredBy[last];
    // A tool result lies between the items of two answers.
    const isNextItem = this.#messages[messageIndex]?.isItem === true && messageIndex === last + 1;
    return messageIndex !== last && !isNextItem;
  }

  #removalOf({ messageIndex, part }: ConversationEntry): RecordedEntry["removal"] {
    const callId = part.type === "call" || part.type === "result" ? part.callId : "";
    const isIn = (runs: readonly MessageRun[]) =>
      runs.some(([from, to]) => messageIndex >= from && messageIndex < to);
    const last = this.outline?.removals.findLast(
      ({ cause, messages, restored = [], toolCallIds = [] }) =>
        (cause === "rewind" && (isIn(messages) || isIn(restored))) ||
        (callId !== "" && toolCallIds.includes(callId)),
    );
    return last !== undefined && isIn(last.restored ?? []) ? undefined : last;
  }

  locate(target: MessageTarget): number {
    if ("callId" in target) return this.#callIndex(target.callId);
    const { messageIndex, kind } = target;
    const position = this.#entries.findIndex(
      (entry) =>
        entry.messageIndex === messageIndex && (kind === undefined || entry.part.type === PART_TYPES[kind]),
    );
    if (position !== -1) return position;
    // A tool result is displayed with its call, which is in another message.
    const result = this.#messages[messageIndex]?.parts.find(({ type }) => type === "result");
    const call = result?.type === "result" ? this.#callIndex(result.callId) : -1;
    return call === -1 ? this.#entries.findIndex((entry) => entry.messageIndex >= messageIndex) : call;
  }

  #callIndex(callId: string): number {
    return this.#entries.findIndex(
      ({ part }) => (part.type === "call" || part.type === "result") && part.callId === callId,
    );
  }

  failedIndexes(): number[] {
    return [...this.#entries.keys()].filter((index) => {
      const { part, result } = this.#entries[index]!;
      return part.type === "result" ? part.isError : result?.isError === true;
    });
  }

  fullText(index: number, which: "part" | "result"): string {
    const entry = this.#entries[index];
    if (entry === undefined) return "";
    const row = entryRow(entry, this.#directory, Number.POSITIVE_INFINITY);
    return which === "part" ? row.text.text : (row.result?.text.text ?? "");
  }

  images(index: number): readonly string[] {
    const entry = this.#entries[index];
    return entry === undefined ? [] : imagesOf(entry.result ?? entry.part);
  }

  call(index: number): Extract<MessagePart, { type: "call" }> | undefined {
    const part = this.#entries[index]?.part;
    return part?.type === "call" ? part : undefined;
  }

  messageJson(index: number): string {
    const record = this.#records[index];
    return record === undefined ? "" : indentedJson(record);
  }
}

function entryRow(
  { key, messageIndex, origin, role, opensSpeaker, part, result }: ConversationEntry,
  directory: string,
  cutAt = CUT_AT,
): Omit<RecordedEntry, "removal" | "opensAnswer"> {
  return {
    key,
    messageIndex,
    origin,
    role,
    opensSpeaker,
    type: part.type,
    text: cutText(partText(part), cutAt),
    name: part.type === "call" ? part.name : "",
    preview: part.type === "call" ? inputPreview(part.input, directory) : "",
    callId: part.type === "call" || part.type === "result" ? part.callId : "",
    result: result && {
      text: cutText(result.text, cutAt),
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
