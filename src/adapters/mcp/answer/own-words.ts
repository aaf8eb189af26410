import { isRegisteredName, type NameKind } from "./registered-names.js";

/** Words of this program, and figures: the only text that may stand outside of a fence. */
export class Own {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** @internal of {@link own} alone */
  static of(words: TemplateStringsArray, values: readonly (number | Own)[]): Own {
    // A text of a history is not a template of the code, even if its type says so.
    if (!Array.isArray(words) || !Object.isFrozen(words)) throw new TypeError("own takes a template alone.");
    const texts = values.map((value) => {
      if (value instanceof Own) return value.text;
      if (typeof value === "number") return String(value);
      throw new TypeError("Own words hold figures and own words alone.");
    });
    return new Own(words.map((part, i) => part + (texts[i] ?? "")).join(""));
  }

  /** @internal of {@link listed} alone */
  static listed(word: string): Own {
    return new Own(word);
  }

  /** @internal of {@link hexOf} alone */
  static hex(digest: Buffer, digits: number): Own {
    return new Own(digest.toString("hex").slice(0, digits));
  }
}

/**
 * A template that can contain only numbers and other own words.
 * @example own`${3} of ${33} sessions`
 */
export function own(words: TemplateStringsArray, ...values: readonly (number | Own)[]): Own {
  return Own.of(words, values);
}

/** The digits of a digest disclose nothing of its input. */
export function hexOf(digest: Buffer, digits: number): Own {
  return Own.hex(digest, digits);
}

export function ownWords(words: readonly Own[], between: Own): Own {
  return words.reduce((all, word, i) => (i === 0 ? word : own`${all}${between}${word}`), own``);
}

/**
 * @returns `undefined` unless a constant of the code lists the word
 * @example listed(Object.values(STATE_WORDS), "Idle")
 */
export function listed(words: readonly string[], value: string | undefined): Own | undefined {
  const word = words.find((one) => one === value);
  return word === undefined ? undefined : Own.listed(word);
}

/** A short name in one line: still a text of a history. */
export class Name {
  readonly kind: NameKind;
  readonly text: string;

  constructor(kind: NameKind, text: string) {
    this.kind = kind;
    this.text = text;
  }

  /** True if it carries no text besides a name in the code's lists. */
  get isRegistered(): boolean {
    return isRegisteredName(this.kind, this.text);
  }
}

export function name(kind: NameKind, text: string | undefined): Name | undefined {
  return text === undefined || text === "" ? undefined : new Name(kind, text);
}

/** `undefined` for a name outside of the code's lists. */
export function registeredName(kind: NameKind, text: string | undefined): Own | undefined {
  return text !== undefined && isRegisteredName(kind, text) ? Own.listed(text) : undefined;
}

/** A `string` is a free text of a history, unless it is an instant. */
export type Cell = number | boolean | null | undefined | string | Own | Name;

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z$/;
const DATE = /^\d{4}-\d\d(?:-\d\d(?: \d\d:\d\d)?)?$/;

/** An instant of ISO 8601 in UTC, to the second, or the name of a time row: a date, a month, an hour. `undefined` for any other text. */
export function instantIn(text: string): string | undefined {
  const second = INSTANT.exec(text)?.[1];
  if (second !== undefined) return `${second}Z`;
  return DATE.test(text) ? text.replace(" ", "T") : undefined;
}
