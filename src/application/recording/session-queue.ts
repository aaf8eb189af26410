import type { StoreCall } from "./store-call.js";

export interface WaitingCall {
  readonly id: number;
  readonly what: string;
  readonly call: StoreCall;
  readonly text: string;
  readonly bytes: number;
}

/** Limits of one call for one session: at most one transaction of a store. */
const BATCH_CALLS = 1_000;
const BATCH_BYTES = 512 * 1024;

export class SessionQueue {
  readonly key: string;
  #waiting: WaitingCall[] = [];
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

  /** They stay until {@link put}. */
  first(): readonly WaitingCall[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((waiting, i) => {
      bytes += waiting.bytes;
      return i > 0 && (waiting.call.needsAnswers === true || i >= BATCH_CALLS || bytes > BATCH_BYTES);
    });
    return end === -1 ? [...this.#waiting] : this.#waiting.slice(0, end);
  }

  put(instead: readonly WaitingCall[], count: number): void {
    this.#waiting = [...instead, ...this.#waiting.slice(count)];
  }
}
