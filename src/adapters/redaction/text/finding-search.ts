import { UnlookableError } from "../../../application/errors.js";
import type { KnownFinding } from "../findings.js";
import { Automaton, type Hit } from "./automaton.js";
import { digestOf } from "./encoded-data.js";
import { lookInto, type TextLook, type TextView } from "./views.js";

/** A finding where it occurs in a text. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** Its place in the list of findings. */
  readonly finding: number;
}

interface Pattern {
  readonly finding: number;
  readonly text: string;
  /** What it is the code of a part of: then all of the run around it is removed. */
  readonly run?: "base64" | "hex";
}

/** Of shorter ones, what is left of their code without its ends is too short to mean anything. */
const SHORTEST_ENCODED = 6;

/** Finds values that are known, however they are written. */
export class FindingSearch {
  readonly #findings: readonly KnownFinding[];
  readonly #patterns: readonly Pattern[];
  readonly #automaton: Automaton;
  readonly #data = new Map<string, number>();

  constructor(findings: readonly KnownFinding[]) {
    this.#findings = findings;
    this.#patterns = patternsOf(findings);
    this.#automaton = new Automaton(this.#patterns.map(({ text }) => text));
    for (const [at, { digest }] of findings.entries()) if (digest !== undefined) this.#data.set(digest, at);
  }

  /** All of them, those that lie in others, too; in no order. */
  in(text: string, { views, data }: TextLook = lookInto(text)): Occurrence[] {
    const found: Occurrence[] = [];
    for (const run of data) {
      const finding = this.#data.get(digestOf(run));
      if (finding !== undefined) found.push({ start: run.start, end: run.end, finding });
    }
    for (const view of views) this.#addFrom(view, found);
    return found;
  }

  #addFrom({ text, place }: TextView, found: Occurrence[]): void {
    let around: readonly [number, number] | undefined;
    for (const hit of this.#automaton.find(text)) {
      const { finding, run, text: wanted } = this.#patterns[hit.pattern]!;
      const { isWord, anyCase } = this.#findings[finding]!;
      if (run === "base64" || (run === undefined && !anyCase)) {
        if (text.slice(hit.start, hit.end) !== wanted.slice(0, hit.end - hit.start)) continue;
      }
      if (run === undefined && isWord && !isApart(text, hit)) continue;
      // A long run may hold many of them: it is measured once.
      if (run !== undefined && !(around !== undefined && around[0] <= hit.start && hit.end <= around[1])) {
        around = runAround(text, hit, RUNS[run]);
      }
      const [start, end] = run === undefined ? place(hit.start, hit.end) : place(...around!);
      found.push({ start, end, finding });
    }
  }
}

/** How long all patterns are together at most: those beyond it have no codes, and then there are no more. A character takes 40 bytes. */
const MOST_WITH_CODES = 1_500_000;
const MOST = 4_000_000;

/** @throws UnlookableError for more values than can be looked for */
function patternsOf(findings: readonly KnownFinding[]): Pattern[] {
  const patterns: Pattern[] = [];
  let length = 0;
  for (const [finding, { texts }] of findings.entries()) {
    for (const text of texts) {
      const own =
        length < MOST_WITH_CODES ? [{ finding, text }, ...codesOf(text, finding)] : [{ finding, text }];
      for (const pattern of own) {
        length += pattern.text.length;
        patterns.push(pattern);
      }
    }
  }
  if (length > MOST) throw new UnlookableError("More is found than can be removed. Export a part of it.");
  return patterns;
}

/** What of a text's code does not depend on what lies before and behind it, in base64 at each of three places and in hexadecimal digits. */
function codesOf(text: string, finding: number): Pattern[] {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length < SHORTEST_ENCODED) return [];
  const codes = new Set<string>();
  for (const before of [0, 1, 2]) {
    const code = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // A character holds six bits: those of which another byte is a part are left out.
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

/** Underscores and hyphens part words in paths and ids, digits number them: `ann2` is Ann, too. */
function isLetter(text: string, at: number): boolean {
  const char = text[at];
  return char !== undefined && /\p{L}/u.test(char);
}
