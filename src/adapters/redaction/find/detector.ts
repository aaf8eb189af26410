import type { OwnRule } from "../../../application/ports/export.js";
import type { FindSecrets, SensitiveValue } from "../findings.js";
import { compileOwnRules } from "../own-rules.js";
import { textsOfLine } from "../text/line-strings.js";
import type { TextView } from "../text/text-view.js";
import { FIND_ASSIGNED_SECRETS, isSecretMember } from "./assigned-secrets.js";
import { findPersonal, userNamed } from "./personal.js";
import { presetRules } from "./preset-rules.js";
import { findPrivateKeys } from "./private-keys.js";
import { FIND_VENDOR_TOKENS, findBrokenTokens } from "./vendor-tokens.js";

export interface LookedAt {
  readonly text: string;
  readonly views: readonly TextView[];
  readonly member: string | undefined;
  /** Only custom rules apply to numbers. */
  readonly isNumber: boolean;
}

/** In UTF-16 code units. Bounds one search, because rules cannot be stopped within a text. */
const PIECE = 131_072;
/** In UTF-16 code units. Only the rule for private keys matches longer texts. */
const OVERLAP = 8_192;
/** No match extends across this. */
const BETWEEN = "\n\0\n";
const LONGEST_MEMBER = 100;
/** The application's own name for the user. */
const USER_MEMBER = /^(?:user_?(?:id|name)|login)$/i;

interface Joined {
  readonly text: string;
  readonly parts: readonly JoinedPart[];
}

interface JoinedPart {
  readonly start: number;
  readonly textStart: number;
  readonly end: number;
  /** Length of the overlap with the preceding part. */
  readonly checkedUpTo: number;
  readonly goesOn: boolean;
}

/** Finds values by rules: those of secretlint, custom rules, and built-in patterns for secrets and personal data. */
export class Detector {
  readonly #inTexts: readonly FindSecrets[];
  readonly #own: FindSecrets;

  private constructor(preset: FindSecrets, own: FindSecrets) {
    this.#own = own;
    this.#inTexts = [
      own,
      findPrivateKeys,
      preset,
      ...FIND_VENDOR_TOKENS,
      ...FIND_ASSIGNED_SECRETS,
      findPersonal,
    ];
  }

  /** @throws AgentAppConfigurationError for an invalid rule */
  static async load(rules: readonly OwnRule[]): Promise<Detector> {
    return new Detector(await presetRules(), await compileOwnRules(rules));
  }

  /** Pauses between pieces. */
  *find(looked: Iterable<LookedAt>): Generator<void, SensitiveValue[]> {
    const values: SensitiveValue[] = [];
    for (const joined of joinedTexts(looked, values)) {
      if (joined === undefined) {
        yield;
        continue;
      }
      for (const find of joined.isNumbers ? [this.#own] : this.#inTexts) {
        find(joined.text, (value, start, end) => {
          const own = ownTexts(joined, value, start, end);
          if (own !== undefined) values.push(own);
        });
        yield;
      }
    }
    return values;
  }
}

/** Removes parts that exist only because texts were joined. `undefined` if nothing remains, or if the next piece contains the match. */
function ownTexts(
  { text, parts }: Joined,
  values: SensitiveValue,
  start: number,
  end: number,
): SensitiveValue | undefined {
  const part = parts[partAt(parts, start)];
  if (part === undefined || start >= part.end || end <= part.textStart) return undefined;
  if (end < part.checkedUpTo || (part.goesOn && end === part.end && start > part.end - OVERLAP))
    return undefined;
  if (start >= part.textStart && end <= part.end) return values;
  const own = text.slice(Math.max(start, part.textStart), Math.min(end, part.end));
  return { ...values, texts: [own, ...values.texts.filter((other) => own.includes(other))] };
}

function partAt(parts: readonly JoinedPart[], offset: number): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (parts[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function* joinedTexts(
  looked: Iterable<LookedAt>,
  values: SensitiveValue[],
): Generator<(Joined & { readonly isNumbers: boolean }) | undefined, void> {
  const [texts, numbers] = [new Joining(), new Joining()];
  for (const { text, views, member, isNumber } of looked) {
    // Encoded data is not a value itself, but contains values.
    const isText = views.some((view) => view.text === text);
    if (member !== undefined && !isNumber && isText) addMember(member, text, values);
    const searched = views.filter(({ isWritten = false }) => !isWritten);
    for (const view of searched) {
      if (view.lineBreaks === undefined) addMembersOf(view.text, values);
      else yield* addBrokenTokens(view, values);
    }
    const name = member !== undefined && member.length <= LONGEST_MEMBER ? `${member}=` : "";
    const joining = isNumber ? numbers : texts;
    for (const view of searched) {
      if (view.lineBreaks !== undefined) continue;
      for (let from = 0; from < view.text.length; from += PIECE - OVERLAP) {
        const goesOn = view.text.length > from + PIECE;
        joining.add(from === 0 ? name : "", view.text.slice(from, from + PIECE), from > 0, goesOn);
        if (joining.length >= PIECE) yield { ...joining.take(), isNumbers: isNumber };
        if (!goesOn) break;
      }
    }
  }
  if (texts.length > 0) yield { ...texts.take(), isNumbers: false };
  if (numbers.length > 0) yield { ...numbers.take(), isNumbers: true };
}

function* addBrokenTokens(
  { text, lineBreaks = [] }: TextView,
  values: SensitiveValue[],
): Generator<undefined, void> {
  let first = 0;
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    const piece = text.slice(from, from + PIECE);
    const goesOn = text.length > from + PIECE;
    while (first < lineBreaks.length && lineBreaks[first]! < from) first++;
    let next = first;
    while (next < lineBreaks.length && lineBreaks[next]! < from + PIECE) next++;
    const own = lineBreaks.slice(first, next).map((offset) => offset - from);
    findBrokenTokens(piece, own, (value, start, end) => {
      if (!goesOn || end < piece.length || start <= PIECE - OVERLAP) values.push(value);
    });
    if (!goesOn) return;
    yield;
  }
}

function addMember(member: string, text: string, values: SensitiveValue[]): void {
  if (isSecretMember(member, text)) {
    values.push({ rule: "password", texts: [text], isWord: text.length < 8 });
  }
  const user = USER_MEMBER.test(member) && text.length <= LONGEST_MEMBER ? userNamed(text) : undefined;
  if (user !== undefined) values.push(user);
}

function addMembersOf(text: string, values: SensitiveValue[]): void {
  if (!/^\s{0,100}[[{]/.test(text)) return;
  try {
    for (const { kind, member, text: value } of textsOfLine(text)) {
      if (kind === "string" && member !== undefined) addMember(member, value, values);
    }
  } catch {
    // Not JSON: searched as a text.
  }
}

class Joining {
  length = 0;
  #texts: string[] = [];
  #parts: JoinedPart[] = [];

  add(name: string, text: string, isNext: boolean, goesOn: boolean): void {
    const start = this.length;
    const textStart = start + name.length;
    const end = textStart + text.length;
    this.#texts.push(name, text, BETWEEN);
    this.#parts.push({ start, textStart, end, checkedUpTo: isNext ? textStart + OVERLAP : 0, goesOn });
    this.length = end + BETWEEN.length;
  }

  take(): Joined {
    const joined = { text: this.#texts.join(""), parts: this.#parts };
    this.length = 0;
    this.#texts = [];
    this.#parts = [];
    return joined;
  }
}
