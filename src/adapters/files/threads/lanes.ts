import { fingerprint } from "../../../domain/text/fingerprints.js";

/** How many lanes there are: more than threads, so that each thread has some. */
const LANES = 64;

/** The lane of a thread for what belongs together: the same text gives the same one, from 0 to 63. */
export function laneOf(text: string): number {
  return Number.parseInt(fingerprint(text), 16) % LANES;
}
