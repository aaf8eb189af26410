import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { FUNCTION } from "../../domain/options/option-kinds.js";
import { identityOf } from "../../recording/open-span.js";
import type { RunRecorder } from "../../recording/run-recorder.js";
import type { SpanIdentity } from "../../recording/run-span.js";

export interface FrameworkOptions {
  /** Called as each run starts, in that run's context. Absent fields come from the framework's own data. */
  readonly identify?: (() => SpanIdentity | undefined) | undefined;
}

const FRAMEWORK_OPTIONS = { identify: FUNCTION } satisfies OptionTable<FrameworkOptions>;

/** Common part of the adapters. No failure in an adapter reaches the agent. */
export class FrameworkAdapter {
  readonly recorder: RunRecorder;
  readonly #framework: string;
  readonly #identify: FrameworkOptions["identify"];
  readonly #passed = new Map<string, string | undefined>();

  /** @throws TypeError if an option does not exist or has a value of another kind */
  constructor(framework: string, recorder: RunRecorder, options: FrameworkOptions) {
    const { identify } = checkOptions(FRAMEWORK_OPTIONS, options);
    this.#framework = framework;
    this.recorder = recorder;
    this.#identify = identify && answeringAtOnce("identify", identify);
  }

  /** Skips a step: its content belongs to the step around it. */
  pass(id: string, parentId: string | undefined): void {
    remember(this.#passed, id, parentId);
  }

  leave(id: string): boolean {
    return this.#passed.delete(id);
  }

  /**
   * Returns the innermost recorded step at or around a step.
   * @param onPassed called with each skipped step, the innermost first
   */
  around(id: string | undefined, onPassed?: (id: string) => void): string | undefined {
    let around = id;
    // Bounded: the ids come from the framework, and steps may name each other as parents.
    for (let steps = 0; around !== undefined && this.#passed.has(around); steps++) {
      if (steps === MOST_PASSED_AROUND) return undefined;
      onPassed?.(around);
      around = this.#passed.get(around);
    }
    return around;
  }

  safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.recorder.report(`read what ${this.#framework} told`, error);
    }
  }

  identityOf(identity: SpanIdentity): SpanIdentity {
    let own: SpanIdentity | undefined;
    try {
      own = this.#identify?.();
    } catch (error) {
      this.recorder.report("identify a run", error);
    }
    return { ...identityOf(identity), ...identityOf(own ?? {}) };
  }
}

export function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_REMEMBERED) map.delete(map.keys().next().value!);
}

const MOST_REMEMBERED = 10_000;

const MOST_PASSED_AROUND = 1_000;
