import { vi } from "vitest";
import { batchOfTexts, keysOfEnvelopes } from "../../src/advanced.js";
import type { InspectorDataSource, RecordStream } from "../../src/index.js";
import { handMadeSnapshot, handMadeSource, NO_ORCHESTRATION } from "./hand-made-source.js";
import { envelope } from "./sample.js";

export interface StreamLog {
  batches: number;
  /** True after the last batch, after a failure, or when the reader stops. */
  isEnded: boolean;
  signal: AbortSignal | undefined;
}

export interface BatchesOptions {
  readonly batches: number;
  /** Counted from 0. */
  readonly failsAt?: number;
  readonly error?: Error;
  readonly onEnd?: () => void;
}

/** A batch is larger than the buffers of sockets and streams. */
const PADDING = "x".repeat(256 * 1024);

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

export async function until(condition: () => boolean): Promise<void> {
  const check = () => {
    if (!condition()) throw new Error(`It never comes about: ${condition}`);
  };
  await vi.waitFor(check, { timeout: 10_000, interval: 5 });
}
