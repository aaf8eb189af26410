import { jsonTextOf } from "../../domain/json/json-text-of.js";
import type { SessionStore } from "../ports/session-store.js";
import { RecordBuffer } from "./record-buffer.js";
import type { BufferLimits } from "./record-room.js";
import { type OnRecordingError, recordingError, report } from "./recording-error.js";
import { type FlushReport, type StoreCall, type StoreCalls, within } from "./store-call.js";

/** After this time without an answer, the store counts as silent. */
const PATIENCE_MS = 100;

/**
 * Does not wait for the store. The buffer holds text, because the caller continues to use the objects. A store that is away delays one
 * answer by 100 milliseconds, once.
 */
export class BufferedCalls implements StoreCalls {
  readonly isBuffered = true;
  readonly #onError: OnRecordingError;
  readonly #buffer: RecordBuffer;
  #unwritable = 0;

  constructor(store: SessionStore, onError: OnRecordingError, limits: BufferLimits) {
    this.#onError = onError;
    this.#buffer = new RecordBuffer(store, (error) => report(onError, error), limits);
  }

  async write(what: string, build: () => readonly StoreCall[]): Promise<void> {
    this.#try(what, () => {
      for (const call of build()) this.#add(what, call);
    });
  }

  async ask<Result>(what: string, build: () => StoreCall<unknown, Result>): Promise<Result | undefined> {
    let answer: Result | undefined;
    const answered = new Promise<void>((resolve) => {
      const isAccepted = this.#try(what, () => {
        const call = build();
        const noting: StoreCall<unknown, Result> = {
          ...call,
          onStored(result) {
            answer = result;
            call.onStored?.(result);
            resolve();
          },
          onLost(isRefused) {
            resolve();
            return call.onLost?.(isRefused) === true;
          },
        };
        this.#add(what, noting as StoreCall);
      });
      if (!isAccepted) resolve();
    });
    const isWorthWaiting = !this.#buffer.isSilent;
    if (isWorthWaiting && !(await within(PATIENCE_MS, answered))) this.#buffer.noteSilence();
    return answer;
  }

  async flush(timeoutMs?: number): Promise<FlushReport> {
    await within(timeoutMs, this.#buffer.flush());
    const { lost, waiting } = this.#buffer;
    return { lost: lost + this.#unwritable, waiting };
  }

  /** @returns false after a failure, which it reports */
  #try(what: string, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (cause) {
      this.#unwritable++;
      report(this.#onError, recordingError(what, cause));
      return false;
    }
  }

  #add(what: string, call: StoreCall): void {
    const text = jsonTextOf(call.records);
    if (text === undefined) throw new TypeError("JSON has no text for it.");
    this.#buffer.add(what, call, text);
  }
}
