import type {
  ContextRemoval,
  ConversationOutline,
  MessageRun,
  OutlinedCall,
} from "../../../domain/conversation/conversation-outline.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { doubles, integers } from "../../files/bytes/columns.js";
import type { LineLocation } from "./trace-rows.js";

export interface MessageColumns {
  readonly messageStarts: Float64Array;
  readonly messageLengths: Uint32Array;
  readonly messageContents: Float64Array;
  readonly outline: ConversationOutline;
}

/** Locations of messages, and their calls and removals, in order of writing. A message that is written again is at its last occurrence. */
export class MessagePlaces {
  readonly #starts = doubles();
  readonly #lengths = integers();
  readonly #contents = doubles();
  readonly #newest = new Map<number, number>();
  readonly #replaced = new Set<number>();
  readonly #calls: OutlinedCall[] = [];
  readonly #removals: ContextRemoval[] = [];
  #recordedAt = -1;

  get bytes(): number {
    const columns = this.#starts.bytes + this.#lengths.bytes + this.#contents.bytes;
    const ids = (this.#newest.size + this.#replaced.size) * 40;
    return columns + ids + this.#calls.length * 120 + this.#removals.length * 300;
  }

  get size(): number {
    return this.#starts.size;
  }

  add({ start, length, content }: LineLocation, messageId?: string): void {
    if (messageId !== undefined) {
      const key = hash53(messageId);
      const before = this.#newest.get(key);
      if (before !== undefined) this.#replaced.add(before);
      this.#newest.set(key, start);
    }
    this.#starts.push(start);
    this.#lengths.push(length);
    this.#contents.push(content);
  }

  addCall(callId: string, { start }: LineLocation): void {
    const isMessage = this.size > 0 && this.#starts.at(this.size - 1) === start;
    const at = isMessage ? this.size - 1 : this.size;
    this.#calls.push(at === this.#recordedAt ? { callId, at, isRecorded: true } : { callId, at });
  }

  markRecorded(): void {
    this.#recordedAt = this.size - 1;
  }

  remove(removal: ContextRemoval): void {
    this.#removals.push(removal);
  }

  view(): MessageColumns {
    const starts = this.#starts.view();
    const lengths = this.#lengths.view();
    const contents = this.#contents.view();
    const outline = { calls: [...this.#calls], removals: [...this.#removals] };
    if (this.#replaced.size === 0)
      return { messageStarts: starts, messageLengths: lengths, messageContents: contents, outline };
    const isLast = (_: number, i: number) => !this.#replaced.has(starts[i]!);
    return {
      messageStarts: starts.filter(isLast),
      messageLengths: lengths.filter(isLast),
      messageContents: contents.filter(isLast),
      outline: renumbered(outline, countsBefore(starts, isLast)),
    };
  }
}

function countsBefore(starts: Float64Array, isThere: (_: number, i: number) => boolean): Uint32Array {
  const counts = new Uint32Array(starts.length + 1);
  for (let i = 0; i < starts.length; i++) counts[i + 1] = counts[i]! + (isThere(0, i) ? 1 : 0);
  return counts;
}

function renumbered({ calls, removals }: ConversationOutline, counts: Uint32Array): ConversationOutline {
  const count = (index: number) => counts[index]!;
  return {
    calls: calls.map((call) => ({ ...call, at: count(call.at) })),
    removals: removals.map((removal) => movedRemoval(removal, count)),
  };
}

export function movedRemoval(removal: ContextRemoval, place: (index: number) => number): ContextRemoval {
  const { at, messages, restored, seen: context } = removal;
  const moved = (runs: readonly MessageRun[]) =>
    runs.map(([from, to]): MessageRun => [place(from), place(to)]);
  return {
    ...removal,
    at: place(at),
    messages: moved(messages),
    ...(restored === undefined ? {} : { restored: moved(restored) }),
    ...(context === undefined ? {} : { seen: moved(context) }),
  };
}

export function runsOf(indexes: readonly number[]): readonly MessageRun[] {
  const runs: [number, number][] = [];
  for (const index of indexes) {
    const last = runs.at(-1);
    if (last?.[1] === index) last[1]++;
    else runs.push([index, index + 1]);
  }
  return runs;
}

export function runsBesides(others: readonly MessageRun[], to: number): readonly MessageRun[] {
  const runs: MessageRun[] = [];
  let from = 0;
  for (const [first, end] of [...others, [to, to] as const]) {
    if (first > from) runs.push([from, first]);
    from = end;
  }
  return runs;
}
