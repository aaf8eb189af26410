import { carryLines } from "./carry-lines.js";
import { textLines } from "./file-change.js";
import type { FileEdit } from "./file-edits.js";
import { FileHistory } from "./file-history.js";
import { isClosing, LEAST_WEIGHT, lineWeight } from "./line-keys.js";
import type { AlignTexts, OwnedLine } from "./line-owners.js";
import type { LineTexts } from "./line-texts.js";

export interface TimedEdit {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly edit: FileEdit;
}

export interface FileVersion {
  readonly at: number;
  readonly text: string;
}

export interface AuthorsInput {
  /** In execution order. */
  readonly edits: readonly TimedEdit[];
  readonly versions: readonly FileVersion[];
  /** Default is the file after the last edit. */
  readonly text?: readonly string[] | undefined;
  readonly isComplete: boolean;
}

export interface AuthoredLine extends OwnedLine {
  readonly others: readonly number[];
}

const MOST_OTHERS = 4;

/**
 * Replays the edits in their order, and follows their lines to the present positions.
 * @returns the lines of `text`
 */
export function* lineAuthors(input: AuthorsInput, align: AlignTexts): Generator<void, AuthoredLine[]> {
  const { edits, versions, text, isComplete } = input;
  const history = new FileHistory(align);
  const first = edits[0]?.at ?? 0;
  let next = Math.max(
    0,
    versions.findLastIndex(({ at }) => at < first),
  );
  for (const [by, { at, edit }] of edits.entries()) {
    for (; next < versions.length && versions[next]!.at < at; next++)
      yield* history.observe(versions[next]!.text);
    yield* history.edit(edit, by);
    yield;
  }
  for (; next < versions.length; next++) yield* history.observe(versions[next]!.text);
  const { lines: recordedLines } = history;
  const lines =
    text === undefined
      ? [...(recordedLines.complete ?? []), ...recordedLines.pieces]
      : yield* carryLines(recordedLines, text, align, isComplete);
  const writers = yield* writersOf(edits, history.texts);
  return withoutTrivial(lines).map((line) => ({
    ...line,
    others: (writers.get(history.texts.key(line.text)) ?? [])
      .filter((by) => by !== line.by)
      .slice(0, MOST_OTHERS),
  }));
}

function* writersOf(edits: readonly TimedEdit[], texts: LineTexts): Generator<void, Map<string, number[]>> {
  const writers = new Map<string, number[]>();
  for (let by = edits.length - 1; by >= 0; by--) {
    for (const text of new Set(linesWrittenBy(edits[by]!.edit))) {
      if (texts.weight(text) < LEAST_WEIGHT) continue;
      const key = texts.key(text);
      const recordedLines = writers.get(key);
      if (recordedLines === undefined) writers.set(key, [by]);
      else if (recordedLines.at(-1) !== by) recordedLines.push(by);
    }
    yield;
  }
  return writers;
}

function linesWrittenBy({ change }: FileEdit): readonly string[] {
  switch (change.is) {
    case "written":
      return textLines(change.content);
    case "deleted":
      return [];
    case "replaced":
      return change.replacements.flatMap(({ after }) => textLines(after));
    case "patched":
      return change.hunks.flatMap(({ lines }) =>
        lines.flatMap(({ type, text }) => (type === "added" ? [text] : [])),
      );
    default:
      change satisfies never;
      return [];
  }
}

function withoutTrivial(lines: readonly OwnedLine[]): OwnedLine[] {
  const says = lines.map(({ text }) => lineWeight(text) >= LEAST_WEIGHT);
  const above: (OwnedLine | undefined)[] = [];
  const below: (OwnedLine | undefined)[] = [];
  for (let i = 1; i < lines.length; i++) above[i] = says[i - 1] ? lines[i - 1] : above[i - 1];
  for (let i = lines.length - 2; i >= 0; i--) below[i] = says[i + 1] ? lines[i + 1] : below[i + 1];
  return lines.map((line, i) => {
    if (says[i] || line.by === -1) return line;
    const isAbove = above[i]?.by === line.by;
    const isBelow = below[i]?.by === line.by;
    const belongs = isClosing(line.text)
      ? isAbove
      : line.text.trim() === ""
        ? isAbove && isBelow
        : /[{([:]\s*$/.test(line.text)
          ? isBelow
          : isAbove;
    return belongs ? line : { ...line, by: -1 };
  });
}
