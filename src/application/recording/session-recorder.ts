import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { FUNCTION, integerFrom, numberFrom, TEXT, TIMEOUT_MS } from "../../domain/options/option-kinds.js";
import { idProblem } from "../../domain/session/ids.js";
import { RecordingError } from "../errors.js";
import type { SessionKey, SessionStart, SessionStore } from "../ports/session-store.js";
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
import { KnownTurns } from "./session-turns.js";
import type { FlushOptions, FlushReport, StoreCalls } from "./store-call.js";

/** The instants of the system, and random UUIDs. */
export const SYSTEM_CLOCK: RecorderClock = { now: Date.now, newId: () => crypto.randomUUID() };

/** How much may wait for the store, of a recorder that waits for nothing. */
export interface BufferOptions {
  /** How many records may wait for the store. Default is 50,000. */
  readonly maxWaitingRecords?: number | undefined;
  /**
   * How many bytes of memory these may take: two for each character of their JSON, and 512 for each record. Default is 64 MiB. A larger record
   * may wait alone.
   */
  readonly maxWaitingBytes?: number | undefined;
}

export interface RecorderOptions extends BufferOptions {
  /**
   * Is told of what could not be recorded. With it no call of the recorder, its sessions and their traces rejects, and none waits for the store:
   * what is recorded waits in a buffer, and is stored when the store can be reached. What there is no room for is lost: the newest. `flush` says how
   * many records were lost. Without it a call ends when its records are stored, and one that fails rejects with a `RecordingError`. A wrong name of
   * an option is a mistake of the program, and throws a `TypeError` with and without it.
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

/** Which session to open, and what is known of it when it is new. */
export interface OpenSessionOptions {
  /** Default is `"default"`. */
  readonly tenantId?: string | undefined;
  /** An existing session is gone on with. Default is a new one. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly title?: string | undefined;
  /** When a new session began, where that was earlier: a `Date`, or milliseconds since the epoch. Default is now. */
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
 * Records what an agent does, so that the inspector can show it. It gives every record its id, instant and sequence; the
 * store keeps them in the order of the calls, whether or not one waits for each. A call that nobody waits for and that fails is
 * no unhandled rejection.
 *
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
  readonly #turns = new KnownTurns();

  /**
   * @throws TypeError for an option that there is not, or whose value is of another kind
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
   * Opens a session, or creates it. With `onError`, there is a session to record in also where that fails: of one that the store
   * could not open it is tried to store the records, of one whose id cannot be one each is reported. How many turns an existing one has, the store is
   * asked for: with `onError` a tenth of a second at most, once while it does not answer (`RecordedSession.knowsTurns`).
   *
   * @throws TypeError for an option that there is not, or whose value is of another kind: at once, also with `onError`
   * @throws RecordingError without `onError`: for an id that cannot be one, and where the store fails
   */
  open(options: OpenSessionOptions = {}): Promise<RecordedSession> {
    const opened = this.#open(checkOptions(OPEN_OPTIONS, options));
    opened.catch(() => {}); // one that nobody awaits is no unhandled rejection
    return opened;
  }

  /**
   * Waits until everything that was recorded so far is stored, or is lost and was reported. It never rejects.
   *
   * @example
   * const { lost, waiting } = await recorder.flush({ timeoutMs: 5_000 });
   *
   * @throws TypeError for an option that there is not
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

/** Why nothing can be recorded under these ids. */
function refusalOf(key: SessionKey): RecordingError | undefined {
  for (const [name, id] of Object.entries(key)) {
    const problem = idProblem(id);
    if (problem !== undefined) return new RecordingError(`${name} ${problem}.`);
  }
  return undefined;
}
