import { createHash } from "node:crypto";
import { UnlookableError } from "../../application/errors.js";
import type { OwnRule, RedactionFinding, RedactionPlace } from "../../application/ports/export.js";
import { causeOf } from "../../domain/facts/cause-of.js";
import type { Detector, LookedAt } from "./find/detector.js";
import { hostNamed, isCommonName, userNamed } from "./find/personal.js";
import { IMAGE_RULE, OPAQUE_RULE, type ReviewedFinding, type SensitiveValue } from "./findings.js";
import { imageAddress } from "./images/image-kind.js";
import { digestOf } from "./text/encoded-data.js";
import { FindingSearch, type SearchedText } from "./text/finding-search.js";
import { leaksIntoCause } from "./text/folded-forms.js";
import { isLookedAt, type LineText, textsOfLine } from "./text/line-strings.js";
import { inParts } from "./text/parts-of-value.js";
import { ShortTexts } from "./text/short-texts.js";
import { type DataRun, lookInto, type TextLook } from "./text/views.js";
import { Whereabouts } from "./where.js";

export interface MachineFacts {
  readonly homeFolder?: string | undefined;
  readonly userName?: string | undefined;
  readonly hostName?: string | undefined;
}

export interface RedactionSetup {
  readonly rules: readonly OwnRule[];
  readonly machine: MachineFacts;
}

export interface ReviewedSession {
  readonly findings: readonly RedactionFinding[];
  readonly reviewed: readonly ReviewedFinding[];
  /** 16 bytes per line; a line with another digest was not reviewed. */
  readonly digests: Uint8Array;
}

export const DIGEST_BYTES = 16;
const MOST_PLACES = 5;
const CONTEXT = 60;
const LONGEST_VALUE = 200;

interface Finding {
  readonly index: number;
  readonly rule: string;
  readonly texts: string[];
  isWord: boolean;
  anyCase: boolean;
  readonly digest?: string;
  readonly length: number;
  readonly value: string;
  number: number;
  count: number;
  readonly places: RedactionPlace[];
}

class Looked implements LookedAt {
  readonly #of: LineText;
  readonly #whereIs: (of: LineText) => string;
  #look: TextLook | undefined;

  constructor(of: LineText, whereIs: (of: LineText) => string) {
    this.#of = of;
    this.#whereIs = whereIs;
  }

  get text(): string {
    return this.#of.text;
  }

  get member(): string | undefined {
    return this.#of.member;
  }

  get isNumber(): boolean {
    return this.#of.kind === "number";
  }

  *look(): Generator<void, TextLook> {
    this.#look ??= yield* lookInto(this.text);
    return this.#look;
  }

  get views(): TextLook["views"] {
    return this.#look?.views ?? [];
  }

  get where(): string {
    return this.#whereIs(this.#of);
  }
}

export class SessionReview {
  readonly #detector: Detector;
  readonly #findings: Finding[] = [];
  readonly #byText = new Map<string, Finding>();
  readonly #byFoldedText = new Map<string, Finding>();
  readonly #byDigest = new Map<string, Finding>();
  readonly #numbers = new Map<string, number>();
  readonly #occurring: Finding[] = [];
  readonly #digests: Uint8Array[] = [];
  readonly #whereabouts = new Whereabouts();
  readonly #visited = new ShortTexts<true>();
  readonly #empty = new ShortTexts<true>();
  readonly #causes = new Set<string>();
  readonly #search = new FindingSearch(this.#findings);
  #unsearched: SearchedText[] = [];

  constructor(detector: Detector, { homeFolder, userName, hostName }: MachineFacts) {
    this.#detector = detector;
    if (
      homeFolder !== undefined &&
      /[^/\\]{3,}/.test(homeFolder) &&
      !isCommonName(homeFolder.replace(/^[/\\]/, ""))
    ) {
      this.#add({ rule: "home folder", texts: [homeFolder], isWord: true });
    }
    for (const matches of [userNamed(userName ?? ""), hostNamed(hostName ?? "")])
      if (matches) this.#add(matches);
  }

  /** @throws SyntaxError for a line that is not JSON */
  *add(lines: readonly string[]): Generator<void, void> {
    const looked: Looked[] = [];
    const unseen: Looked[] = [];
    for (const line of lines) {
      this.#digests.push(lineDigest(line));
      const whereIs = this.#whereabouts.next(line);
      for (const of of textsOfLine(line)) {
        if (!isLookedAt(of)) continue;
        const own = new Looked(of, whereIs);
        looked.push(own);
        const { kind, member, text } = of;
        if (member === "causes" && line.startsWith('{"session":')) this.#causes.add(text);
        const key = `${kind} ${member} ${text}`;
        if (this.#visited.get(key)) continue;
        this.#visited.set(key, true);
        for (const run of (yield* own.look()).data) this.#addData(run);
        unseen.push(own);
      }
      yield;
    }
    const first = this.#findings.length;
    for (const value of yield* this.#detector.find(unseen)) {
      this.#add(value);
      yield;
    }
    yield* this.#search.add(this.#unsearched.splice(0));
    for (const text of looked) {
      yield* this.#count(text);
      yield;
    }
    const lost = this.#findings.slice(first).find(({ count }) => count === 0);
    if (lost !== undefined)
      throw new UnlookableError(`A value of the rule "${lost.rule}" cannot be removed from its text.`);
  }

  end(): ReviewedSession {
    return {
      findings: this.#occurring.map(publicFinding),
      reviewed: this.#occurring.map(reviewedFinding),
      digests: Buffer.concat(this.#digests),
    };
  }

  #add({ rule, texts, isWord = false, anyCase = false }: SensitiveValue): void {
    const reviewed = this.#findingOf(inParts(texts[0]!)[0]!);
    const fresh = texts.flatMap(inParts).filter((text) => this.#findingOf(text) === undefined);
    const isWider =
      reviewed !== undefined && ((reviewed.isWord && !isWord) || (!reviewed.anyCase && anyCase));
    if (fresh.length === 0 && !isWider) return;
    this.#empty.clear();
    const value = texts[0]!;
    const finding =
      reviewed ?? this.#create({ rule, texts: [], isWord, anyCase, value, length: value.length });
    finding.isWord &&= isWord;
    finding.anyCase ||= anyCase;
    finding.texts.push(...fresh);
    for (const text of fresh) this.#unsearched.push({ finding: finding.index, text });
    for (const text of isWider ? finding.texts : fresh) {
      this.#byText.set(text, finding);
      if (finding.anyCase) this.#byFoldedText.set(text.toLowerCase(), finding);
    }
  }

  #findingOf(text: string): Finding | undefined {
    return this.#byText.get(text) ?? this.#byFoldedText.get(text.toLowerCase());
  }

  #addData(run: DataRun): void {
    const digest = digestOf(run);
    if (this.#byDigest.has(digest)) return;
    this.#empty.clear();
    const value = run.kind === "image" ? (imageAddress(run.code) ?? run.code) : run.code;
    const rule = run.kind === "image" ? IMAGE_RULE : OPAQUE_RULE;
    const input = { rule, texts: [], isWord: false, anyCase: false, digest, value, length: run.code.length };
    const finding = this.#create(input);
    this.#byDigest.set(digest, finding);
    this.#search.addData(digest, finding.index);
  }

  #create(input: Omit<Finding, "index" | "number" | "count" | "places">): Finding {
    const isAddress = input.value.startsWith("data:");
    const value =
      isAddress || input.value.length <= LONGEST_VALUE
        ? input.value
        : `${input.value.slice(0, LONGEST_VALUE)}…`;
    const finding = { ...input, value, index: this.#findings.length, number: 0, count: 0, places: [] };
    this.#findings.push(finding);
    return finding;
  }

  *#count(looked: Looked): Generator<void, void> {
    const { text } = looked;
    if (this.#empty.get(text)) return;
    const occurrences = yield* this.#search.in(yield* looked.look());
    if (occurrences.length === 0) this.#empty.set(text, true);
    const cause = occurrences.length > 0 && this.#causes.size > 0 ? causeOf(text) : "";
    for (const { start, end, finding: at } of occurrences) {
      const finding = this.#findings[at]!;
      if (this.#causes.has(cause))
        this.#addCause(finding, cause, leaksIntoCause(text, start, end, finding.texts));
      if (finding.count++ === 0) {
        const slug = slugOf(finding.rule);
        finding.number = (this.#numbers.get(slug) ?? 0) + 1;
        this.#numbers.set(slug, finding.number);
        this.#occurring.push(finding);
      }
      if (finding.places.length >= MOST_PLACES) continue;
      finding.places.push({
        where: looked.where,
        before: text.slice(Math.max(0, start - CONTEXT), start),
        after: text.slice(end, end + CONTEXT),
      });
    }
  }

  /** A cause that contains part of a value, and has no separate finding, becomes another text of the value. */
  #addCause(finding: Finding, cause: string, isLeak: boolean): void {
    if (!isLeak || this.#findingOf(cause) !== undefined) return;
    finding.texts.push(cause);
    this.#byText.set(cause, finding);
  }
}

export function lineDigest(line: string): Uint8Array {
  return createHash("sha256").update(line).digest().subarray(0, DIGEST_BYTES);
}

const slugOf = (rule: string) => rule.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");

const idOf = ({ rule, number }: Finding) => `${slugOf(rule)}-${number}`;

const stubOf = ({ rule, number, length }: Finding) =>
  `[${rule} ${number}, ${length} ${length === 1 ? "character" : "characters"}]`;

function reviewedFinding(finding: Finding): ReviewedFinding {
  const { rule, texts, isWord, anyCase, digest } = finding;
  return {
    id: idOf(finding),
    rule,
    stub: stubOf(finding),
    texts,
    isWord,
    anyCase,
    ...(digest === undefined ? {} : { digest }),
  };
}

function publicFinding(finding: Finding): RedactionFinding {
  const { rule, value, length, count, places } = finding;
  return { id: idOf(finding), rule, value, length, stub: stubOf(finding), count, places };
}
