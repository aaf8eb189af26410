import { ByteFingerprint } from "../../domain/text/fingerprints.js";
import { InvalidRequestError } from "../errors.js";
import { encodeCursor, placeIn } from "../listing/window.js";
import type { RecordStream } from "../ports/record-stream.js";
import { runInSlices } from "../threads/slices.js";

export interface ListGrowth {
  /** Number of the client's records that begin the present list; the answer contains the records after them. */
  readonly from: number;
  /** Names the present list; `null` if the source cannot tell its additions. */
  readonly syncToken: string | null;
  /** Records of the client that are not sent again: only their place and `sequence` changed. */
  readonly moved?: MovedRecords | undefined;
}

interface MovedRecords {
  readonly from: number;
  readonly count: number;
  /** Present position and `sequence` of the first one; each following one has the next sequence. */
  readonly to: number;
  readonly sequence: number;
}

export type ListSection = Pick<RecordStream, "size" | "fingerprintAt">;

export interface SectionGrowth {
  readonly previous: number;
  readonly retained: number;
}

export interface SectionsGrowth {
  readonly sections: readonly SectionGrowth[];
  readonly syncToken: string | null;
}

interface Beginning {
  readonly size: number;
  readonly fingerprint: string;
}

export type PreviousList = readonly (readonly Beginning[])[];

const STEP = 2;

const BEGINNING = String.raw`\d{1,15}\.[0-9a-f]{16}`;
const SECTION = `(?:${BEGINNING}(?:_${BEGINNING}){0,60})?`;
const TOKEN = new RegExp(`^${SECTION}(?:~${SECTION})?$`);

/**
 * Parses a token.
 *
 * @param name the scope of the token, as for a cursor
 * @param since the token of an earlier answer; `""` for a new client
 * @throws InvalidRequestError for a token that was not issued for this list
 */
export function previousList(name: string, since: string): PreviousList {
  if (since === "") return [];
  const text = placeIn(tokenName(name), since, TOKEN);
  if (text === undefined) {
    throw new InvalidRequestError(
      "since",
      "was not issued for this list. Take it from syncToken, or leave it empty.",
    );
  }
  return text.split("~").map((section) => (section === "" ? [] : section.split("_").map(beginningOf)));
}

function beginningOf(text: string): Beginning {
  const [size, fingerprint] = text.split(".") as [string, string];
  return { size: Number(size), fingerprint };
}

/**
 * Returns the valid part of an earlier answer, by fingerprints of the section and of ever shorter prefixes: a change near the end costs
 * only the part after it.
 * @param name the scope of the token
 */
export function sectionsGrowth(
  name: string,
  sections: readonly ListSection[],
  previous: PreviousList,
  signal?: AbortSignal,
): Promise<SectionsGrowth> {
  return runInSlices(growthSteps(name, sections, previous), signal);
}

export async function listGrowth(
  name: string,
  section: ListSection,
  previous: PreviousList,
  signal?: AbortSignal,
): Promise<ListGrowth> {
  const { sections, syncToken } = await sectionsGrowth(name, [section], previous, signal);
  return { from: sections[0]!.retained, syncToken };
}

function* growthSteps(
  name: string,
  sections: readonly ListSection[],
  previous: PreviousList,
): Generator<void, SectionsGrowth> {
  const canTell = sections.every(({ fingerprintAt }) => fingerprintAt !== undefined);
  const texts: string[] = [];
  const grown: SectionGrowth[] = [];
  for (const [i, section] of sections.entries()) {
    const requested = new Map((previous[i] ?? []).map(({ size, fingerprint }) => [size, fingerprint]));
    const { retained, text } = canTell ? yield* readSection(section, requested) : NOTHING;
    grown.push({ previous: Math.max(0, ...requested.keys()), retained });
    texts.push(text);
  }
  return { sections: grown, syncToken: canTell ? encodeCursor(tokenName(name), texts.join("~")) : null };
}

const NOTHING = { retained: 0, text: "" };

function* readSection(
  section: ListSection,
  requested: ReadonlyMap<number, string>,
): Generator<void, typeof NOTHING> {
  const named = beginningSizes(section.size);
  const running = new ByteFingerprint();
  const beginnings: string[] = [];
  let retained = 0;
  for (let size = 1; size <= section.size; size++) {
    running.addNumber(section.fingerprintAt!(size - 1));
    if (named.has(size) || requested.has(size)) {
      const fingerprint = running.toString();
      if (named.has(size)) beginnings.push(`${size}.${fingerprint}`);
      if (requested.get(size) === fingerprint) retained = size;
    }
    yield;
  }
  return { retained, text: beginnings.join("_") };
}

function beginningSizes(size: number): ReadonlySet<number> {
  const sizes = new Set([size]);
  for (let left = 1; left < size; left *= STEP) sizes.add(size - left);
  return sizes;
}

function tokenName(name: string): string {
  return `since\0${name}`;
}
