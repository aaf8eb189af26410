import { type ReactNode, useState } from "react";
import type {
  ComparedFile,
  ComparedSession,
  ComparedTool,
  SessionComparison,
} from "../../../../src/domain/compare/session-comparison.js";
import { areUncounted, type CallTotals } from "../../../../src/domain/cost/call-totals.js";
import { ABSENT, formatCount, formatDuration } from "../../../../src/domain/text/figures.js";
import { totalTokens } from "../../../../src/domain/usage/token-usage.js";
import { COMPARE_STRINGS } from "../../strings/compare-strings.js";
import { costText } from "../summary/summary-texts.js";
import styles from "./compared-tables.module.css";

const { facts, tools: toolStrings, files: fileStrings, names, more } = COMPARE_STRINGS;

const VISIBLE = 15;

type Row = readonly [name: string, a: ReactNode, b: ReactNode];

const FACTS: readonly (readonly [name: string, of: (session: ComparedSession) => string])[] = [
  [facts.duration, ({ ms }) => formatDuration(ms)],
  [facts.turns, ({ counts }) => formatCount(counts.turns)],
  [facts.modelCalls, ({ counts }) => formatCount(counts.modelCalls)],
  [facts.failedModelCalls, ({ counts }) => formatCount(counts.failedModelCalls)],
  [facts.toolCalls, ({ counts }) => formatCount(counts.toolCalls)],
  [facts.failedToolCalls, ({ counts }) => formatCount(counts.failedToolCalls)],
  [facts.agents, ({ counts }) => formatCount(counts.agents)],
  [facts.compactions, ({ counts }) => formatCount(counts.compactions)],
  [facts.tokens, ({ total }) => countedText(total, totalTokens(total.usage))],
  [facts.output, ({ total }) => countedText(total, total.usage.outputTokens)],
  [facts.cacheRead, ({ total }) => countedText(total, total.usage.cacheReadTokens)],
  [facts.cost, ({ total }) => costText(total)],
  [facts.models, ({ models }) => models.map(({ model }) => model || "?").join(", ") || ABSENT],
];

function countedText(total: CallTotals, tokens: number): string {
  return areUncounted(total) ? ABSENT : formatCount(tokens);
}

export function ComparedFacts({ comparison }: { readonly comparison: SessionComparison }) {
  const [a, b] = comparison.sessions;
  return (
    <SideBySide
      title={facts.title}
      name={facts.name}
      rows={FACTS.map(([name, of]): Row => [name, of(a), of(b)])}
    />
  );
}

export function ComparedTools({ tools }: { readonly tools: readonly ComparedTool[] }) {
  const cell = (calls: number, failed: number) => (
    <>
      {formatCount(calls)}
      {failed > 0 && <span className={styles.failed}> {toolStrings.failed(formatCount(failed))}</span>}
    </>
  );
  return (
    <SideBySide
      title={toolStrings.title}
      name={toolStrings.name}
      rows={tools.map(
        ({ name, calls, failed }): Row => [name, cell(calls[0], failed[0]), cell(calls[1], failed[1])],
      )}
    />
  );
}

export function ComparedFiles({ files }: { readonly files: readonly ComparedFile[] }) {
  return (
    <SideBySide
      title={fileStrings.title}
      name={fileStrings.name}
      rows={files.map(({ path, calls }): Row => [path, formatCount(calls[0]), formatCount(calls[1])])}
    />
  );
}

interface SideBySideProps {
  readonly title: string;
  readonly name: string;
  readonly rows: readonly Row[];
}

function SideBySide({ title, name, rows }: SideBySideProps) {
  const [isComplete, setComplete] = useState(false);
  if (rows.length === 0) return null;
  const visible = isComplete ? rows : rows.slice(0, VISIBLE);
  const left = rows.length - visible.length;
  return (
    <section className={styles.tables}>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            {names.map((side) => (
              <th key={side} scope="col">
                {side}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.map(([row, a, b]) => (
            <tr key={row}>
              <th scope="row" title={row}>
                {row}
              </th>
              <td>{a}</td>
              <td>{b}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button type="button" onClick={() => setComplete(true)}>
          {more(formatCount(left))}
        </button>
      )}
    </section>
  );
}
