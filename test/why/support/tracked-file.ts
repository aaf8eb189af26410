import { diffArrays } from "diff";
import type { FileEdit } from "../../../src/domain/changes/file-edits.js";

/** `by`: the id of the edit that wrote the line; `undefined` for nobody. */
export interface TrackedLine {
  readonly text: string;
  readonly by: string | undefined;
  readonly isByHand?: boolean;
}

/** Applies edits one after the other at exact places: the writer of each line is certain. */
export class TrackedFile {
  lines: readonly TrackedLine[] = [];

  get text(): string {
    return this.lines.map(({ text }) => `${text}\n`).join("");
  }

  /** New lines belong to the writer, other lines do not change. */
  become(texts: readonly string[], by: string | undefined): void {
    const now: TrackedLine[] = [];
    let at = 0;
    const before = this.lines.map(({ text }) => text);
    for (const { added, removed, count, value } of diffArrays(before, [...texts])) {
      if (added) for (const text of value) now.push({ text, by });
      else {
        if (!removed) now.push(...this.lines.slice(at, at + count));
        at += count;
      }
    }
    this.lines = now;
  }

  edit({ change, original }: FileEdit, by: string): void {
    if (original !== undefined) this.become(linesOf(original), undefined);
    if (change.is === "written") this.become(linesOf(change.content), by);
    else if (change.is === "deleted") this.lines = [];
    else if (change.is === "replaced") {
      for (const { before, after, everywhere } of change.replacements) {
        if (!this.text.includes(before)) throw new Error(`${by} replaces a text that is not there.`);
        const now = everywhere ? this.text.split(before).join(after) : this.text.replace(before, () => after);
        this.become(linesOf(now), by);
      }
    } else {
      for (const { lines } of change.hunks) this.#patch(lines, by);
    }
  }

  #patch(hunk: readonly { readonly type: string; readonly text: string }[], by: string): void {
    const old = hunk.flatMap(({ type, text }) => (type === "added" ? [] : [text]));
    const isAt = (from: number) => old.every((text, i) => this.lines[from + i]?.text.trim() === text.trim());
    let at = this.lines.findIndex((_, from) => isAt(from));
    if (at === -1) {
      // The edits reveal lines from before the first edit.
      at = this.lines.length;
      this.lines = [...this.lines, ...old.map((text) => ({ text, by: undefined }))];
    }
    const now: TrackedLine[] = [];
    let from = at;
    for (const { type, text } of hunk) {
      if (type === "added") now.push({ text, by });
      else if (type === "removed") from++;
      else now.push({ text, by: this.lines[from++]!.by });
    }
    this.lines = [...this.lines.slice(0, at), ...now, ...this.lines.slice(from)];
  }
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

export const CHANGES_BY_HAND: readonly ((lines: readonly TrackedLine[], number: number) => TrackedLine[])[] =
  [
    function insertLines(lines, number) {
      const texts = [
        "",
        `// Written by hand, change ${number}`,
        `const byHand${number} = measure("step ${number}", 1000 + ${number});`,
        `if (byHand${number} === undefined) {`,
        "  return null;",
        "} else {",
        `  report(byHand${number});`,
        "}",
      ];
      const own = texts.map(handMade);
      const at = Math.floor(lines.length / 3);
      return [...lines.slice(0, at), ...own, ...lines.slice(at), ...own.slice(2).map(numberedOn)];
    },
    function moveLines(lines) {
      const at = Math.floor(lines.length / 2);
      return [...lines.slice(0, at), ...lines.slice(at + 7), ...lines.slice(at, at + 7)];
    },
    function formatLines(lines) {
      return lines.map(({ text, ...line }) => ({
        ...line,
        text: text.replace(/^(?: {2})+/, (indent) => "\t".repeat(indent.length / 2)).replaceAll('"', "'"),
      }));
    },
    function changeWords(lines, number) {
      return lines.map((line, i) =>
        i % 9 === 4 && /[a-z]{4,}/.test(line.text)
          ? handMade(line.text.replace(/[a-z]{4,}/, `other${number}`))
          : line,
      );
    },
  ];

export function handMade(text: string): TrackedLine {
  return { text, by: undefined, isByHand: true };
}

function numberedOn(line: TrackedLine): TrackedLine {
  return { ...line, text: line.text.replace("byHand", "atTheEndByHand") };
}
