import type { EventFacts } from "../../../../src/domain/spans/event-facts.js";
import { eventDetails } from "../../../../src/domain/steps/event-details.js";
import { eventIn } from "../records/record-json.js";

/** Parses an envelope at the first request for its hashes, because few calls are compared. */
export class CallHashes {
  readonly #hashes = new WeakMap<EventFacts, number>();
  readonly #recordAt: (index: number) => string;

  /** @param recordAt envelope by event index, as JSON text */
  constructor(recordAt: (index: number) => string) {
    this.#recordAt = recordAt;
  }

  input(start: EventFacts): number | undefined {
    const cached = this.#hashes.get(start);
    if (cached !== undefined) return cached;
    const { inputHash } = eventDetails(start, eventIn(this.#recordAt(start.index)));
    if (inputHash !== undefined) this.#hashes.set(start, inputHash);
    return inputHash;
  }
}
