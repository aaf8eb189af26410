import {
  durationMs,
  failedBookkeeping,
  type Span,
  spanError,
  spanUsage,
} from "../../../../src/domain/spans/span.js";
import { type SubjectLine, subjectLine, textLine } from "../../../../src/domain/text/subject-line.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import { answerSubject } from "../../model/trace/answer.js";
import { repeatedCall, repeatsIn } from "../../model/trace/fold-runs.js";
import type { TraceLine } from "../../model/trace/trace-rows.js";
import type { LineCount } from "../messages/line-counts.js";
import type { BookkeepingCounts, CallRepeats, TraceRow } from "./trace-protocol.js";

export interface RowContext {
  readonly hits: ReadonlySet<number>;
  /** `""` if not recorded. */
  directoryOf(traceId: string): string;
  costOf(span: Span): Cost | undefined;
  linesOf(span: Span): LineCount | undefined;
}

export function traceRow(line: TraceLine, context: RowContext): TraceRow {
  const { span, depth, aside } = line;
  const { hits } = context;
  const repeated = repeatedCall(span);
  const subject = rowSubject(repeated ?? span, context.directoryOf(span.start.traceId));
  return {
    id: span.id,
    sequence: span.start.sequence,
    depth,
    aside,
    kind: span.kind,
    type: span.start.type,
    name: span.name,
    preview: subject.text,
    nameAt: subject.nameAt,
    full: subject.full,
    agentId: span.agentId,
    state: span.state,
    at: span.start.at,
    durationMs: durationMs(span),
    derived: span.start.derived,
    error: spanError(repeated ?? span),
    usage: spanUsage(span),
    cost: context.costOf(span),
    contextTokens: span.contextTokens,
    addedTokens: span.addedTokens,
    children: line.parts,
    repeats: repeated === undefined ? undefined : repeatsOf(span),
    bookkeeping: countsOf(span),
    lines: context.linesOf(span),
    folded: line.folded,
    totals: span.totals,
    hit: isHit(span, hits),
  };
}

function repeatsOf(span: Span): CallRepeats {
  const calls = repeatsIn(span);
  return { calls: calls.length, durationMs: calls.reduce((sum, call) => sum + durationMs(call), 0) };
}

function countsOf(span: Span): BookkeepingCounts {
  const hooks = span.bookkeeping.filter(({ start }) => start.bookkeeping?.kind === "hook").length;
  return { hooks, others: span.bookkeeping.length - hooks, failed: failedBookkeeping(span) };
}

export function rowSubject(span: Span, directory: string): SubjectLine {
  if (span.kind === "llm") return textLine(answerSubject(span));
  const { subject } = span.start;
  const hasSubject = subject.text !== "" || subject.pathCount > 0 || span.end === undefined;
  const subjectOrEnd = hasSubject ? subject : span.end!.subject;
  if (span.kind === "tool") return subjectLine(subjectOrEnd, directory);
  const line = textLine(subjectOrEnd);
  return line.text === span.name ? { ...line, text: "" } : line;
}

function isHit(span: Span, hits: ReadonlySet<number>): boolean {
  if (span.kind === "group" || (span.kind === "agent" && span.id.startsWith("agent:"))) return false;
  return hits.has(span.start.sequence) || (span.end !== undefined && hits.has(span.end.sequence));
}
