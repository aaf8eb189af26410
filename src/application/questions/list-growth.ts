import { ByteFingerprint } from "../../domain/text/fingerprints.js";
import { InvalidRequestError } from "../errors.js";
import type { RecordStream } from "../ports/record-stream.js";
import { runInSlices } from "../threads/slices.js";
import { encodeCursor, placeIn } from "./window.js";

/** What a client that has an earlier answer still has of a list, and what it asks with the next time. */
export interface ListGrowth {
  /** How many of the records that it has begin the list now; those behind them are sent. */
  readonly from: number;
  /** Names the list as it is now; `null` where the source cannot tell what is added to it. */
  readonly syncToken: string | null;
  /** Records that it has and that are not sent again, because nothing of them but their place and their `sequence` has changed. */
  readonly moved?: MovedRecords | undefined;
}

/** Records that follow one another in the client's list, and where they are now. */
export interface MovedRecords {
  /** The place of the first one in the client's list, and how many there are. */
  readonly from: number;
  readonly count: number;
  /** The place of the first one now, and its `sequence`; each one behind it has the next one. */
  readonly to: number;
  readonly sequence: number;
}

/** A part of a list to which records are added at its end: the fingerprints of its records tell them from those of an earlier answer. */
export type ListSection = Pick<RecordStream, "size" | "fingerprintAt">;

export interface SectionGrowth {
  /** How many records of the section the client has, and how many of these begin it now. */
  readonly known: number;
  readonly kept: number;
}

/** What a client has of each section of a list. */
export interface SectionsGrowth {
  readonly sections: readonly SectionGrowth[];
  readonly syncToken: string | null;
}

/** The first records of a section, as a token names them. */
interface Beginning {
  readonly size: number;
  readonly fingerprint: string;
}

/** The beginnings that a client has, section by section. */
export type KnownList = readonly (readonly Beginning[])[];

/** A beginning that a token names leaves out about so many times as much of the end as the one before it. */
const STEP = 2;

const BEGINNING = String.raw`\d{1,15}\.[0-9a-f]{16}`;
/** At most what a section of 2⁵³ records needs. */
const SECTION = `(?:${BEGINNING}(?:_${BEGINNING}){0,60})?`;
const TOKEN = new RegExp(`^${SECTION}(?:~${SECTION})?$`);

/**
 * What a token names.
 *
 * @param name what the token belongs to, as for a cursor
 * @param since the token of an earlier answer; `""` for a client that has none
 * @throws InvalidRequestError for a token that was not issued for this list
 */
export function knownList(name: string, since: string): KnownList {
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
 * How much of an earlier answer is still true, proved by fingerprints of the beginnings of each section: of all of it, and of ever
 * shorter ones, so that a change near the end costs about as much as what lies behind it.
 *
 * @param name what the token belongs to
 */
export function sectionsGrowth(
  name: string,
  sections: readonly ListSection[],
  known: KnownList,
  signal?: AbortSignal,
): Promise<SectionsGrowth> {
  return runInSlices(growthSteps(name, sections, known), signal);
}

/** The same of a list of one section. */
export async function listGrowth(
  name: string,
  section: ListSection,
  known: KnownList,
  signal?: AbortSignal,
): Promise<ListGrowth> {
  const { sections, syncToken } = await sectionsGrowth(name, [section], known, signal);
  return { from: sections[0]!.kept, syncToken };
}

const RECORDS_PER_PAUSE = 64;

function* growthSteps(
  name: string,
  sections: readonly ListSection[],
  known: KnownList,
): Generator<void, SectionsGrowth> {
  const canTell = sections.every(({ fingerprintAt }) => fingerprintAt !== undefined);
  const texts: string[] = [];
  const grown: SectionGrowth[] = [];
  for (const [i, section] of sections.entries()) {
    const asked = new Map((known[i] ?? []).map(({ size, fingerprint }) => [size, fingerprint]));
    const { kept, text } = canTell ? yield* readSection(section, asked) : NOTHING;
    grown.push({ known: Math.max(0, ...asked.keys()), kept });
    texts.push(text);
  }
  return { sections: grown, syncToken: canTell ? encodeCursor(tokenName(name), texts.join("~")) : null };
}

const NOTHING = { kept: 0, text: "" };

/** @param asked the fingerprints of beginnings that the client has, by their sizes */
function* readSection(
  section: ListSection,
  asked: ReadonlyMap<number, string>,
): Generator<void, typeof NOTHING> {
  const named = beginningSizes(section.size);
  const running = new ByteFingerprint();
  const beginnings: string[] = [];
  let kept = 0;
  for (let size = 1; size <= section.size; size++) {
    running.addNumber(section.fingerprintAt!(size - 1));
    if (named.has(size) || asked.has(size)) {
      const fingerprint = running.toString();
      if (named.has(size)) beginnings.push(`${size}.${fingerprint}`);
      if (asked.get(size) === fingerprint) kept = size;
    }
    if (size % RECORDS_PER_PAUSE === 0) yield;
  }
  return { kept, text: beginnings.join("_") };
}

/** The sizes of the beginnings that a token names. */
function beginningSizes(size: number): ReadonlySet<number> {
  const sizes = new Set([size]);
  for (let left = 1; left < size; left *= STEP) sizes.add(size - left);
  return sizes;
}

/** A token is no cursor of the same list. */
function tokenName(name: string): string {
  return `since\0${name}`;
}
