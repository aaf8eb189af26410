import { nextTask } from "../../api/fetch-records.js";

const SLICE_MS = 8;

/**
 * Requests of the page run between slices.
 * @param parse also receives the result of the previous record
 * @param isOver returns true if the result is obsolete. Called after each slice; default is never
 * @returns `undefined` if the result was obsolete
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
