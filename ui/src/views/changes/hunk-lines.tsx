import { Fragment, type ReactNode, Suspense, useContext } from "react";
import type { ChangedLine, Hunk } from "../../../../src/domain/changes/file-change.js";
import { SearchedText } from "../../app/searched-text.js";
import { STRINGS } from "../../strings/strings.js";
import { lazyView } from "../parts/lazy-view.js";
import styles from "./file-changes.module.css";

const ColouredLines = lazyView(() => import("./coloured-lines.js"));

const TAGS = { added: "ins", removed: "del", context: "span", note: "span" } as const;
const SIGNS = { added: "+", removed: "−", context: " ", note: "\\" } as const;

/** Larger blocks would block the page, smaller ones would miss constructs that span lines. */
const BLOCK = 40;

interface HunkLinesProps {
  readonly hunk: Hunk;
  readonly first: boolean;
  readonly digits: number;
  readonly language: string;
}

export function HunkLines({ hunk, first, digits, language }: HunkLinesProps) {
  // Colors would cut the text that a search mark covers.
  const isSearched = useContext(SearchedText) !== "";
  const { lines, place, everywhere } = hunk;
  const head = [place, everywhere ? STRINGS.changes.everywhere : ""].filter(Boolean).join(" · ");
  const numbers = numbered(hunk, digits);
  const blocks = Array.from({ length: Math.ceil(lines.length / BLOCK) }, (_, block) => block * BLOCK);
  return (
    <>
      {(!first || head !== "") && <span className={styles.place}>⋯ {head}</span>}
      {blocks.map((from) => {
        const own = lines.slice(from, from + BLOCK);
        const draw = (contents?: readonly ReactNode[]) => (
          <Lines lines={own} numbers={numbers.slice(from)} {...(contents && { contents })} />
        );
        if (language === "" || isSearched) return <Fragment key={from}>{draw()}</Fragment>;
        return (
          <Suspense key={from} fallback={draw()}>
            <ColouredLines lines={own} language={language} draw={draw} />
          </Suspense>
        );
      })}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly ChangedLine[];
  readonly numbers: readonly string[];
  readonly contents?: readonly ReactNode[];
}

function Lines({ lines, numbers, contents = [] }: LinesProps) {
  return lines.map(({ type, text }, index) => {
    const Tag = TAGS[type];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change have no other name, and never move
      <Tag key={index} data-line={type} data-gutter={`${numbers[index]}${SIGNS[type]}`}>
        <span>{contents[index] ?? text}</span>
      </Tag>
    );
  });
}

function numbered({ oldStart, newStart, lines }: Hunk, digits: number): string[] {
  if (oldStart === undefined || newStart === undefined) return lines.map(() => "");
  const column = (hasNumber: boolean, line: number) => (hasNumber ? String(line) : "").padStart(digits);
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
