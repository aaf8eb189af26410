import type { ReadingPool, ReadingTask } from "../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { untilAborted } from "../../application/threads/shared-readings.js";
import { laneOf } from "../files/threads/in-flight.js";
import { locateOtlp } from "./otlp-files.js";
import { type OtlpFolder, SPAN_TASKS } from "./reading-tasks.js";
import type { SpanSessions } from "./span-index.js";

export class SpanThread {
  readonly #named: string;
  readonly #pool: ReadingPool;
  readonly #maxBytes: number;
  #folder: OtlpFolder | undefined;
  #looking: Promise<SpanSessions> | undefined;
  #sessions: SpanSessions | undefined;

  constructor(named: string, pool: ReadingPool, maxBytes: number) {
    this.#named = named;
    this.#pool = pool;
    this.#maxBytes = maxBytes;
  }

  get lane(): number {
    return laneOf(this.#named);
  }

  get path(): string {
    return this.#named;
  }

  async look({ signal }: ReadOptions = {}): Promise<SpanSessions> {
    signal?.throwIfAborted();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return untilAborted(this.#looking, signal);
  }

  run<Input, Output>(
    task: ReadingTask<Input & OtlpFolder, Output>,
    input: Input,
    { signal }: ReadOptions = {},
  ): Promise<Output> {
    return this.#pool.run(task, { ...this.#location, ...input }, { signal, lane: this.lane });
  }

  async close(): Promise<void> {
    await this.#looking?.catch(() => undefined); // The caller receives the error.
    this.#sessions = undefined;
    if (this.#folder !== undefined) await this.run(SPAN_TASKS.forget, {});
  }

  async #look(): Promise<SpanSessions> {
    const cached = this.#sessions;
    const now = await this.run(SPAN_TASKS.look, { previous: cached?.version });
    this.#sessions = now ?? cached!;
    return this.#sessions;
  }

  get #location(): OtlpFolder {
    this.#folder ??= { ...locateOtlp(this.#named), maxBytes: this.#maxBytes };
    return this.#folder;
  }
}
