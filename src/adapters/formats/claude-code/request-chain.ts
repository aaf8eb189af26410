import type { ContextRemoval, MessageRun } from "../../../domain/conversation/conversation-outline.js";
import { VisibleMessages } from "../../../domain/conversation/conversation-outline.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { runsOf } from "../../transcripts/recorder/message-places.js";
import type { ClaudeRecord } from "./parts.js";
import type { SentMessage, SentRequest } from "./requests.js";
import { messagesSent, type ReportedMessage, type SentPlace } from "./sent-messages.js";

const MOST_REQUESTS = 8;

const MOST_MESSAGES = 5_000;
const MOST_PIECES = 500;

/** Up to a compaction: each may split the visible messages into two more pieces. */
const MOST_SENT = 1_000;

export class RequestChain {
  #reported: ReportedMessage[] = [];
  readonly #visible = new VisibleMessages();
  readonly #sent = new Map<number, SentPlace>();
  readonly #requests = new Map<string, readonly number[]>();
  #sentSince = 0;

  get isFull(): boolean {
    return this.#sentSince >= MOST_SENT;
  }

  say(index: number, { isAnswer, messageId, id }: ClaudeRecord): void {
    this.#reported.push({ index, answer: isAnswer ? hash53(messageId ?? id ?? "") : undefined });
  }

  addSent(index: number, { hash, role }: SentMessage): void {
    this.#sent.set(hash, { index, role });
    this.#sentSince++;
  }

  addRequest({ id, baseId, keep, tail }: SentRequest): void {
    const base = baseId === undefined ? [] : this.#requests.get(baseId);
    if (base === undefined || base.length < keep || keep + tail.length > MOST_MESSAGES) return;
    this.#requests.set(id, [...base.slice(0, keep), ...tail]);
    const [oldest] = this.#requests.keys();
    if (this.#requests.size > MOST_REQUESTS) this.#requests.delete(oldest!);
  }

  apply(removal: ContextRemoval): void {
    this.#visible.apply(removal);
    const { at, cause, messages, seen: context } = removal;
    if (cause === "request") return;
    if (cause === "compaction") this.#sentSince = 0;
    const first = messages.reduce((least, [from]) => Math.min(least, from), Number.POSITIVE_INFINITY);
    const retained = this.#reported.findLastIndex(({ index }) => index < first) + 1;
    const isTaken = ({ index }: ReportedMessage) =>
      messages.some(([from, to]) => index >= from && index < to);
    for (const one of this.#reported.splice(retained)) if (!isTaken(one)) this.#reported.push(one);
    if (context === undefined) return;
    const byIndex = new Map(this.#reported.map((one) => [one.index, one]));
    const last = this.#reported.at(-1)?.index ?? -1;
    this.#reported = indexesIn([...context, [at, last + 1]]).flatMap((index) => byIndex.get(index) ?? []);
  }

  /** Returns the changes before the first message of an answer; `undefined` for its later messages. */
  answer(requestId: string | undefined): AnsweredRequest | undefined {
    if (this.#requests.size === 0 || this.#reported.length > MOST_MESSAGES) return undefined;
    const byIndex = this.#reported.slice(0, -1);
    const own = this.#reported.at(-1)!;
    if (byIndex.findLast(({ answer }) => answer !== undefined)?.answer === own.answer) return undefined;
    const request = this.#requests.get(requestId ?? "");
    const sent = request && messagesSent(request, this.#sent, byIndex);
    const context = indexesIn(this.#visible.runs.map(([from, to]) => [from, Math.min(to, own.index)]));
    const change = sent && changeBetween(context, sent);
    if (sent !== undefined && (change?.seen?.length ?? 0) <= MOST_PIECES)
      return { isRecorded: true, at: own.index, change };
    const indexes = byIndex.map(({ index }) => index);
    return { isRecorded: false, at: own.index, change: changeBetween(context, indexes) };
  }
}

export interface AnsweredRequest {
  readonly isRecorded: boolean;
  readonly at: number;
  readonly change: Pick<ContextRemoval, "messages" | "restored" | "seen"> | undefined;
}

function changeBetween(before: readonly number[], now: readonly number[]): AnsweredRequest["change"] {
  if (before.length === now.length && before.every((index, i) => index === now[i])) return undefined;
  if (!isAscending(before) || !isAscending(now)) return { messages: [], seen: runsOf(now) };
  const [context, sent] = [new Set(before), new Set(now)];
  return {
    messages: runsOf(before.filter((index) => !sent.has(index))),
    restored: runsOf(now.filter((index) => !context.has(index))),
  };
}

function isAscending(indexes: readonly number[]): boolean {
  return indexes.every((index, i) => i === 0 || index > indexes[i - 1]!);
}

function indexesIn(runs: readonly MessageRun[]): number[] {
  return runs.flatMap(([from, to]) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i));
}
