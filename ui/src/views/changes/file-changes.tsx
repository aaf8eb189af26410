import { useState } from "react";
import { useFoundBehind } from "../../app/searched-text.js";
import type { ShownChanges, ShownFile } from "../../engine/shown-changes.js";
import type { Hunk } from "../../model/file-change.js";
import { formatCount } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { CopyButton } from "../parts/copy-button.js";
import styles from "./file-changes.module.css";

const { changes: strings } = STRINGS;

/** How many lines of a file are shown at first, and how many more each time. */
const FIRST = 120;
const STEP = 600;

/** Changes of files as a unified diff. */
export default function FileChanges({ changes }: { readonly changes: ShownChanges }) {
  return (
    <>
      {changes.files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a patch may name a file twice, and its files never move
        <FileDiff key={index} file={file} />
      ))}
      {changes.cut && <p className={styles.cut}>{strings.cut}</p>}
    </>
  );
}

function FileDiff({ file }: { readonly file: ShownFile }) {
  const { path, movedTo, type, hunks } = file;
  // A hit further down shows all.
  const isFoundBehind = useFoundBehind(textOf(firstLines(hunks, FIRST)), textOf(hunks));
  const [shown, setShown] = useState(isFoundBehind ? Number.POSITIVE_INFINITY : FIRST);
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const digits = String(Math.max(...hunks.map(lastNumber), 0)).length;
  const added = formatCount(file.added);
  const removed = formatCount(file.removed);
  return (
    <section className={styles.file} aria-label={strings.of(path)}>
      <header>
        <code>{movedTo === undefined ? path : `${path} → ${movedTo}`}</code>
        {strings.types[type] !== "" && <small>{strings.types[type]}</small>}
        <b>
          <span aria-hidden="true">{strings.counts(added, removed)}</span>
          <span className="visually-hidden">{strings.countsInWords(added, removed)}</span>
        </b>
        <CopyButton label={strings.copyPath} text={() => movedTo ?? path} />
      </header>
      {total > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        <pre tabIndex={0}>
          {firstLines(hunks, shown).map((hunk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the hunks of a change have no other name, and never move
            <HunkLines key={index} hunk={hunk} first={index === 0} digits={digits} />
          ))}
        </pre>
      )}
      {total > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          {strings.more(formatCount(Math.min(STEP, total - shown)))}
        </button>
      )}
    </section>
  );
}

function firstLines(hunks: readonly Hunk[], count: number): Hunk[] {
  let left = count;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}

function textOf(hunks: readonly Hunk[]): string {
  return hunks.flatMap(({ lines }) => lines.map(({ text }) => text)).join("\n");
}

const TAGS = { added: "ins", removed: "del", context: "span", note: "span" } as const;
const SIGNS = { added: "+", removed: "−", context: " ", note: "\\" } as const;

interface HunkLinesProps {
  readonly hunk: Hunk;
  readonly first: boolean;
  /** Of the highest number of a line in the file. */
  readonly digits: number;
}

function HunkLines({ hunk, first, digits }: HunkLinesProps) {
  const { lines, place, everywhere } = hunk;
  const head = [place, everywhere ? strings.everywhere : ""].filter(Boolean).join(" · ");
  return (
    <>
      {(!first || head !== "") && <span className={styles.place}>⋯ {head}</span>}
      {numbered(hunk, digits).map((numbers, index) => {
        const { type, text } = lines[index]!;
        const Tag = TAGS[type];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change have no other name, and never move
          <Tag key={index} data-line={type} data-gutter={`${numbers}${SIGNS[type]}`}>
            {text}
          </Tag>
        );
      })}
    </>
  );
}

/** The numbers before and after the change of each line, in columns; nothing where they are not known. */
function numbered({ oldStart, newStart, lines }: Hunk, digits: number): string[] {
  if (oldStart === undefined || newStart === undefined) return lines.map(() => "");
  const column = (known: boolean, line: number) => (known ? String(line) : "").padStart(digits);
  let old = oldStart;
  let now = newStart;
  return lines.map(({ type }) => {
    const before = type === "context" || type === "removed";
    const after = type === "context" || type === "added";
    const text = `${column(before, old)} ${column(after, now)} `;
    if (before) old++;
    if (after) now++;
    return text;
  });
}

/** At least the number of its last line. */
function lastNumber({ oldStart = 0, newStart = 0, lines }: Hunk): number {
  return Math.max(oldStart, newStart) + lines.length - 1;
}
