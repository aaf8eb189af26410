import type { ReactNode } from "react";
import {
  type ComparedStep,
  NO_USE,
  type StepRow,
  type StepUse,
} from "../../../../src/domain/compare/step-comparison.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import { dollarsMore, timeMore } from "../../model/compare/step-deltas.js";
import type { StepLine } from "../../model/compare/step-lines.js";
import { type WordPiece, wordChanges } from "../../model/compare/word-changes.js";
import { STEP_STRINGS as strings } from "../../strings/step-strings.js";
import styles from "./step-line-row.module.css";

const NAMES = ["A", "B"] as const;

type Two<T> = readonly [T, T];

interface StepLineRowProps {
  readonly measure: (element: HTMLElement | null) => void;
  readonly index: number;
  readonly top: number;
  readonly line: StepLine;
  /** `undefined` of a fold, and until it is read. */
  readonly row: StepRow | undefined;
  readonly sessions: Two<SessionKey>;
  readonly isCurrent: boolean;
  onToggle(row: number): void;
}

export function StepLineRow(props: StepLineRowProps) {
  const { measure, index, top, line, row, isCurrent, onToggle } = props;
  return (
    <div
      ref={measure}
      data-index={index}
      role="row"
      aria-rowindex={index + 2}
      aria-current={isCurrent}
      className={styles.line}
      data-relation={line.kind === "fold" ? "fold" : row?.relation}
      style={{ transform: `translateY(${top}px)` }}
    >
      {line.kind === "fold" ? (
        <>
          <span role="cell" aria-colspan={2} className={styles.fold}>
            <button type="button" aria-expanded={line.isOpen} onClick={() => onToggle(line.row)}>
              <span aria-hidden="true">{line.isOpen ? "▾" : "▸"}</span> {strings.fold(formatCount(line.rows))}
            </button>
          </span>
          <Deltas used={line.used} until={line.until} />
        </>
      ) : row === undefined ? (
        <span role="cell" aria-colspan={6}>
          {strings.loading}
        </span>
      ) : (
        <Sides row={row} sessions={props.sessions} />
      )}
    </div>
  );
}

function Sides({ row, sessions }: { readonly row: StepRow; readonly sessions: Two<SessionKey> }) {
  const { sides, relation, until } = row;
  const [a, b] = sides;
  const texts = wordsOf(a, b, ({ text }) => text);
  const results = row.differs?.includes("result") ? wordsOf(a, b, ({ result = "" }) => result) : undefined;
  const isFurther =
    relation === "changed" && ![...texts, ...(results ?? [])].flat().some(({ isChanged }) => isChanged);
  return (
    <>
      {sides.map((step, i) => (
        <div key={NAMES[i]} role="cell" data-side={NAMES[i]} className={styles.side}>
          {step === null ? (
            <span className="visually-hidden">{strings.notThere}</span>
          ) : (
            <Step step={step} session={sessions[i]!} name={NAMES[i]!} relation={relation}>
              <Words pieces={texts[i]!} side={i} isAlone={relation !== "changed"} />
              {step.error !== undefined && <em className={styles.error}>✕ {step.error}</em>}
              {results !== undefined && (
                <span className={styles.result}>
                  {strings.result}: <Words pieces={results[i]!} side={i} isAlone={false} />
                </span>
              )}
              {isFurther && <small>{strings.further}</small>}
            </Step>
          )}
        </div>
      ))}
      <Deltas used={[a ?? NO_USE, b ?? NO_USE]} until={until} />
    </>
  );
}

interface StepProps {
  readonly step: ComparedStep;
  readonly session: SessionKey;
  readonly name: string;
  readonly relation: StepRow["relation"];
  readonly children: ReactNode;
}

function Step({ step, session, name, relation, children }: StepProps) {
  const { index, kind, toolName } = step;
  const address = addressOf(step, session);
  const number = formatCount(index + 1);
  return (
    <>
      {address === undefined ? (
        <small>{number}</small>
      ) : (
        <a href={address} aria-label={strings.number(number, name)}>
          {number}
        </a>
      )}
      <span>
        <b data-kind={kind}>{toolName ?? strings.kinds[kind]}</b>
        <span className="visually-hidden"> ({strings.relations[relation]})</span> {children}
      </span>
    </>
  );
}

function addressOf({ stepId, messageIndex }: ComparedStep, session: SessionKey): string | undefined {
  if (stepId !== undefined) return sessionAddress(session, "trace", { event: stepId });
  if (messageIndex !== undefined) return sessionAddress(session, "messages", { at: String(messageIndex) });
  return undefined;
}

function wordsOf(
  a: ComparedStep | null,
  b: ComparedStep | null,
  textOf: (step: ComparedStep) => string,
): Two<readonly WordPiece[]> {
  if (a !== null && b !== null) return wordChanges(textOf(a), textOf(b));
  const fullText = (step: ComparedStep | null) =>
    step === null ? [] : [{ text: textOf(step), isChanged: false }];
  return [fullText(a), fullText(b)];
}

interface WordsProps {
  readonly pieces: readonly WordPiece[];
  readonly side: number;
  readonly isAlone: boolean;
}

function Words({ pieces, side, isAlone }: WordsProps) {
  const Changed = side === 0 ? "del" : "ins";
  return pieces.map(({ text, isChanged }, i) =>
    isChanged && !isAlone ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name, and never move
      <Changed key={i}>{text}</Changed>
    ) : (
      text
    ),
  );
}

function Deltas({ used, until }: { readonly used: Two<StepUse>; readonly until: Two<StepUse> }) {
  const deltas = [
    ["cost", dollarsMore(used)],
    ["time", timeMore(used)],
    ["costSum", dollarsMore(until)],
    ["timeSum", timeMore(until)],
  ] as const;
  return deltas.map(([column, text]) => (
    <span
      key={column}
      role="cell"
      className={styles.delta}
      data-column={column}
      data-more={text[0] === "+" ? "B" : text[0] === "−" ? "A" : undefined}
    >
      <small aria-hidden="true">{strings.columns[column]} </small>
      {text}
    </span>
  ));
}
