import { nextTask } from "../api/fetch-records.js";

/** How long records are parsed between two turns of the event loop. */
const SLICE_MS = 8;

/**
 * Parses records a slice at a time: what the page asks meanwhile is answered in between.
 *
 * @param parse gets what came of the record before as well
 * @param isOver whether nobody needs them any more. Asked after each slice; default is that somebody does
 * @returns `undefined` where nobody did
 */
export async function parseInSlices<T>(
  records: readonly string[],
  parse: (record: string, index: number, before: T | undefined) => T,
  isOver: () => boolean = () => false,
): Promise<readonly T[] | undefined> {
  const parsed: T[] = [];
  let began = performance.now();
  for (const [index, record] of records.entries()) {
    parsed.push(parse(record, index, parsed.at(-1)));
    if (performance.now() - began < SLICE_MS) continue;
    await nextTask();
    if (isOver()) return undefined;
    began = performance.now();
  }
  return parsed;
}
