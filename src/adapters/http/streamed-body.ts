import type { SourceWait } from "./source-wait.js";

/** Called with a failure after the first byte, when it is too late for a problem document. It does not throw. */
export type OnBreak = (error: unknown) => void;

export interface StreamedParts {
  /** Sent before the first batch is requested. */
  readonly first: readonly Uint8Array[];
  readonly rest: Batches;
  /** Converts each batch to the bytes that are sent. */
  readonly write: (batch: Uint8Array) => Uint8Array;
  readonly last: Uint8Array;
  readonly wait: SourceWait;
  readonly onBreak: OnBreak;
}

/**
 * A body that requests the next batch after the previous batch was taken. A failure aborts it, so that no client mistakes a partial
 * answer for the complete answer.
 */
export function streamedBody({ first, rest, write, last, wait, onBreak }: StreamedParts) {
  const ready = [...first];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = ready.shift();
        if (piece !== undefined) return controller.enqueue(piece);
        try {
          const next = await wait.for(rest.next());
          if (next !== undefined) return controller.enqueue(write(next));
          if (last.length > 0) controller.enqueue(last);
          controller.close();
        } catch (error) {
          onBreak(error);
          // Throws a separate error: the server displays it, and a source may throw any value.
          controller.error(new Error("The data source failed in the middle of an answer."));
        }
      },
      async cancel(reason) {
        wait.leave(reason);
        await rest.end();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Batches of bytes while somebody waits for them. Whatever ends that ends their source, which may have files open. */
export class Batches {
  readonly #batches: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal;

  constructor(batches: AsyncIterable<Uint8Array>, signal: AbortSignal) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  /** The next one; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    try {
      this.#signal.throwIfAborted();
      const { done, value } = await this.#batches.next();
      this.#signal.throwIfAborted();
      return done ? undefined : value;
    } catch (error) {
      void this.end();
      throw error;
    }
  }

  /** Never rejects: who ends a list has no use for what it says to that. */
  async end(): Promise<void> {
    try {
      await this.#batches.return?.();
    } catch {}
  }
}
