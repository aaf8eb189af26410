import { RE2JS, RE2JSException } from "re2js";
import { countMatches, type FindMatches } from "../../domain/search/text-matches.js";
import { InvalidRequestError } from "../errors.js";
import { ownModule } from "../ports/reading-pool.js";
import { type BatchResult, type SearchBatch, searchBatchFor } from "./search-batch.js";
import { WatchedText } from "./slow-pattern.js";

/** Searches for a regular expression. It is a separate module, because the engine is large and most searches do not need it. */
export const SEARCH_BATCH_FOR_PATTERN = {
  module: ownModule(import.meta.url, "search-batch-for-pattern"),
  name: "searchBatchForPattern",
  steps: searchBatchForPattern,
};

export function searchBatchForPattern(batch: SearchBatch): Generator<void, BatchResult> {
  return searchBatchFor(patternFinder(batch.query.text), batch);
}

/** In steps of its program: the time to read a text is proportional to it. */
const MOST_STEPS = 500;

/** Caches pattern and engine state, because compilation costs more than some batches. */
let last: { readonly text: string; readonly pattern: RE2JS } | undefined;

/** @throws InvalidRequestError for an invalid or too large pattern */
export function patternFinder(text: string): FindMatches {
  if (last?.text !== text) last = { text, pattern: compile(text) };
  const { pattern } = last;
  return function* (searched) {
    const watched =
      searched.length * pattern.programSize() > MOST_WORK ? new WatchedText(searched) : undefined;
    const matcher = pattern.matcher((watched ?? searched) as string);
    const next = (_: string, from: number) => {
      watched?.begin();
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    };
    try {
      return yield* countMatches(next, searched, 1);
    } catch (error) {
      last = undefined;
      throw error;
    }
  };
}

/** Characters times steps: above it each match has a time limit. It takes some tens of milliseconds. */
const MOST_WORK = 2_000_000;

function compile(text: string): RE2JS {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new InvalidRequestError("q", `is no regular expression of RE2's syntax: ${error.message}.`);
  }
  if (pattern.programSize() <= MOST_STEPS) return pattern;
  throw new InvalidRequestError("q", "is too large a regular expression. Repeat less often in it.");
}
