import type { Run } from "./run.js";
import type { SpanIdentity } from "./run-span.js";

/** An event of a span that lies in no run. */
export type OutsideEvent = (run: Run) => void;

const MOST_OUTSIDE = 100;

/** The spans of one trace of the framework. */
export class SpanTree {
  readonly key: string;
  /** How many of them are open. */
  open = 0;
  /** What any of them told first of whose it is. */
  identity: SpanIdentity = {};
  /** When the newest of them ended. */
  lastEnd = 0;
  /** Runs whose root has not been told yet, by its id. */
  readonly awaited = new Map<string, Run>();
  #latest: Run | undefined;
  #outside: OutsideEvent[] = [];

  constructor(key: string) {
    this.key = key;
  }

  identify(identity: SpanIdentity): void {
    this.identity = { ...identity, ...this.identity };
  }

  beginRun(run: Run): void {
    this.#latest = run;
    for (const event of this.#outside) event(run);
    this.#outside = [];
  }

  /** Records an event of a span outside of all runs with the newest one; where there is none yet, with the first. */
  addOutside(event: OutsideEvent): void {
    if (this.#latest !== undefined) event(this.#latest);
    else if (this.#outside.length < MOST_OUTSIDE) this.#outside.push(event);
  }

  /** Ends the runs whose roots are waited for no longer. */
  endAwaited(): void {
    for (const run of this.awaited.values()) run.end({}, this.lastEnd);
    this.awaited.clear();
  }
}
