import type { EventFacts } from "../../../../src/domain/spans/event-facts.js";
import type { Span } from "../../../../src/domain/spans/span.js";
import { eventDetails } from "../../../../src/domain/steps/event-details.js";
import { eventIn } from "../records/record-json.js";

interface Hashes {
  readonly inputHash: number | undefined;
  readonly outputHash: number | undefined;
}

/** Parses an envelope at the first request for its hashes, because few calls are compared. */
export class CallHashes {
  readonly #hashes = new WeakMap<EventFacts, Hashes>();
  readonly #recordAt: (index: number) => string;

  /** @param recordAt envelope by event index, as JSON text */
  constructor(recordAt: (index: number) => string) {
    this.#recordAt = recordAt;
  }

  input(start: EventFacts): number | undefined {
    return this.#of(start).inputHash;
  }

  /** Equal for calls with the same input and result; `undefined` if one is not recorded. */
  ofResult({ start, end }: Span): string | undefined {
    const input = this.input(start);
    const result = end && this.#of(end).outputHash;
    return input === undefined || result === undefined ? undefined : `${input} ${result}`;
  }

  #of(event: EventFacts): Hashes {
    let hashes = this.#hashes.get(event);
    if (hashes === undefined) {
      const { inputHash, outputHash } = eventDetails(event, eventIn(this.#recordAt(event.index)));
      hashes = { inputHash, outputHash };
      this.#hashes.set(event, hashes);
    }
    return hashes;
  }
}
