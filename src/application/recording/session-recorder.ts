import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { FUNCTION, integerFrom, numberFrom, TEXT, TIMEOUT_MS } from "../../domain/options/option-kinds.js";
import { idProblem } from "../../domain/session/ids.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { RecordingError } from "../errors.js";
import type { SessionStart, SessionStore } from "../ports/session-store.js";
import { AwaitedCalls } from "./awaited-calls.js";
import { BufferedCalls } from "./buffered-calls.js";
import { RecordedSession } from "./recorded-session.js";
import {
  instantFor,
  RECORDED_INSTANT,
  RECORDER_CLOCK,
  type RecordedInstant,
  type RecorderClock,
  SessionRecording,
} from "./recording.js";
import type { OnRecordingError } from "./recording-error.js";
import { RecordedTurns } from "./session-turns.js";
import type { FlushOptions, FlushReport, StoreCalls } from "./store-call.js";

export const SYSTEM_CLOCK: RecorderClock = { now: Date.now, newId: () => crypto.randomUUID() };

export interface BufferOptions {
  /** Maximum number of records that wait for the store. Default is 50,000. */
  readonly maxWaitingRecords?: number | undefined;
  /** In bytes: two for each character of the JSON, and 512 for each record. Default is 64 MiB. A larger record may wait alone. */
  readonly maxWaitingBytes?: number | undefined;
}

export interface RecorderOptions extends BufferOptions {
  /**
   * Receives each recording failure. With it no call rejects or waits for the store: records wait in a buffer; without room the newest
   * are lost, and `flush` counts them. Without it a call ends when its records are stored, and rejects with a `RecordingError`. A wrong
   * option throws a `TypeError` in both cases.
   */
  readonly onError?: OnRecordingError | undefined;
  /** Default is the system's clock, and random UUIDs. */
  readonly clock?: RecorderClock | undefined;
}

export const BUFFER_OPTIONS = {
  maxWaitingRecords: integerFrom(1, "a number of records"),
  maxWaitingBytes: numberFrom(1, "a number of bytes"),
} satisfies OptionTable<BufferOptions>;

export const RECORDER_OPTIONS = {
  onError: FUNCTION,
  clock: RECORDER_CLOCK,
  ...BUFFER_OPTIONS,
} satisfies OptionTable<RecorderOptions>;

export const FLUSH_OPTIONS = { timeoutMs: TIMEOUT_MS } satisfies OptionTable<FlushOptions>;

export interface OpenSessionOptions {
  /** Default is `"default"`. */
  readonly tenantId?: string | undefined;
  /** An existing session continues. Default is a new one. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly title?: string | undefined;
  /** Earlier beginning of a new session: a `Date`, or milliseconds since the epoch. Default is now. */
  readonly at?: RecordedInstant | undefined;
}

const OPEN_OPTIONS = {
  tenantId: TEXT,
  sessionId: TEXT,
  userId: TEXT,
  agentId: TEXT,
  title: TEXT,
  at: RECORDED_INSTANT,
} satisfies OptionTable<OpenSessionOptions>;

/**
 * Records an agent's work for the inspector, with an id, an instant and a sequence for each record. The store retains the order of the
 * calls, even without `await`. A failed call that nobody awaits is not an unhandled rejection.
 * @example
 * const recorder = new SessionRecorder(store, { onError: (error) => log.warn(error) });
 * const session = await recorder.open({ tenantId: "acme", userId: "ada", title: "Weekly report" });
 * const trace = session.startTrace();
 * trace.record({ type: "turn.start", turnIndex: 0 });
 * session.appendMessages([{ role: "user", content: "hello" }]);
 * session.recordTurn({ inputTokens: 12, outputTokens: 40 });
 * trace.record({ type: "turn.end", turnIndex: 0, outcome: "completed" });
 * await recorder.flush();
 */
export class SessionRecorder {
  readonly #clock: RecorderClock;
  readonly #calls: StoreCalls;
  readonly #turns = new RecordedTurns();

  /**
   * @throws TypeError for an unknown option, or one of another kind
   * @throws RangeError for a number out of range
   */
  constructor(store: SessionStore, options: RecorderOptions = {}) {
    const {
      clock = SYSTEM_CLOCK,
      onError,
      maxWaitingRecords = 50_000,
      maxWaitingBytes = 64 * 1024 * 1024,
    } = checkOptions(RECORDER_OPTIONS, options);
    this.#clock = clock;
    this.#calls =
      onError === undefined || store.isImmediate === true
        ? new AwaitedCalls(store, onError)
        : new BufferedCalls(store, onError, { maxWaitingRecords, maxWaitingBytes });
  }

  /**
   * Opens a session, or creates it. With `onError` it always returns a session: after a failed opening its records still go to the store;
   * for an invalid id each record is reported. It asks the store for the number of turns, with `onError` for a tenth of a second at most,
   * once while the store does not answer (`RecordedSession.knowsTurns`).
   * @throws TypeError for an unsupported option, or a value of the wrong kind: at once, also with `onError`
   * @throws RecordingError without `onError`: for an invalid id, and if the store fails
   */
  open(options: OpenSessionOptions = {}): Promise<RecordedSession> {
    const opened = this.#open(checkOptions(OPEN_OPTIONS, options));
    opened.catch(() => {}); // a rejection that nobody awaits is not reported as unhandled
    return opened;
  }

  /**
   * Waits until all earlier records are stored, or are lost and reported. It never rejects.
   * @example
   * const { lost, waiting } = await recorder.flush({ timeoutMs: 5_000 });
   * @throws TypeError for an unknown option
   */
  flush(options: FlushOptions = {}): Promise<FlushReport> {
    return this.#calls.flush(checkOptions(FLUSH_OPTIONS, options).timeoutMs);
  }

  async #open(options: OpenSessionOptions): Promise<RecordedSession> {
    const { tenantId = "default", sessionId, userId = "", agentId, title, at } = options;
    const key = { tenantId, sessionId: sessionId ?? this.#clock.newId() };
    const refusal = refusalOf(key);
    const turns = this.#turns.of(key, sessionId === undefined);
    const recording = new SessionRecording({ clock: this.#clock, calls: this.#calls, turns }, key, refusal);
    const opened = this.#calls.ask(`open session "${key.sessionId}"`, () => {
      if (refusal !== undefined) throw refusal;
      const createdAt = instantFor(at, this.#clock);
      const start: SessionStart = { ...key, userId, agentId, title, createdAt, errors: 0 };
      return recording.opening(start);
    });
    if (sessionId !== undefined || !this.#calls.isBuffered) await opened;
    return new RecordedSession(recording);
  }
}

function refusalOf(key: SessionKey): RecordingError | undefined {
  for (const [name, id] of Object.entries(key)) {
    const problem = idProblem(id);
    if (problem !== undefined) return new RecordingError(`${name} ${problem}.`);
  }
  return undefined;
}
