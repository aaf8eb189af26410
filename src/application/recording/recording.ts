import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { kindOf, withMethods } from "../../domain/options/option-kinds.js";
import { FactsOfEvents } from "../../domain/session/recorded-facts.js";
import { instantOf } from "../../domain/trace/instant.js";
import { RecordingError } from "../errors.js";
import type { SessionKey, SessionStart } from "../ports/session-store.js";
import type { SessionTurns } from "./session-turns.js";
import { type StoreCall, type StoreCalls, storeCall } from "./store-call.js";

/** Source of the recorder's instants and ids; replaced in tests. */
export interface RecorderClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** An option that is a clock. */
export const RECORDER_CLOCK = withMethods<RecorderClock>("RecorderClock", ["now", "newId"]);

/** When something happened: a `Date`, or milliseconds since the epoch. */
export type RecordedInstant = Date | number;

/** An option that is an instant. A date or a number out of range is data, not a mistake of the program: it causes a `RecordingError`. */
export const RECORDED_INSTANT = kindOf(
  "a Date, or milliseconds since the epoch",
  (value) => typeof value === "number" || value instanceof Date,
);

/** Options of what is recorded. */
export interface RecordOptions {
  /** When it happened, where that was earlier: a `Date`, or milliseconds since the epoch. Default is now. */
  readonly at?: RecordedInstant | undefined;
}

const RECORD_OPTIONS = { at: RECORDED_INSTANT } satisfies OptionTable<RecordOptions>;

/** Records a session and its traces. */
export class SessionRecording {
  readonly key: SessionKey;
  readonly clock: RecorderClock;
  readonly turns: SessionTurns;
  /** Facts for the session list, from the recorded events. */
  readonly facts = new FactsOfEvents();
  /** Listeners that run before a turn is recorded. */
  readonly beforeTurn: ((at: number) => void)[] = [];
  readonly #calls: StoreCalls;
  readonly #refusal: RecordingError | undefined;
  /** Call that opens the session and for which there was no room; the next call retries it. */
  #unopened: StoreCall | undefined;

  /** @param refusal why nothing of the session can be recorded: it has an id that cannot be one */
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

  /** The call that opens the session. */
  opening(start: SessionStart): StoreCall {
    const opening: StoreCall = storeCall({
      key: this.key,
      records: start,
      send: (store, given, options) => store.openSession(given, options),
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
   * Writes something that happened at an instant.
   *
   * @param what follows on `could not`
   * @param build the instant is in milliseconds since the epoch
   * @throws TypeError at once for an option that there is not, or whose value is of another kind
   */
  writeAt(
    what: string,
    options: RecordOptions,
    build: (key: SessionKey, at: number) => readonly StoreCall[],
  ): Promise<void> {
    const { at } = checkOptions(RECORD_OPTIONS, options);
    return this.write(what, (key) => build(key, instantFor(at, this.clock)));
  }

  /**
   * Returns the calls that write facts for the session list together with an event, if they are due.
   *
   * @param at the instant of the event
   */
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
 * Milliseconds since the epoch; now, unless another instant is passed.
 *
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
