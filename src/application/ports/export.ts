import type { ArchivedRedaction } from "../../domain/archive/archive-record.js";
import type { ReadOptions } from "./record-stream.js";

/** The lines of an archive (`ArchiveRecord`), each as JSON text without a line break, a batch at a time. */
export type ArchiveLines = AsyncIterable<readonly string[]>;

/** Creates a file of one format from archive lines. It receives only the lines after the redaction. */
export interface ExportWriter {
  readonly mediaType: string;
  /** With its dot. */
  readonly ending: string;

  /**
   * The bytes in pieces, on demand: no writer holds more of a session than it needs.
   * @throws InvalidRequestError for sessions that the format cannot hold, such as several in a format for one
   */
  write(lines: ArchiveLines, options?: ReadOptions): AsyncIterable<Uint8Array>;
}

/** A custom rule: its matches are removed. */
export interface OwnRule {
  /** For people, and in stubs: `customer id`. */
  readonly name: string;
  /** A regular expression of RE2's syntax; the value is its first group, where it has one. */
  readonly pattern: string;
}

export interface RedactionFinding {
  /** The rule and a number in the order of discovery, the same for each review of a revision: `api-key-3`. */
  readonly id: string;
  /** Display name of the rule: `api key`, `home folder`, `image`, `data that cannot be looked at`, or a custom rule. */
  readonly rule: string;
  /** The value itself, shortened if it is long. A small image is a `data:` address. */
  readonly value: string;
  /** Of the complete text, in characters. */
  readonly length: number;
  /** Replaces the value: `[api key 3, 40 characters]`. */
  readonly stub: string;
  readonly count: number;
  /** The first ones. */
  readonly places: readonly RedactionPlace[];
}

export interface RedactionPlace {
  /** The record or field with it: `message 3`, `tool.end 17`, `title`. */
  readonly where: string;
  /** The text around it, a few words on either side. */
  readonly before: string;
  readonly after: string;
}

export interface RedactionReview {
  readonly findings: readonly RedactionFinding[];
}

/** Finds what may be secret or personal, and removes it. */
export interface Redaction {
  /**
   * Examines every text: values, keys, names, texts in texts, metadata of images.
   * @throws UnlookableError for data that can neither be examined nor removed: then nothing may be exported
   */
  review(lines: ArchiveLines, options?: ReadOptions): Promise<RedactionReview>;

  /**
   * Returns the same lines with a stub for each finding. Data that a review did not examine is never passed on.
   * @param lines the reviewed lines
   * @param keep ids of the findings that stay
   */
  remove(
    lines: ArchiveLines,
    review: RedactionReview,
    options: ReadOptions & { readonly keep: ReadonlySet<string> },
  ): ArchiveLines;
}

export function redactionOf({ findings }: RedactionReview, keep: ReadonlySet<string>): ArchivedRedaction {
  const removed: Record<string, number> = {};
  let total = 0;
  for (const { id, rule } of findings) {
    if (keep.has(id)) total++;
    else removed[rule] = (removed[rule] ?? 0) + 1;
  }
  return { removed, kept: total };
}
