import { UnlookableError } from "../../../application/errors.js";
import type { ReviewedFinding } from "../findings.js";
import { Automaton, type Hit } from "./automaton.js";
import { digestOf } from "./encoded-data.js";
import { foldedForms } from "./folded-forms.js";
import type { TextView } from "./text-view.js";
import type { TextLook } from "./views.js";

export interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly finding: number;
}

export interface SearchedText {
  readonly finding: number;
  readonly text: string;
}

interface Pattern extends SearchedText {
  /** The text is code in this encoding: the complete run around it is removed. */
  readonly run?: "base64" | "hex";
}

/** Shorter texts leave too little code without its ends. */
const SHORTEST_ENCODED = 6;
/** Total length of patterns in UTF-16 code units, which take 60 bytes each. Texts after the first limit get no codes. */
const MOST_WITH_CODES = 1_500_000;
const MOST = 4_000_000;

/** A smaller automaton is built again with the added patterns: each automaton costs a pass over all texts. */
const SMALL = 1_024;

type SearchedFinding = Pick<ReviewedFinding, "isWord" | "anyCase">;

export class FindingSearch {
  readonly #findings: readonly SearchedFinding[];
  /** Each at least twice as large as the next: repeated additions rebuild a pattern only a few times. */
  readonly #automata: { readonly patterns: readonly Pattern[]; readonly automaton: Automaton }[] = [];
  readonly #data = new Map<string, number>();
  #length = 0;

  /** @param findings may grow and widen: `add` takes the texts of each */
  constructor(findings: readonly SearchedFinding[]) {
    this.#findings = findings;
  }

  addData(digest: string, finding: number): void {
    this.#data.set(digest, finding);
  }

  /** @throws UnlookableError for more texts than can be searched */
  *add(texts: readonly SearchedText[]): Generator<void, void> {
    const added: Pattern[] = [];
    for (const searched of texts) {
      const own = this.#length < MOST_WITH_CODES ? [searched, ...formsOf(searched)] : [searched];
      for (const pattern of own) {
        this.#length += pattern.text.length;
        added.push(pattern);
      }
      if (this.#length > MOST) {
        throw new UnlookableError(
          "More values match than can be removed at once. Export a part of the session.",
        );
      }
      if (added.length % 1_024 < own.length) yield;
    }
    if (added.length === 0) return;
    let patterns: readonly Pattern[] = added;
    for (;;) {
      const last = this.#automata[this.#automata.length - 1];
      if (last === undefined) break;
      if (last.patterns.length >= SMALL && last.patterns.length >= 2 * patterns.length) break;
      patterns = [...last.patterns, ...patterns];
      this.#automata.pop();
    }
    const automaton = yield* Automaton.build(patterns.map(({ text }) => text));
    this.#automata.push({ patterns, automaton });
  }

  /** Sorted by start, with nested ones; overlapping ones of one finding are united. */
  *in({ views, data }: TextLook): Generator<void, Occurrence[]> {
    const occurrences: Occurrence[] = [];
    for (const run of data) {
      const finding = this.#data.get(digestOf(run));
      if (finding !== undefined) occurrences.push({ start: run.start, end: run.end, finding });
    }
    for (const view of views) {
      for (const { patterns, automaton } of this.#automata) {
        yield* automaton.find(view.text, this.#collector(view, patterns, occurrences));
      }
    }
    return united(occurrences);
  }

  #collector({ text, place, lineBreaks }: TextView, patterns: readonly Pattern[], occurrences: Occurrence[]) {
    let around: readonly [number, number] | undefined;
    const last = new Map<number, number>();
    return (hit: Hit) => {
      const { finding, run, text: wanted } = patterns[hit.pattern]!;
      const { isWord, anyCase } = this.#findings[finding]!;
      if (run === "base64" || (run === undefined && !anyCase)) {
        if (text.slice(hit.start, hit.end) !== wanted.slice(0, hit.end - hit.start)) return;
      }
      // Two words of two lines are no name.
      if (run === undefined && isWord && (lineBreaks !== undefined || !isApart(text, hit))) return;
      if (run !== undefined && !(around !== undefined && around[0] <= hit.start && hit.end <= around[1])) {
        around = runAround(text, hit, RUNS[run]);
      }
      const [start, end] = run === undefined ? place(hit.start, hit.end) : place(...around!);
      const at = last.get(finding);
      const previous = at === undefined ? undefined : occurrences[at];
      if (previous !== undefined && start < previous.end && end > previous.start) {
        occurrences[at!] = {
          start: Math.min(start, previous.start),
          end: Math.max(end, previous.end),
          finding,
        };
        return;
      }
      last.set(finding, occurrences.length);
      occurrences.push({ start, end, finding });
    };
  }
}

function united(occurrences: readonly Occurrence[]): Occurrence[] {
  const ordered = occurrences.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const all: Occurrence[] = [];
  const last = new Map<number, number>();
  for (const { start, end, finding } of ordered) {
    const at = last.get(finding);
    if (at !== undefined && start < all[at]!.end) {
      all[at] = { ...all[at]!, end: Math.max(end, all[at]!.end) };
    } else {
      last.set(finding, all.length);
      all.push({ start, end, finding });
    }
  }
  return all;
}

function formsOf(searched: SearchedText): Pattern[] {
  const folded = foldedForms(searched.text).map((text) => ({ finding: searched.finding, text }));
  return [...codesOf(searched), ...folded];
}

/** The code that is independent of the surrounding text: base64 at three offsets, and hexadecimal. */
function codesOf({ text, finding }: SearchedText): Pattern[] {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length < SHORTEST_ENCODED) return [];
  const codes = new Set<string>();
  for (const before of [0, 1, 2]) {
    const code = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/(?<!=)=+$/, "");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const own = code.slice(from, to);
    codes.add(own).add(own.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return [
    ...Array.from(codes, (code): Pattern => ({ finding, text: code, run: "base64" })),
    { finding, text: bytes.toString("hex"), run: "hex" },
  ];
}

const RUNS = { base64: /[A-Za-z0-9+/_=-]/, hex: /[0-9A-Fa-f]/ };

function runAround(text: string, { start, end }: Hit, sort: RegExp): [number, number] {
  let [from, to] = [start, end];
  while (from > 0 && sort.test(text[from - 1]!)) from--;
  while (to < text.length && sort.test(text[to]!)) to++;
  return [from, to];
}

function isApart(text: string, { start, end, isCut }: Hit): boolean {
  return !isLetter(text, start - 1) && (isCut || !isLetter(text, end));
}

/** Underscores, hyphens and digits separate words: `ann2` is Ann, too. */
function isLetter(text: string, at: number): boolean {
  const char = text[at];
  return char !== undefined && /\p{L}/u.test(char);
}
