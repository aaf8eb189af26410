import { useState } from "react";
import type { Hunk } from "../../../../src/domain/changes/file-change.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { useMatchAfter } from "../../app/searched-text.js";
import type { VisibleChanges, VisibleFile } from "../../engine/messages/visible-changes.js";
import { whyAddress } from "../../model/address/address.js";
import { languageOf } from "../../model/text/coloured-lines.js";
import { STRINGS } from "../../strings/strings.js";
import { WHY_STRINGS } from "../../strings/why-strings.js";
import { CopyButton } from "../parts/copy-button.js";
import styles from "./file-changes.module.css";
import { HunkLines } from "./hunk-lines.js";

const { changes: strings } = STRINGS;

const FIRST = 120;
const STEP = 600;

export default function FileChanges({ changes }: { readonly changes: VisibleChanges }) {
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

function FileDiff({ file }: { readonly file: VisibleFile }) {
  const { path, movedTo, type, hunks } = file;
  // A hit further down shows all.
  const hasMatchAfter = useMatchAfter(textOf(firstLines(hunks, FIRST)), textOf(hunks));
  const [visible, setVisible] = useState(hasMatchAfter ? Number.POSITIVE_INFINITY : FIRST);
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
        <a href={whyAddress({ file: movedTo ?? path })} data-tip={WHY_STRINGS.ofFileHint}>
          {WHY_STRINGS.ofFile}
        </a>
        <CopyButton label={strings.copyPath} text={() => movedTo ?? path} />
      </header>
      {total > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        <pre tabIndex={0}>
          {firstLines(hunks, visible).map((hunk, index) => (
            <HunkLines
              // biome-ignore lint/suspicious/noArrayIndexKey: the hunks of a change have no other name, and never move
              key={index}
              hunk={hunk}
              first={index === 0}
              digits={digits}
              language={languageOf(movedTo ?? path)}
            />
          ))}
        </pre>
      )}
      {total > visible && (
        <button type="button" onClick={() => setVisible(visible + STEP)}>
          {strings.more(formatCount(Math.min(STEP, total - visible)))}
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

function lastNumber({ oldStart = 0, newStart = 0, lines }: Hunk): number {
  return Math.max(oldStart, newStart) + lines.length - 1;
}
