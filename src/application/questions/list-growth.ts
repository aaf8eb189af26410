import { ByteFingerprint } from "../../domain/text/fingerprints.js";
import { InvalidRequestError } from "../errors.js";
import { encodeCursor, placeIn } from "../listing/window.js";
import type { RecordStream } from "../ports/record-stream.js";
import { runInSlices } from "../threads/slices.js";

/** The part of a list that a client has from an earlier answer, and the token for its next request. */
export interface ListGrowth {
  /** Number of its records that begin the present list; the records after them are sent. */
  readonly from: number;
  /** Names the list as it is now; `null` where the source cannot tell what is added to it. */
  readonly syncToken: string | null;
  /** Records that it has and that are not sent again, because nothing of them but their place and their `sequence` has changed. */
  readonly moved?: MovedRecords | undefined;
}

/** Records that follow one another in the client's list, and where they are now. */
interface MovedRecords {
  /** The place of the first one in the client's list, and how many there are. */
  readonly from: number;
  readonly count: number;
  /** The present position of the first one, and its `sequence`; each following one has the next sequence. */
  readonly to: number;
  readonly sequence: number;
}

/** A part of a list that grows at its end: the fingerprints of its records are compared with those of an earlier answer. */
export type ListSection = Pick<RecordStream, "size" | "fingerprintAt">;

export interface SectionGrowth {
  /** Number of the section's records that the client has, and number of these that begin the present section. */
  readonly known: number;
  readonly kept: number;
}

/** The part of each section of a list that a client has. */
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

/** Ratio of the omitted ends of two consecutive prefixes in a token. */
const STEP = 2;

const BEGINNING = String.raw`\d{1,15}\.[0-9a-f]{16}`;
/** At most what a section of 2⁵³ records needs. */
const SECTION = `(?:${BEGINNING}(?:_${BEGINNING}){0,60})?`;
const TOKEN = new RegExp(`^${SECTION}(?:~${SECTION})?$`);

/**
 * Parses a token.
 *
 * @param name the scope of the token, as for a cursor
 * @param since the token of an earlier answer; `""` for a new client
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
 * Returns the valid part of an earlier answer, by fingerprints of prefixes of each section. It compares the complete section and ever
 * shorter prefixes, so the cost of a change near the end is proportional to the part after it.
 *
 * @param name the scope of the token
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

/** @param asked the client's fingerprints of prefixes, by their sizes */
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

/** A token is not a cursor of the same list. */
function tokenName(name: string): string {
  return `since\0${name}`;
}
