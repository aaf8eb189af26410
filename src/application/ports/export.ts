import type { ArchivedRedaction } from "../../domain/archive/archive-record.js";
import type { ReadOptions } from "./record-stream.js";

/** The lines of an archive (`ArchiveRecord`), each as JSON text without a line break, a batch at a time. */
export type ArchiveLines = AsyncIterable<readonly string[]>;

/** Makes a file of one format of archive lines. It is given what is left after the redaction, and sees nothing else. */
export interface ExportWriter {
  readonly mediaType: string;
  /** The ending of the file's name, with its dot. */
  readonly ending: string;

  /**
   * The bytes of the file, in pieces, as they are asked for: no writer holds more than it has to of a session.
   *
   * @throws InvalidRequestError for sessions that the format cannot hold, such as several in a format of one
   */
  write(lines: ArchiveLines, options?: ReadOptions): AsyncIterable<Uint8Array>;
}

/** A rule of one's own: what it finds is called as it is. */
export interface OwnRule {
  /** As people read it, in a stub, too: `customer id`. */
  readonly name: string;
  /** A regular expression of RE2's syntax; the value is its first group, where it has one. */
  readonly pattern: string;
}

/** A value that may be a secret or personal, wherever it stands in what is exported. */
export interface RedactionFinding {
  /**
   * Names it for those who decide about it: the rule and a number, in the order in which they were found, the same at each look at the same
   * revision: `api-key-3`.
   */
  readonly id: string;
  /** Which rule found it, as people read it: `api key`, `home folder`, `e-mail address`, `image`, `data that cannot be looked at`, an own one. */
  readonly rule: string;
  /** The value itself, shortened where it is long: for whoever may read the session anyway. An image is a `data:` address where it is small enough. */
  readonly value: string;
  /** In characters of the text, of all of it. */
  readonly length: number;
  /** What stands in its place: `[api key 3, 40 characters]`. */
  readonly stub: string;
  /** How often it occurs. */
  readonly count: number;
  /** Some of its places, the first ones first. */
  readonly places: readonly RedactionPlace[];
}

export interface RedactionPlace {
  /** What holds it: `message 3`, `tool.end 17`, `title`. */
  readonly where: string;
  /** The text around it, a few words on either side. */
  readonly before: string;
  readonly after: string;
}

/** All that was found in what is to be exported. */
export interface RedactionReview {
  readonly findings: readonly RedactionFinding[];
}

/** Finds what may be secret or personal, and removes it. */
export interface Redaction {
  /**
   * Looks at every text: values, keys, names, texts in texts, metadata of images.
   *
   * @throws UnlookableError where something can neither be looked at nor removed: then nothing may be exported
   */
  review(lines: ArchiveLines, options?: ReadOptions): Promise<RedactionReview>;

  /**
   * The same lines without the values that were found, each with its stub in its place, wherever it occurs. What a review did not look at is
   * never passed on.
   *
   * @param lines the same that were reviewed
   * @param keep which findings stay, by their ids
   */
  remove(
    lines: ArchiveLines,
    review: RedactionReview,
    options: ReadOptions & { readonly keep: ReadonlySet<string> },
  ): ArchiveLines;
}

/** What `ArchiveHead` says of a redaction. */
export function redactionOf({ findings }: RedactionReview, keep: ReadonlySet<string>): ArchivedRedaction {
  const removed: Record<string, number> = {};
  let kept = 0;
  for (const { id, rule } of findings) {
    if (keep.has(id)) kept++;
    else removed[rule] = (removed[rule] ?? 0) + 1;
  }
  return { removed, kept };
}
