/** A value that was found in a text, before anybody has looked for it elsewhere. */
export interface FoundValue {
  readonly rule: string;
  /** All that is to be removed: the value first, then other ways to write it, and parts of it that stand alone. */
  readonly texts: readonly string[];
  /** Whether letters and digits beside it make another word of it: `ann` in `planning`. */
  readonly isWord?: boolean;
  /** Whether its letters may have any case. */
  readonly anyCase?: boolean;
}

/** Where a value was found, too: what lies before it may be no part of it. */
export type Report = (found: FoundValue, start: number, end: number) => void;

export type FindSecrets = (text: string, report: Report) => void;

/** A finding with all that is needed to remove it. */
export interface KnownFinding {
  readonly id: string;
  readonly rule: string;
  readonly stub: string;
  /** As `FoundValue`; empty for data, which is known by its digest. */
  readonly texts: readonly string[];
  readonly isWord: boolean;
  readonly anyCase: boolean;
  readonly digest?: string;
}

export const IMAGE_RULE = "image";
export const OPAQUE_RULE = "data that cannot be looked at";
