import { SourceUnavailableError } from "../errors.js";
import { ownModule, type ReadingPool, type ReadingTask } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { AnalysisThread, SessionInput } from "../ports/session-snapshot.js";

let begun = 0;

/** A conversation with one thread of a pool: the state of its tasks stays in the thread until `close`, which belongs in a `finally`. */
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
    this.#opened.catch(() => undefined);
  }

  /** @throws SourceUnavailableError if the thread ended, and its state with it */
  async call<Input, Output>(
    task: ReadingTask<SessionInput<Input>, Output>,
    input: Input,
    moved?: readonly ArrayBuffer[],
  ): Promise<Output> {
    await this.#opened;
    const options = { signal: this.#signal, lane: this.#lane, moved };
    return await this.#pool.run(task, { session: this.#id, input }, options);
  }

  async close(): Promise<void> {
    await this.#pool.run(DROP_STATE, this.#id, { lane: this.#lane });
  }
}

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

export function withState<State, Input, Output>(
  create: () => State,
  steps: (state: State, input: Input) => Generator<unknown, Output>,
): (input: SessionInput<Input>) => Generator<unknown, Output> {
  return function* ({ session, input }) {
    const held = states.get(session);
    // The thread ended, and another one took its place.
    if (held === undefined)
      throw new SourceUnavailableError("The session could not be read to its end. Try again.");
    held.state ??= create();
    return yield* steps(held.state as State, input);
  };
}
