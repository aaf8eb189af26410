import { eventDetails } from "../../../src/domain/analysis/event-details.js";
import type { EventFacts } from "../../../src/domain/spans/event-facts.js";
import { eventIn } from "./record-json.js";

interface Hashes {
  readonly inputHash: number | undefined;
  readonly outputHash: number | undefined;
}

/**
 * Hashes of what went into tool calls and of what came out. An envelope is parsed for them when they are first asked for: few calls are
 * compared with others.
 */
export class CallHashes {
  readonly #known = new WeakMap<EventFacts, Hashes>();
  readonly #recordAt: (index: number) => string;

  /** @param recordAt the envelope of an event as JSON text, by its index */
  constructor(recordAt: (index: number) => string) {
    this.#recordAt = recordAt;
  }

  input(start: EventFacts): number | undefined {
    return this.#of(start).inputHash;
  }

  output(end: EventFacts): number | undefined {
    return this.#of(end).outputHash;
  }

  #of(event: EventFacts): Hashes {
    let hashes = this.#known.get(event);
    if (hashes === undefined) {
      const { inputHash, outputHash } = eventDetails(event, eventIn(this.#recordAt(event.index)));
      hashes = { inputHash, outputHash };
      this.#known.set(event, hashes);
    }
    return hashes;
  }
}
