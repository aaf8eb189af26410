import type { SourceWait } from "./source-wait.js";

/** Receives a failure after the first byte, too late for a problem document. It does not throw. */
export type OnBreak = (error: unknown) => void;

export interface StreamedParts {
  readonly first: readonly Uint8Array[];
  readonly rest: Batches;
  readonly write: (batch: Uint8Array) => Uint8Array;
  readonly last: Uint8Array;
  readonly wait: SourceWait;
  readonly onBreak: OnBreak;
}

/**
 * Requests a batch after the previous one was taken. A failure aborts the body, so that no client mistakes a partial answer for a
 * complete one.
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
          // A separate error: the server displays it, and a source may throw any value.
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

/** Any end of the batches ends their source, which may have files open. */
export class Batches {
  readonly #batches: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal;

  constructor(batches: AsyncIterable<Uint8Array>, signal: AbortSignal) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#signal = signal;
  }

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

  /** Never rejects: the caller cannot use an error at the end. */
  async end(): Promise<void> {
    try {
      await this.#batches.return?.();
    } catch {}
  }
}
