import { SourceUnavailableError } from "../errors.js";
import { ownModule, type ReadingPool, type ReadingTask } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { AnalysisThread, SessionInput } from "../ports/session-snapshot.js";

/** Number of conversations begun, in whichever thread; it provides their ids. */
let begun = 0;

/**
 * A conversation with one thread of a pool, task after task: what its tasks have made there stays until it is closed. It is closed in
 * a `finally`.
 */
export class ThreadSession implements AnalysisThread {
  readonly #pool: ReadingPool;
  readonly #id = String(begun++);
  readonly #lane: number;
  readonly #signal: AbortSignal | undefined;
  readonly #opened: Promise<void>;

  constructor(pool: ReadingPool, { signal }: ReadOptions = {}) {
    this.#pool = pool;
    this.#lane = pool.quietLane?.() ?? 0;
    this.#signal = signal;
    this.#opened = pool.run(OPEN_STATE, this.#id, { signal, lane: this.#lane });
    this.#opened.catch(() => undefined); // it is thrown where it is awaited
  }

  /**
   * @param moved as the pool's
   * @throws SourceUnavailableError where the thread has ended meanwhile, and with it what it had
   */
  async call<Input, Output>(
    task: ReadingTask<SessionInput<Input>, Output>,
    input: Input,
    moved?: readonly ArrayBuffer[],
  ): Promise<Output> {
    await this.#opened;
    const options = { signal: this.#signal, lane: this.#lane, moved };
    return await this.#pool.run(task, { session: this.#id, input }, options);
  }

  /** Has the thread forget what it made. */
  async close(): Promise<void> {
    await this.#pool.run(DROP_STATE, this.#id, { lane: this.#lane });
  }
}

/** State of the unfinished conversations in this thread; empty for one that has only begun. */
const states = new Map<string, { state?: unknown }>();

const OPEN_STATE = {
  module: ownModule(import.meta.url, "thread-session"),
  name: "openState",
  steps: openState,
};
const DROP_STATE = {
  module: ownModule(import.meta.url, "thread-session"),
  name: "dropState",
  steps: dropState,
};

// biome-ignore lint/correctness/useYield: a task is a generator
export function* openState(session: string): Generator<void, void> {
  states.set(session, {});
}

// biome-ignore lint/correctness/useYield: a task is a generator
export function* dropState(session: string): Generator<void, void> {
  states.delete(session);
}

/** Returns the steps of a task that continues from the state of its conversation's earlier tasks; `create` makes the first state. */
export function withState<State, Input, Output>(
  create: () => State,
  steps: (state: State, input: Input) => Generator<unknown, Output>,
): (given: SessionInput<Input>) => Generator<unknown, Output> {
  return function* ({ session, input }) {
    const held = states.get(session);
    // The thread ended meanwhile, and another one took its place.
    if (held === undefined)
      throw new SourceUnavailableError("The session could not be read to its end. Try again.");
    held.state ??= create();
    return yield* steps(held.state as State, input);
  };
}
