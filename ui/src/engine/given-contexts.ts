import { type ContextSizes, sizesOf } from "../../../src/domain/conversation/context-messages.js";
import type { ReadMessage } from "../../../src/domain/conversation/conversation.js";
import { readGiven } from "./given-messages.js";

interface CallRecords {
  readonly spanId: string;
  readonly records: readonly string[];
}

interface Given {
  readonly records: readonly string[];
  readonly size: GivenSize | undefined;
}

interface GivenSize {
  readonly messages: number;
  readonly sizes: ContextSizes;
}

/** Pauses after this time, to answer other requests. */
const SLICE_MS = 30;

export class GivenContexts {
  readonly #given = new Map<string, Given>();

  async update(calls: readonly CallRecords[]): Promise<void> {
    let began = performance.now();
    for (const { spanId, records } of calls) {
      if (isSame(this.#given.get(spanId)?.records, records)) continue;
      const messages = readGiven(records);
      const size = messages && { messages: messages.length, sizes: sizesOf(messages) };
      this.#given.set(spanId, { records, size });
      if (performance.now() - began < SLICE_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
  }

  sizeOf(call: CallRecords | undefined): GivenSize | undefined {
    return call && this.#given.get(call.spanId)?.size;
  }

  /** @param index of the first message */
  messagesOf(call: CallRecords | undefined, index: number): readonly ReadMessage[] | undefined {
    return call === undefined || this.sizeOf(call) === undefined ? undefined : readGiven(call.records, index);
  }
}

function isSame(known: readonly string[] | undefined, records: readonly string[]): boolean {
  return known?.length === records.length && records.every((record, i) => record === known[i]);
}
