import type { SearchQuery } from "./search-query.js";

/** UTF-16 code units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** Matches do not overlap. */
export interface Matches {
  readonly count: number;
  readonly first: Match | undefined;
}

/** Pauses, because a text may be many megabytes. */
export type FindMatches = (text: string) => Generator<void, Matches>;

export type FindNext = (text: string, from: number) => Match | undefined;

const TRIES_PER_PAUSE = 16;

/** The slowest needle is compared completely at each position. */
const PLACES_PER_PAUSE = 64 * 1024;

/** Ignores case as `RegExp` with the flag `i` alone: by code units, so that a match is as long as the query. */
export function textFinder({ text: wanted, isExact }: Omit<SearchQuery, "kind">): FindMatches {
  const next = isExact ? exactly(wanted) : inAnyCase(wanted);
  return function* (text) {
    if (text.length <= PLACES_PER_PAUSE) return yield* countMatches(next, text);
    let count = 0;
    let first: Match | undefined;
    for (let from = 0; from < text.length; yield) {
      const part = text.slice(from, from + PLACES_PER_PAUSE + wanted.length - 1);
      const results = yield* countMatches(next, part);
      count += results.count;
      first ??= results.first && { start: from + results.first.start, end: from + results.first.end };
      from += Math.max(PLACES_PER_PAUSE, results.end); // The last match may reach beyond this part.
    }
    return { count, first };
  };
}

/**
 * Empty matches do not count.
 * @param triesPerPause default is 16
 * @returns `end`: end of the last match, or 0
 */
export function* countMatches(
  next: FindNext,
  text: string,
  triesPerPause = TRIES_PER_PAUSE,
): Generator<void, Matches & { end: number }> {
  let count = 0;
  let first: Match | undefined;
  let end = 0;
  for (let from = 0, tries = 1; from <= text.length; tries++) {
    if (tries % triesPerPause === 0) yield;
    const match = next(text, from);
    if (match === undefined) break;
    from = Math.max(match.end, match.start + 1);
    if (match.end === match.start) continue;
    first ??= match;
    end = match.end;
    count++;
  }
  return { count, first, end };
}

/** Matches as {@link textFinder} does, for short texts. */
export function textPattern({ text, isExact }: Omit<SearchQuery, "kind">): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), isExact ? "g" : "gi");
}

function exactly(wanted: string): FindNext {
  return (text, from) => {
    const start = text.indexOf(wanted, from);
    return start === -1 ? undefined : { start, end: start + wanted.length };
  };
}

function inAnyCase(wanted: string): FindNext {
  const pattern = textPattern({ text: wanted, isExact: false });
  return (text, from) => {
    pattern.lastIndex = from;
    const results = pattern.exec(text);
    return results === null ? undefined : { start: results.index, end: results.index + wanted.length };
  };
}
