import type { RecorderClock } from "../application/recording/recording.js";
import { derivedId } from "../domain/text/fingerprints.js";

/** A clock that is set by hand, and ids that are the same in every demo. */
export class DemoClock implements RecorderClock {
  instant = 0;
  readonly #name: string;
  #ids = 0;

  constructor(name: string) {
    this.#name = name;
  }

  readonly now = (): number => this.instant;

  readonly newId = (): string => derivedId(`${this.#name} ${this.#ids++}`);
}
