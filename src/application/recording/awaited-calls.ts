import type { SessionStore } from "../ports/session-store.js";
import { type OnRecordingError, recordingError, report } from "./recording-error.js";
import { type FlushReport, type StoreCall, type StoreCalls, within } from "./store-call.js";

/** Calls the store at once. Callers that await a call learn its outcome; a rejection that nobody awaits is not reported as unhandled. */
export class AwaitedCalls implements StoreCalls {
  readonly isBuffered = false;
  readonly #store: SessionStore;
  readonly #onError: OnRecordingError | undefined;
  readonly #pending = new Set<Promise<unknown>>();
  #lost = 0;

  /** @param onError receives the failures, instead of the callers that await them */
  constructor(store: SessionStore, onError: OnRecordingError | undefined) {
    this.#store = store;
    this.#onError = onError;
  }

  write(what: string, build: () => readonly StoreCall[]): Promise<void> {
    return this.#run(what, async () => {
      await Promise.all(build().map((call) => this.#send(call)));
    });
  }

  ask<Result>(what: string, build: () => StoreCall<unknown, Result>): Promise<Result | undefined> {
    return this.#run(what, () => this.#send(build()));
  }

  async flush(timeoutMs?: number): Promise<FlushReport> {
    await within(timeoutMs, Promise.allSettled(this.#pending));
    return { lost: this.#lost, waiting: this.#pending.size };
  }

  #run<Result>(what: string, call: () => Promise<Result>): Promise<Result | undefined> {
    const result = this.#attempt(what, call);
    this.#pending.add(result);
    const end = () => this.#pending.delete(result);
    result.then(end, end);
    return result;
  }

  async #attempt<Result>(what: string, call: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await call();
    } catch (cause) {
      this.#lost++;
      const error = recordingError(what, cause);
      if (this.#onError === undefined) throw error;
      report(this.#onError, error);
      return undefined;
    }
  }

  async #send<Result>(call: StoreCall<unknown, Result>): Promise<Result> {
    try {
      const result = await call.send(this.#store, call.records);
      call.onStored?.(result);
      return result;
    } catch (error) {
      call.onLost?.(false);
      throw error;
    }
  }
}
