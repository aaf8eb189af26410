import { NumberFingerprint } from "../domain/derived-id.js";
import { InvalidRequestError } from "./errors.js";
import type { RecordStream } from "./ports/record-stream.js";
import { runInSlices } from "./slices.js";
import { encodeCursor, placeIn } from "./window.js";

/** What a client that has an earlier answer still has of a list, and what it asks with the next time. */
export interface ListGrowth {
  /** How many of the records that it has begin the list now; those behind them are sent. */
  readonly from: number;
  /** Names the list as it is now; `null` where the source cannot tell what is added to it. */
  readonly syncToken: string | null;
}

/** A list whose records can be told from those of an earlier answer, by their places in it. */
export interface FingerprintedList {
  readonly size: number;
  /** `undefined` where the source has no fingerprints. */
  readonly fingerprintAt?: RecordStream["fingerprintAt"] | undefined;
  /** A place, besides its end, at which records are added. Default is none. */
  readonly seam?: number;
}

/** How long the beginnings are that a token has fingerprints of: this many times more is left out in each than in the one before. */
const STEP = 4;

/** A fingerprint of the first records of a list. */
interface Beginning {
  readonly size: number;
  readonly fingerprint: string;
}

/** At most what a list of 2⁵³ records needs. */
const TOKEN = /^(?:\d{1,15}\.[0-9a-f]{16}(?:_\d{1,15}\.[0-9a-f]{16}){0,30})?$/;

/**
 * How much of an earlier answer is still true, proved by fingerprints of the list's beginnings: of all of it, and of ever shorter ones,
 * so that a change near the end costs about as much as what lies behind it.
 *
 * @param name what the token belongs to, as for a cursor
 * @param known the beginnings that the client has
 */
export function listGrowth(
  name: string,
  list: FingerprintedList,
  known: readonly Beginning[],
  signal?: AbortSignal,
): Promise<ListGrowth> {
  return runInSlices(growthSteps(name, list, known), signal);
}

/**
 * What a token names: the beginnings that its client has.
 *
 * @param since the token of an earlier answer; `""` for a client that has none
 * @throws InvalidRequestError for a token that was not issued for this list
 */
export function beginningsOf(name: string, since: string): readonly Beginning[] {
  if (since === "") return [];
  const text = placeIn(tokenName(name), since, TOKEN);
  if (text === undefined) {
    throw new InvalidRequestError(
      "since",
      "was not issued for this list. Take it from syncToken, or leave it empty.",
    );
  }
  return text === ""
    ? []
    : text.split("_").map((beginning) => {
        const [size, fingerprint] = beginning.split(".") as [string, string];
        return { size: Number(size), fingerprint };
      });
}

const RECORDS_PER_PAUSE = 64;

function* growthSteps(
  name: string,
  { size, fingerprintAt, seam = size }: FingerprintedList,
  known: readonly Beginning[],
): Generator<void, ListGrowth> {
  if (fingerprintAt === undefined) return { from: 0, syncToken: null };
  const sizes = beginningSizes(size, seam);
  const asked = new Map(known.map((beginning) => [beginning.size, beginning.fingerprint]));
  const running = new NumberFingerprint();
  const beginnings: string[] = [];
  let from = 0;
  for (let place = 0; place < size; place++) {
    running.add(fingerprintAt(place));
    const length = place + 1;
    const isNamed = sizes.has(length);
    if (isNamed || asked.has(length)) {
      const fingerprint = running.toString();
      if (isNamed) beginnings.push(`${length}.${fingerprint}`);
      if (asked.get(length) === fingerprint) from = length;
    }
    if (length % RECORDS_PER_PAUSE === 0) yield;
  }
  return { from, syncToken: encodeCursor(tokenName(name), beginnings.join("_")) };
}

/** The beginnings of a list that a token has fingerprints of, by their sizes. */
function beginningSizes(size: number, seam: number): ReadonlySet<number> {
  const sizes = new Set([size, seam]);
  for (let left = 1; left < size; left *= STEP) sizes.add(size - left);
  return sizes;
}

/** A token is no cursor of the same list. */
function tokenName(name: string): string {
  return `since\0${name}`;
}
