import { UnlookableError } from "../../application/errors.js";
import type { Detector, LookedAt } from "./find/detector.js";
import type { ReviewedFinding } from "./findings.js";
import { DIGEST_BYTES, lineDigest, type RedactionSetup } from "./session-review.js";
import { digestOf } from "./text/encoded-data.js";
import { FindingSearch } from "./text/finding-search.js";
import { isLookedAt, type LineText, textsOfLine } from "./text/line-strings.js";
import { inParts } from "./text/parts-of-value.js";
import { partsToReplace, type ReplacedPart, replaceParts } from "./text/replace.js";
import { replaceInLine } from "./text/replace-in-line.js";
import { ShortTexts } from "./text/short-texts.js";
import { type DataRun, lookInto, type TextLook } from "./text/views.js";

export interface RemovalSetup extends RedactionSetup {
  readonly reviewed: readonly ReviewedFinding[];
  readonly keep: ReadonlySet<string>;
  readonly digests: Uint8Array;
}

const MOST_ROUNDS = 5;

export class SessionRemoval {
  readonly #detector: Detector;
  readonly #digests: Uint8Array;
  readonly #removed: readonly ReviewedFinding[];
  readonly #values: FindingSearch;
  /** Reviewed texts, ignoring case, and digests of data: any other value was not reviewed. */
  readonly #reviewed = new Set<string>();
  readonly #remainingData = new Map<string, ReviewedFinding>();
  readonly #stubs: RegExp | undefined;
  readonly #short = new ShortTexts<string>();
  #line = 0;

  /** @throws UnlookableError for more findings than can be searched */
  static *create(
    detector: Detector,
    setup: Omit<RemovalSetup, keyof RedactionSetup>,
  ): Generator<void, SessionRemoval> {
    const removal = new SessionRemoval(detector, setup);
    const texts = removal.#removed.flatMap((one, finding) => one.texts.map((text) => ({ finding, text })));
    yield* removal.#values.add(texts);
    return removal;
  }

  private constructor(
    detector: Detector,
    { reviewed, keep, digests }: Omit<RemovalSetup, keyof RedactionSetup>,
  ) {
    this.#detector = detector;
    this.#digests = digests;
    this.#removed = reviewed.filter(({ id }) => !keep.has(id));
    this.#values = new FindingSearch(this.#removed);
    for (const [finding, { digest }] of this.#removed.entries()) {
      if (digest !== undefined) this.#values.addData(digest, finding);
    }
    for (const finding of reviewed) {
      for (const text of finding.texts) this.#reviewed.add(text.toLowerCase());
      if (finding.digest === undefined) continue;
      this.#reviewed.add(finding.digest);
      if (keep.has(finding.id)) this.#remainingData.set(finding.digest, finding);
    }
    const rules = [...new Set(this.#removed.map(({ rule }) => escaped(rule)))];
    if (rules.length > 0)
      this.#stubs = new RegExp(`\\[(?:${rules.join("|")}) \\d+, \\d+ characters?\\]`, "g");
  }

  /** @throws UnlookableError if a line has something that was not reviewed, or that cannot be removed */
  *from(lines: readonly string[]): Generator<void, string[]> {
    const written: string[] = [];
    for (const line of lines) {
      const texts = textsOfLine(line);
      if (!this.#isReviewed(line) && !isHead(line)) yield* this.#checkUnknown(texts);
      const replaced = new Map<number, string>();
      for (const [i, of] of texts.entries()) {
        if (!isLookedAt(of)) continue;
        const text = yield* this.#withoutFindings(of.text);
        if (text !== of.text) replaced.set(i, text);
        yield;
      }
      const own = replaced.size === 0 ? line : replaceInLine(line, texts, replaced);
      if (replaced.size > 0) checkWritten(own, texts, replaced);
      written.push(own);
    }
    return written;
  }

  #isReviewed(line: string): boolean {
    const at = this.#line++ * DIGEST_BYTES;
    const digest = this.#digests.subarray(at, at + DIGEST_BYTES);
    return digest.length === DIGEST_BYTES && lineDigest(line).every((byte, i) => byte === digest[i]);
  }

  *#checkUnknown(texts: readonly LineText[]): Generator<void, void> {
    const looked: LookedAt[] = [];
    for (const of of texts) {
      if (!isLookedAt(of)) continue;
      const { views, data } = yield* lookInto(of.text);
      if (data.some((run) => !this.#reviewed.has(digestOf(run)))) throw notReviewed();
      looked.push({ text: of.text, member: of.member, views, isNumber: of.kind === "number" });
    }
    for (const { texts } of yield* this.#detector.find(looked)) {
      if (!inParts(texts[0]!).every((part) => this.#reviewed.has(part.toLowerCase()))) throw notReviewed();
    }
  }

  *#withoutFindings(text: string): Generator<void, string> {
    const reviewed = this.#short.get(text);
    if (reviewed !== undefined) return reviewed;
    let own = text;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const next = yield* this.#replacedIn(own);
      if (next === own) {
        this.#short.set(text, own);
        return own;
      }
      own = next;
    }
    throw new UnlookableError("A value comes back however often it is removed.");
  }

  /** Searches between the stubs, which may contain a value's words. */
  *#replacedIn(text: string): Generator<void, string> {
    const pieces: string[] = [];
    let from = 0;
    for (const { 0: stub, index } of this.#stubs === undefined ? [] : text.matchAll(this.#stubs)) {
      pieces.push(yield* this.#replacedInPiece(text.slice(from, index)), stub);
      from = index + stub.length;
    }
    pieces.push(yield* this.#replacedInPiece(text.slice(from)));
    return pieces.join("");
  }

  *#replacedInPiece(text: string): Generator<void, string> {
    if (text === "") return "";
    const look = yield* lookInto(text);
    const parts: ReplacedPart[] = (yield* this.#values.in(look)).map(({ start, end, finding }) => {
      return { start, end, text: this.#removed[finding]!.stub };
    });
    for (const run of look.data) {
      const remaining = this.#remainingData.get(digestOf(run));
      if (remaining === undefined) continue;
      const { start, end } = run;
      parts.push({
        start,
        end,
        text: yield* this.#remainingDataOf(run, remaining, text.slice(start, end) === run.code),
      });
    }
    return replaceParts(text, partsToReplace(parts));
  }

  /** Data stays if it is in one encoding only and its code, or the bytes of an image, have no value that is removed elsewhere. */
  *#remainingDataOf(
    { kind, code }: DataRun,
    { stub }: ReviewedFinding,
    isPlain: boolean,
  ): Generator<void, string> {
    const text = kind === "image" ? Buffer.from(code, "base64").toString() : code;
    const look: TextLook = { views: [{ text, place: (start, end) => [start, end] }], data: [] };
    return isPlain && (yield* this.#values.in(look)).length === 0 ? code : stub;
  }
}

/** Verifies as a receiver: the line holds exactly the last examined texts. */
function checkWritten(
  line: string,
  before: readonly LineText[],
  replaced: ReadonlyMap<number, string>,
): void {
  const texts = textsOfLine(line);
  const isWritten = ({ kind, text }: LineText, i: number) => {
    const wanted = replaced.get(i) ?? before[i]?.text;
    if (wanted === undefined) return false;
    return text === wanted || (kind === "name" && replaced.has(i) && text.startsWith(`${wanted} (`));
  };
  if (texts.length !== before.length || !texts.every(isWritten)) {
    throw new UnlookableError("A value is left where it should have been removed.");
  }
}

/** The first line is written last: it states the time and the removals. */
const isHead = (line: string) => line.startsWith('{"archive":');

function notReviewed(): UnlookableError {
  return new UnlookableError("What is to be exported is not what was looked at.");
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
