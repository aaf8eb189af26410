import { carryLines, type HistoryLines } from "./carry-lines.js";
import type { Replacement } from "./edit-requests.js";
import { textLines } from "./file-change.js";
import type { EditedLines, FileEdit } from "./file-edits.js";
import { GoneLines } from "./line-matches.js";
import { type AlignTexts, type OwnedLine, unowned } from "./line-owners.js";
import { LineTexts, sameEnds } from "./line-texts.js";

const MOST_GONE = 20_000;

type Lines = readonly OwnedLine[];

/**
 * Replays the edits of one file and tracks the author of each line. Without a record of the complete file it holds pieces: the lines of
 * each edit with their surroundings.
 */
export class FileHistory {
  readonly #align: AlignTexts;
  /** With `#isComplete` the first piece is the complete file. */
  #pieces: Lines[] = [];
  #isComplete = false;
  readonly texts = new LineTexts();
  readonly #keyOf = (text: string) => this.texts.key(text);
  readonly #gone = new GoneLines(MOST_GONE, this.texts);

  constructor(align: AlignTexts) {
    this.#align = align;
  }

  get lines(): HistoryLines {
    const [complete, ...pieces] = this.#pieces;
    const { texts } = this;
    const gone = this.#gone;
    return this.#isComplete
      ? { complete: complete ?? [], pieces: pieces.flat(), gone, texts }
      : { complete: undefined, pieces: this.#all, gone, texts };
  }

  get #all(): Lines {
    return this.#pieces.length === 1 ? this.#pieces[0]! : this.#pieces.flat();
  }

  *observe(text: string): Generator<void, void> {
    const lines = this.texts.lines(text, this.#all);
    const before = this.lines;
    if (before.complete !== undefined && isSame(before.complete, lines)) return;
    const carried = yield* carryLines(before, lines, this.#align);
    this.#lose(this.#all, lines);
    this.#pieces = [carried];
    this.#isComplete = true;
  }

  /** @param by position in the list of edits */
  *edit({ change, original }: FileEdit, by: number): Generator<void, void> {
    if (original !== undefined) yield* this.observe(original);
    switch (change.is) {
      case "written":
        this.#write(change.content, by);
        return;
      case "deleted":
        this.#lose(this.#all, []);
        this.#pieces = [];
        this.#isComplete = false;
        return;
      case "replaced":
        for (const one of change.replacements) {
          this.#replace(one, by);
          yield;
        }
        return;
      case "patched":
        for (const hunk of change.hunks) {
          this.#patch(hunk, by);
          yield;
        }
        return;
      default:
        change satisfies never;
    }
  }

  #write(text: string, by: number): void {
    const before = this.#all;
    const lines = this.texts.lines(text, before);
    this.#lose(before, lines);
    this.#pieces = [this.#changed(before, lines, by)];
    this.#isComplete = true;
  }

  #changed(before: Lines, after: readonly string[], by: number): OwnedLine[] {
    const runs =
      this.#align(
        before.map(({ text }) => text),
        after,
      ) ?? [];
    const now: OwnedLine[] = [];
    const write = (to: number) => {
      while (now.length < to) now.push({ text: after[now.length]!, by, match: "exact" });
    };
    for (const { a, b, length } of runs) {
      write(b);
      for (let i = 0; i < length; i++) now.push(before[a + i]!);
    }
    write(after.length);
    return now;
  }

  #replace({ before, after, everywhere }: Replacement, by: number): void {
    if (before === "" && this.#pieces.length === 0) return this.#write(after, by);
    let isDone = false;
    for (const [i, piece] of this.#pieces.entries()) {
      const text = `${piece.map((line) => line.text).join("\n")}\n`;
      if (before === "" || !text.includes(before)) continue;
      const replaced = everywhere ? text.replaceAll(before, () => after) : text.replace(before, () => after);
      const lines = this.texts.lines(replaced, piece);
      this.#lose(piece, lines);
      this.#pieces[i] = this.#changed(piece, lines, by);
      isDone = true;
      if (!everywhere) return;
    }
    if (isDone) return;
    const old = textLines(before);
    const now = textLines(after);
    if (this.#spliceFormatted(old, now, by)) return;
    this.#addPiece(this.#changed(old.map(unowned), now, by));
  }

  #patch({ oldStart, lines }: EditedLines, by: number): void {
    const old = lines.flatMap(({ type, text }) => (type === "added" ? [] : [text]));
    const now = lines.flatMap(({ type, text }) => (type === "removed" ? [] : [text]));
    const same = (text: string) => text;
    const place = this.#find(old, same, oldStart) ?? this.#find(old, this.#keyOf, oldStart);
    if (place !== undefined) return this.#splice(place, lines, by);
    const done = this.#find(now, same, oldStart);
    const written = lines.flatMap(({ type, text }): OwnedLine[] =>
      type === "removed" ? [] : [type === "added" ? { text, by, match: "exact" } : unowned(text)],
    );
    if (done === undefined) return this.#addPiece(written);
    // The recorded state already contains the edit, because the clocks of both records differ.
    const piece = [...this.#pieces[done.piece]!];
    for (const [i, line] of written.entries()) {
      if (line.by === by && piece[done.at + i]!.by === -1) piece[done.at + i] = line;
    }
    this.#pieces[done.piece] = piece;
  }

  #splice({ piece, at }: Place, lines: EditedLines["lines"], by: number): void {
    const before = this.#pieces[piece]!;
    const now: OwnedLine[] = [];
    let from = at;
    for (const { type, text } of lines) {
      if (type === "added") now.push({ text, by, match: "exact" });
      else if (type === "context") now.push({ ...before[from++]!, text });
      else this.#gone.add(before[from++]!);
    }
    this.#pieces[piece] = [...before.slice(0, at), ...now, ...before.slice(from)];
  }

  #spliceFormatted(old: readonly string[], now: readonly string[], by: number): boolean {
    const place = old.length === 0 ? undefined : this.#find(old, this.#keyOf, undefined);
    if (place === undefined) return false;
    const before = this.#pieces[place.piece]!;
    const end = place.at + old.length;
    const replaced = before.slice(place.at, end).map((line, i) => ({ ...line, text: old[i]! }));
    this.#lose(replaced, now);
    this.#pieces[place.piece] = [
      ...before.slice(0, place.at),
      ...this.#changed(replaced, now, by),
      ...before.slice(end),
    ];
    return true;
  }

  #find(
    wanted: readonly string[],
    keyOf: (text: string) => string,
    start: number | undefined,
  ): Place | undefined {
    if (wanted.length === 0) return this.#isComplete ? { piece: 0, at: this.#endOrStart(start) } : undefined;
    const keys = wanted.map(keyOf);
    let nearest: (Place & { readonly distance: number }) | undefined;
    for (const [piece, lines] of this.#pieces.entries()) {
      for (let at = 0; at + keys.length <= lines.length; at++) {
        const distance = start === undefined || !this.#isComplete ? 0 : Math.abs(at + 1 - start);
        if (nearest !== undefined && nearest.distance <= distance) continue;
        if (keys.every((key, i) => keyOf(lines[at + i]!.text) === key)) nearest = { piece, at, distance };
      }
    }
    return nearest;
  }

  #endOrStart(start: number | undefined): number {
    return Math.min(this.#pieces[0]!.length, Math.max(0, (start ?? 1) - 1));
  }

  #addPiece(lines: Lines): void {
    if (lines.length > 0) this.#pieces.push(lines);
  }

  #lose(before: Lines, after: readonly string[]): void {
    const { start, same } = sameEnds(before, after);
    const owned = before.slice(start, before.length - same).filter(({ by }) => by >= 0);
    if (owned.length > 0) {
      const remaining = new Set(after);
      for (const line of owned) if (!remaining.has(line.text)) this.#gone.add(line);
    }
    this.#gone.trim();
  }
}

interface Place {
  readonly piece: number;
  readonly at: number;
}

function isSame(lines: Lines, texts: readonly string[]): boolean {
  return lines.length === texts.length && lines.every(({ text }, i) => text === texts[i]);
}
