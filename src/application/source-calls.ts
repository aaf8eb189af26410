import { InvalidRequestError, SourceUnavailableError } from "./errors.js";
import type { ReadOptions } from "./ports/record-stream.js";
import type { SourcePart } from "./source-part.js";

export interface CombineOptions {
  /**
   * How long a source may take for its part of a page of the list or of a search, in milliseconds: what takes longer is left out of
   * the answer. Default is 20,000.
   */
  readonly timeoutMs?: number | undefined;
  /** Called with every failure that an answer only mentions, because it was made without that source. It does not throw. */
  readonly onError?: ((error: unknown, source: { readonly key: string }) => void) | undefined;
}

/** What a part gave, or why it is missing: a sentence without secrets and paths. */
export type Answer<T> = { readonly value: T } | { readonly error: unknown; readonly reason: string };

/** Asks the parts of a combination so that one that fails, or does not answer, costs its own part of the answer. */
export class SourceCalls {
  readonly #timeoutMs: number;
  readonly #onError: NonNullable<CombineOptions["onError"]>;
  /** How many have failed. It begins anywhere, so that two processes hardly ever agree. */
  failures = Math.floor(Math.random() * 2 ** 40);

  constructor({ timeoutMs = 20_000, onError = () => undefined }: CombineOptions) {
    this.#timeoutMs = timeoutMs;
    this.#onError = onError;
  }

  /**
   * @throws the caller's own signal's reason, once it is aborted
   * @throws InvalidRequestError where the part says that of the request
   */
  async ask<T>(
    part: SourcePart,
    work: (options: ReadOptions) => Promise<T>,
    { signal }: ReadOptions = {},
  ): Promise<Answer<T>> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new TimeIsOver()), this.#timeoutMs);
    const signals = signal === undefined ? [late.signal] : [late.signal, signal];
    const either = AbortSignal.any(signals);
    try {
      const over = new Promise<never>((_, reject) => {
        either.addEventListener("abort", () => reject(either.reason), { once: true });
      });
      signal?.throwIfAborted();
      return { value: await Promise.race([work({ signal: either }), over]) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof InvalidRequestError) throw error;
      this.failures++;
      this.#onError(error, { key: part.key });
      return { error, reason: `${part.name} ${reasonOf(error)}` };
    } finally {
      clearTimeout(timer);
    }
  }
}

class TimeIsOver extends SourceUnavailableError {
  constructor() {
    super("The data source did not answer in time.");
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TimeIsOver) return "did not answer in time.";
  return error instanceof SourceUnavailableError
    ? `cannot be read just now: ${error.message}`
    : "could not be read.";
}
