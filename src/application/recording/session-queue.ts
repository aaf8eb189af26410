import type { StoreCall } from "./store-call.js";

/** A call that waits for the store. */
export interface WaitingCall {
  /** Ascends with the order of the calls. */
  readonly id: number;
  readonly what: string;
  readonly call: StoreCall;
  /** Records for the store, as JSON. */
  readonly text: string;
  readonly bytes: number;
}

/** Limits of one call to a store, for one session: no more than a store writes in one transaction. */
const BATCH_CALLS = 1_000;
const BATCH_BYTES = 512 * 1024;

/** Waiting records of one session, in its order. */
export class SessionQueue {
  readonly key: string;
  #waiting: WaitingCall[] = [];
  /** True while the store writes some of the session's records. */
  isBeingWritten = false;

  constructor(key: string) {
    this.key = key;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(waiting: WaitingCall): void {
    this.#waiting.push(waiting);
  }

  /** The first of it, which stays until {@link put}. */
  first(): readonly WaitingCall[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((waiting, i) => {
      bytes += waiting.bytes;
      return i > 0 && (waiting.call.needsAnswers === true || i >= BATCH_CALLS || bytes > BATCH_BYTES);
    });
    return end === -1 ? [...this.#waiting] : this.#waiting.slice(0, end);
  }

  /** Replaces the first calls with others. */
  put(instead: readonly WaitingCall[], count: number): void {
    this.#waiting = [...instead, ...this.#waiting.slice(count)];
  }
}
