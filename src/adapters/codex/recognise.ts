import { realRootOf } from "../jsonl/contained-files.js";
import { headOf } from "../transcripts/file-heads.js";
import { rolloutsIn } from "./layout.js";
import { rolloutHeads } from "./rollout-head.js";

/** How many files are looked at. */
const FILES = 50;

/** Whether a folder holds rollouts: found by their first records, never by names alone. */
export function* recognises(root: string): Generator<void, boolean> {
  const place = { root, realRoot: realRootOf(root), lane: 0, cache: undefined };
  for (const file of (yield* rolloutsIn(root)).slice(-FILES)) {
    if ((yield* headOf(rolloutHeads, place, file)).threadId !== undefined) return true;
  }
  return false;
}
