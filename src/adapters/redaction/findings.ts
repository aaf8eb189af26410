/** A value that was detected in a text, before other texts are searched for it. */
export interface FoundValue {
  readonly rule: string;
  /** All that is to be removed: the value first, then other ways to write it, and parts of it that stand alone. */
  readonly texts: readonly string[];
  /** True if adjacent letters and digits make it a different word: `ann` in `planning`. */
  readonly isWord?: boolean;
  /** True if its letters may have any case. */
  readonly anyCase?: boolean;
}

/** Reports a value and its position: the text before it may not belong to it. */
export type Report = (found: FoundValue, start: number, end: number) => void;

export type FindSecrets = (text: string, report: Report) => void;

/** A finding with all that is needed to remove it. */
export interface KnownFinding {
  readonly id: string;
  readonly rule: string;
  readonly stub: string;
  /** As in `FoundValue`; empty for data, which its digest identifies. */
  readonly texts: readonly string[];
  readonly isWord: boolean;
  readonly anyCase: boolean;
  readonly digest?: string;
}

export const IMAGE_RULE = "image";
export const OPAQUE_RULE = "data that cannot be looked at";
