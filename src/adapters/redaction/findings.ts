export interface SensitiveValue {
  readonly rule: string;
  /** Texts to remove: the value first, then other spellings, and parts that stand alone. */
  readonly texts: readonly string[];
  /** True if adjacent letters and digits make a different word: `ann` in `planning`. */
  readonly isWord?: boolean;
  readonly anyCase?: boolean;
}

/** The position matters, because the text before it may not belong to it. */
export type Report = (value: SensitiveValue, start: number, end: number) => void;

export type FindSecrets = (text: string, report: Report) => void;

export interface ReviewedFinding {
  readonly id: string;
  readonly rule: string;
  readonly stub: string;
  readonly texts: readonly string[];
  readonly isWord: boolean;
  readonly anyCase: boolean;
  readonly digest?: string;
}

export const IMAGE_RULE = "image";
export const OPAQUE_RULE = "data that cannot be looked at";
