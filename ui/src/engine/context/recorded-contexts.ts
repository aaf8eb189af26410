import { type ContextSizes, sizesOf } from "../../../../src/domain/conversation/context-messages.js";
import type { ReadMessage } from "../../../../src/domain/conversation/conversation.js";
import type { RecordedInputs } from "../../../../src/domain/conversation/matched-contexts.js";
import { readInput } from "./input-messages.js";

interface CallRecords {
  readonly spanId: string;
  readonly records: readonly string[];
}

interface RecordedInput {
  readonly records: readonly string[];
  readonly size: RecordedSize | undefined;
}

interface RecordedSize {
  readonly messages: number;
  readonly sizes: ContextSizes;
}

/** Pauses after this time, to answer other requests. */
const SLICE_MS = 30;

export class RecordedContexts implements RecordedInputs<CallRecords> {
  readonly #inputs = new Map<string, RecordedInput>();

  async update(calls: readonly CallRecords[]): Promise<void> {
    let began = performance.now();
    for (const { spanId, records } of calls) {
      if (isSame(this.#inputs.get(spanId)?.records, records)) continue;
      const messages = readInput(records);
      const size = messages && { messages: messages.length, sizes: sizesOf(messages) };
      this.#inputs.set(spanId, { records, size });
      if (performance.now() - began < SLICE_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
  }

  sizeOf(call: CallRecords | undefined): RecordedSize | undefined {
    return call && this.#inputs.get(call.spanId)?.size;
  }

  has(call: CallRecords): boolean {
    return this.sizeOf(call) !== undefined;
  }

  read(call: CallRecords, first: number): readonly ReadMessage[] | undefined {
    return this.has(call) ? readInput(call.records, first) : undefined;
  }
}

function isSame(previous: readonly string[] | undefined, records: readonly string[]): boolean {
  return previous?.length === records.length && records.every((record, i) => record === previous[i]);
}
