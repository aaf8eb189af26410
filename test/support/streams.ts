import { vi } from "vitest";
import { batchOfTexts, keysOfEnvelopes } from "../../src/advanced.js";
import type { InspectorDataSource, RecordStream } from "../../src/index.js";
import { handMadeSnapshot, handMadeSource, NO_ORCHESTRATION } from "./hand-made-source.js";
import { envelope } from "./sample.js";

/** What is known of a source that streams batch after batch. */
export interface StreamLog {
  /** How many batches it was asked for. */
  batches: number;
  /** Whether a reading was ended: to its end, by a failure, or by its reader. */
  isEnded: boolean;
  signal: AbortSignal | undefined;
}

export interface BatchesOptions {
  readonly batches: number;
  /** The batch, counted from 0, that fails instead. */
  readonly failsAt?: number;
  readonly error?: Error;
  /** Called when a reading is ended. */
  readonly onEnd?: () => void;
}

/** Characters of a record: a batch is larger than what sockets and streams hold by themselves. */
const PADDING = "x".repeat(256 * 1024);

/** A source whose session has one long record a batch, in its trace and in its messages. */
export function streamingSource(options: BatchesOptions): { source: InspectorDataSource; log: StreamLog } {
  const { batches, failsAt = -1, error = new Error("/secret/place is broken") } = options;
  const log: StreamLog = { batches: 0, isEnded: false, signal: undefined };
  const envelopes = Array.from({ length: batches }, (_, n) => envelope(n));
  const streamOf = (records: readonly object[]): RecordStream => ({
    size: records.length,
    warnings: [],
    async *read({ from, to }, { signal } = {}) {
      log.signal = signal;
      try {
        for (let i = from; i < to; i++) {
          log.batches++;
          if (i === failsAt) throw error;
          yield batchOfTexts([JSON.stringify({ ...records[i], padding: PADDING })]);
        }
      } finally {
        log.isEnded = true;
        options.onEnd?.();
      }
    },
  });
  const session = handMadeSnapshot({
    trace: async () => ({ ...streamOf(envelopes), keys: keysOfEnvelopes(envelopes) }),
    messages: async () => streamOf(envelopes.map((_, n) => ({ role: "user", content: `message ${n}` }))),
    orchestration: NO_ORCHESTRATION,
  });
  const source = handMadeSource({ openSession: async () => session });
  return { source, log };
}

/** Waits until something is so; fails where it does not become so. */
export async function until(condition: () => boolean): Promise<void> {
  const check = () => {
    if (!condition()) throw new Error(`It never comes about: ${condition}`);
  };
  await vi.waitFor(check, { timeout: 10_000, interval: 5 });
}
