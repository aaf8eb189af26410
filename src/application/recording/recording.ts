import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { kindOf, withMethods } from "../../domain/options/option-kinds.js";
import { FactsOfEvents } from "../../domain/session/recorded-facts.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { instantOf } from "../../domain/trace/instant.js";
import { RecordingError } from "../errors.js";
import type { SessionStart } from "../ports/session-store.js";
import type { SessionTurns } from "./session-turns.js";
import { type StoreCall, type StoreCalls, storeCall } from "./store-call.js";

export interface RecorderClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}

export const RECORDER_CLOCK = withMethods<RecorderClock>("RecorderClock", ["now", "newId"]);

/** A `Date`, or milliseconds since the epoch. */
export type RecordedInstant = Date | number;

/** A value out of range is data, not a mistake of the program: it causes a `RecordingError`. */
export const RECORDED_INSTANT = kindOf(
  "a Date, or milliseconds since the epoch",
  (value) => typeof value === "number" || value instanceof Date,
);

export interface RecordOptions {
  /** An earlier instant: a `Date`, or milliseconds since the epoch. Default is now. */
  readonly at?: RecordedInstant | undefined;
}

const RECORD_OPTIONS = { at: RECORDED_INSTANT } satisfies OptionTable<RecordOptions>;

export class SessionRecording {
  readonly key: SessionKey;
  readonly clock: RecorderClock;
  readonly turns: SessionTurns;
  readonly facts = new FactsOfEvents();
  readonly beforeTurn: ((at: number) => void)[] = [];
  readonly #calls: StoreCalls;
  readonly #refusal: RecordingError | undefined;
  #unopened: StoreCall | undefined;

  /** @param refusal of every record, because of an invalid id */
  constructor(
    parts: { readonly clock: RecorderClock; readonly calls: StoreCalls; readonly turns: SessionTurns },
    key: SessionKey,
    refusal?: RecordingError,
  ) {
    this.key = key;
    this.clock = parts.clock;
    this.turns = parts.turns;
    this.#calls = parts.calls;
    this.#refusal = refusal;
  }

  opening(start: SessionStart): StoreCall {
    const opening: StoreCall = storeCall({
      key: this.key,
      records: start,
      send: (store, start, options) => store.openSession(start, options),
      onStored: ({ turns }) => this.turns.learn(turns),
      onLost: (isRefused) => {
        if (isRefused) this.#unopened = opening;
        return isRefused;
      },
    });
    return opening;
  }

  /** @param what follows on `could not` */
  write(what: string, build: (key: SessionKey) => readonly StoreCall[]): Promise<void> {
    return this.#calls.write(`${what} of session "${this.key.sessionId}"`, () => {
      if (this.#refusal !== undefined) throw this.#refusal;
      const calls = build(this.key);
      const opening = this.#unopened;
      this.#unopened = undefined;
      return opening === undefined ? calls : [opening, ...calls];
    });
  }

  /**
   * @param what follows on `could not`
   * @param build the instant is in milliseconds since the epoch
   * @throws TypeError at once for an unknown option, or one of another kind
   */
  writeAt(
    what: string,
    options: RecordOptions,
    build: (key: SessionKey, at: number) => readonly StoreCall[],
  ): Promise<void> {
    const { at } = checkOptions(RECORD_OPTIONS, options);
    return this.write(what, (key) => build(key, instantFor(at, this.clock)));
  }

  /** @param at the instant of the event */
  dueFacts(at: string): readonly StoreCall[] {
    const facts = this.facts.takeDue();
    if (facts === undefined) return [];
    const updatedAt = instantOf(at) ?? this.clock.now();
    const call = storeCall({
      key: this.key,
      records: { ...facts, updatedAt },
      send: (store, update, options) => store.updateSession(this.key, update, options),
      onLost: () => {
        this.facts.giveBack(facts);
        return true;
      },
    });
    return [call];
  }
}

/**
 * Milliseconds since the epoch. Default is now.
 * @throws RecordingError if `at` is not an instant
 */
export function instantFor(at: RecordedInstant | undefined, clock: RecorderClock): number {
  if (at === undefined) return clock.now();
  const instant = instantOf(at);
  if (instant !== undefined) return instant;
  throw new RecordingError(
    "`at` is no instant of the years 1970 to 9998: give a Date, or milliseconds since the epoch.",
  );
}
