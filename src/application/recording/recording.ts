import { tellHost } from "../../domain/options/host-functions.js";
import { withMethods } from "../../domain/options/option-kinds.js";
import { FactsOfEvents, type RecordedFacts } from "../../domain/session/recorded-facts.js";
import { instantOf } from "../../domain/trace/instant.js";
import { RecordingError } from "../errors.js";
import type { SessionKey, SessionStore } from "../ports/session-store.js";

/**
 * Is told of each thing that could not be recorded: `error.message` says what and of which session, `error.cause` why. What it
 * returns is not waited for, and what it throws changes nothing.
 */
export type OnRecordingError = (error: RecordingError) => unknown;

/** Where the recorder takes instants and ids from: replaced in tests. */
export interface RecorderClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** An option that is a clock. */
export const RECORDER_CLOCK = withMethods<RecorderClock>("RecorderClock", ["now", "newId"]);

/** When something happened: a `Date`, or milliseconds since the epoch. */
export type RecordedInstant = Date | number;

/**
 * The calls of a store by one recorder. Whoever awaits a call learns how it ended; one that nobody awaits is no unhandled rejection.
 */
export class StoreCalls {
  readonly #onError: OnRecordingError | undefined;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(onError: OnRecordingError | undefined) {
    this.#onError = onError;
  }

  /** @param otherwise what a call gives that has failed and was reported */
  run<T>(what: string, call: () => Promise<T>, otherwise: T): Promise<T> {
    const result = this.#attempt(what, call, otherwise);
    this.#pending.add(result);
    const end = () => this.#pending.delete(result);
    result.then(end, end);
    return result;
  }

  /** Waits for the calls so far, however they end. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  async #attempt<T>(what: string, call: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await call();
    } catch (cause) {
      const error =
        cause instanceof RecordingError
          ? cause
          : new RecordingError(`The session store could not ${what}.`, { cause });
      if (this.#onError === undefined) throw error;
      const onError = this.#onError;
      tellHost(() => onError(error));
      return otherwise;
    }
  }
}

/** What a session and its traces are recorded with. */
export class SessionRecording {
  readonly key: SessionKey;
  readonly clock: RecorderClock;
  /** What the events that are recorded tell the session list. */
  readonly facts = new FactsOfEvents();
  readonly #store: SessionStore;
  readonly #calls: StoreCalls;
  readonly #refusal: RecordingError | undefined;

  /** @param refusal why nothing of the session can be recorded: it has an id that cannot be one */
  constructor(
    parts: { readonly store: SessionStore; readonly clock: RecorderClock; readonly calls: StoreCalls },
    key: SessionKey,
    refusal?: RecordingError,
  ) {
    this.key = key;
    this.clock = parts.clock;
    this.#store = parts.store;
    this.#calls = parts.calls;
    this.#refusal = refusal;
  }

  write(what: string, call: (store: SessionStore, key: SessionKey) => Promise<void>): Promise<void> {
    const write = () => {
      if (this.#refusal !== undefined) throw this.#refusal;
      return call(this.#store, this.key);
    };
    return this.#calls.run(`${what} of session "${this.key.sessionId}"`, write, undefined);
  }

  /**
   * Writes what an event tells the session list beside the event, where it is time for that.
   *
   * @param at the instant of the event
   */
  async withFacts(store: SessionStore, at: string, appended: Promise<void>): Promise<void> {
    const facts = this.facts.takeDue();
    if (facts === undefined) return appended;
    const updatedAt = instantOf(at) ?? this.clock.now();
    await Promise.all([
      appended,
      this.keepingFacts(facts, store.updateSession(this.key, { ...facts, updatedAt })),
    ]);
  }

  /** Waits for facts to be written; what could not be is written with the next ones. */
  async keepingFacts(facts: RecordedFacts, written: Promise<void>): Promise<void> {
    try {
      await written;
    } catch (error) {
      this.facts.giveBack(facts);
      throw error;
    }
  }

  /**
   * Milliseconds since the epoch; now, where nothing else is given.
   *
   * @throws RecordingError where that is no instant
   */
  instant(at: RecordedInstant | undefined): number {
    return instantFor(at, this.clock);
  }
}

/** @throws RecordingError where `at` is no instant */
export function instantFor(at: RecordedInstant | undefined, clock: RecorderClock): number {
  if (at === undefined) return clock.now();
  const instant = instantOf(at instanceof Date ? at.getTime() : at);
  if (instant !== undefined) return instant;
  throw new RecordingError("`at` is no instant: give a Date, or milliseconds since the epoch.");
}
