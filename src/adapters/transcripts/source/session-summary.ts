import type { RecordWarning } from "../../../application/ports/record-stream.js";
import { isPlaceholder } from "../../../domain/cost/call-totals.js";
import { listedSession } from "../../../domain/session/listed-session.js";
import { type ListedSession, type ModelUsage, UsageByModel } from "../../../domain/session/model-usage.js";
import { withLists } from "../../../domain/session/open-calls.js";
import { NO_ACTIVITY, type RunActivity } from "../../../domain/session/session-activity.js";
import { openQuestion, sessionState } from "../../../domain/session/session-state.js";
import { excerptOf } from "../../../domain/text/excerpt.js";
import { newestInstant } from "../../../domain/trace/instant.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../../../domain/usage/token-usage.js";
import type { ValueKind } from "../../files/cache/disk-cache.js";
import {
  ACTIVITY_SHAPE,
  type Shape,
  USAGE_BY_MODEL_SHAPE,
  USAGE_SHAPE,
} from "../../files/cache/value-shape.js";
import type { TranscriptFormat } from "../folder/format.js";
import { type AgentNote, isOwnConversation, type TranscriptFileGroup } from "../folder/transcript-files.js";
import type { TitleHints, TypeCount } from "../recorder/record-origin.js";
import type { FileConversation, SessionFile } from "../trace/derived-file.js";
import type { SessionCall } from "../trace/session-calls.js";
import { errorsOf } from "../trace/session-errors.js";

const TITLE_LENGTH = 100;

const MOST_PROBLEMS = 5;

interface SummaryProblem extends RecordWarning {
  readonly count: number;
}

export interface TranscriptSummary {
  /** False if the next list continues with more lines. */
  readonly isComplete: boolean;
  readonly usage: TokenUsage;
  readonly usageByModel: readonly ModelUsage[];
  readonly turns: number;
  readonly activity: readonly RunActivity[];
  readonly createdAt: number | undefined;
  readonly newest: number | undefined;
  readonly touched: number;
  readonly titles: TitleHints;
  readonly directory: string | undefined;
  readonly firstPrompt: string | undefined;
  readonly isPersonPrompt: boolean;
  readonly errors: number | undefined;
  readonly model: string | undefined;
  readonly lastAnswer: string | undefined;
  readonly warnings: number;
  readonly problems: readonly SummaryProblem[];
  readonly versions: readonly string[];
  readonly unknownTypes: readonly TypeCount[];
  /** Bound that the session exceeds, and the remedy; it is then not read completely. */
  readonly unread?: string | undefined;
  /** Temporary reason; such a summary is not cached. */
  readonly unavailable?: string;
  /** Unexpected error; such a summary is not cached. */
  readonly fault?: string;
}

const SUMMARY: Shape = {
  isComplete: "flag",
  usage: USAGE_SHAPE,
  usageByModel: USAGE_BY_MODEL_SHAPE,
  turns: "number",
  activity: [ACTIVITY_SHAPE],
  createdAt: "instant?",
  newest: "instant?",
  touched: "instant",
  titles: {
    chosen: "text?",
    suggested: "text?",
    key: "text?",
    claims: [{ key: "text", title: "text" }],
  },
  directory: "text?",
  firstPrompt: "text?",
  isPersonPrompt: "flag",
  errors: "number?",
  model: "text?",
  lastAnswer: "text?",
  warnings: "number",
  problems: [{ file: "text", line: "number", reason: "text", count: "number" }],
  versions: ["text"],
  unknownTypes: [{ type: "text", count: "number" }],
  unread: "text?",
};

export function summariesOf(format: string): ValueKind<TranscriptSummary> {
  return { name: `${format} summaries`, shape: SUMMARY };
}

/**
 * @param files the conversation, then its sub-agents'
 * @param calls of all files
 * @param warnings of the session's files
 * @param notesOf notes for the files of sub-agents; called only if they matter
 */
export function summarizeSession(
  files: readonly SessionFile[],
  calls: readonly SessionCall[],
  format: TranscriptFormat,
  warnings: readonly RecordWarning[],
  notesOf: () => ReadonlyMap<string, AgentNote>,
): TranscriptSummary {
  const main = files[0]?.derived;
  const own = main?.conversations[0];
  const ownFiles = files.filter(isOwnConversation);
  const parts = ownFiles.map(({ derived }) => derived.conversations[0]!);
  const newestPart = parts.findLast(({ turns }) => turns > 0) ?? own;
  const newest = newestOf(files);
  const touched = touchedOf(files);
  const byPerson = parts.find(({ firstPrompt }) => firstPrompt)?.firstPrompt;
  const firstPrompt = byPerson ?? main?.conversations.find(({ firstPrompt }) => firstPrompt)?.firstPrompt;
  return {
    isComplete: files.every(({ derived }) => derived.isComplete),
    ...usageOf(calls, newest ?? touched ?? 0),
    turns: parts.reduce((sum, { turns }) => sum + turns, 0),
    activity: newestPart === undefined ? [] : activitiesOf(newestPart, files),
    createdAt: own?.firstInstant,
    newest,
    touched: touched ?? 0,
    titles: main?.titles ?? { claims: [] },
    directory: main?.directory,
    firstPrompt: firstPrompt === undefined ? undefined : excerptOf(firstPrompt),
    isPersonPrompt: byPerson !== undefined,
    errors: errorsOf(files, format, notesOf),
    model: excerptOf(parts.findLast(({ model }) => model !== undefined)?.model ?? ""),
    lastAnswer: ownFiles.findLast(({ derived }) => derived.lastAnswer !== undefined)?.derived.lastAnswer,
    warnings: warnings.length,
    problems: problemsOf(warnings),
    versions: [...new Set(files.flatMap(({ derived }) => derived.versions))],
    unknownTypes: addedUp(files.flatMap(({ derived }) => derived.unknownTypes)),
    unread: unreadOf(files),
  };
}

/**
 * @param claimed title from another session of the tenant, by key
 * @param now the caller's clock, in milliseconds since the epoch
 */
export function describeTranscript(
  session: Omit<TranscriptFileGroup, "files" | "relatives">,
  summary: TranscriptSummary,
  claimed: (key: string) => string | undefined,
  now: number,
): ListedSession {
  const { tenantId, sessionId } = session;
  const { activity, newest, touched, isPersonPrompt, firstPrompt } = summary;
  return listedSession({
    tenantId,
    sessionId,
    userId: "",
    lastActive: newest ?? touched,
    turns: summary.turns,
    usage: summary.usage,
    ...sessionState(activity, newest, now),
    title: session.title ?? titleOf(summary, claimed),
    directory: session.directory ?? summary.directory,
    createdAt: summary.createdAt,
    errors: summary.errors,
    model: summary.model,
    prompt: isPersonPrompt ? firstPrompt : undefined,
    lastAnswer: summary.lastAnswer,
    waitingFor: openQuestion(activity)?.question,
    warnings: summary.warnings,
    usageByModel: summary.usageByModel,
  });
}

/**
 * For an unreadable session: it is listed with the reason.
 * @param touched last write to its files, in milliseconds since the epoch
 */
export function unknownSummary(
  touched: number,
  because: { readonly fault: string } | { readonly unavailable: string } | { readonly unread: string },
): TranscriptSummary {
  return {
    ...because,
    isComplete: !("unavailable" in because),
    usage: NO_USAGE,
    usageByModel: [],
    turns: 0,
    activity: [],
    createdAt: undefined,
    newest: undefined,
    touched,
    titles: { claims: [] },
    directory: undefined,
    firstPrompt: undefined,
    isPersonPrompt: false,
    errors: undefined,
    model: undefined,
    lastAnswer: undefined,
    warnings: 1,
    problems: [],
    versions: [],
    unknownTypes: [],
  };
}

function unreadOf(files: readonly SessionFile[]): string | undefined {
  for (const { name, derived } of files)
    if (derived.unread !== undefined) return `${name}, line ${derived.unread.line} ${derived.unread.reason}`;
  return undefined;
}

function problemsOf(warnings: readonly RecordWarning[]): SummaryProblem[] {
  const problems = new Map<string, SummaryProblem>();
  for (const { file, line, reason } of warnings) {
    const before = problems.get(reason);
    if (before !== undefined) problems.set(reason, { ...before, count: before.count + 1 });
    else if (problems.size < MOST_PROBLEMS) problems.set(reason, { file, line, reason, count: 1 });
  }
  return [...problems.values()];
}

function addedUp(types: readonly TypeCount[]): TypeCount[] {
  const counts = new Map<string, number>();
  for (const { type, count } of types) counts.set(type, (counts.get(type) ?? 0) + count);
  return [...counts].map(([type, count]) => ({ type, count }));
}

/** The own conversation and, while it runs, newer questions and calls of its sub-agents. */
function activitiesOf({ activity }: FileConversation, files: readonly SessionFile[]): RunActivity[] {
  const { open, decidedAt: begun = Number.NEGATIVE_INFINITY } = activity;
  if (open.length === 0) return [activity];
  const isSince = ({ at = begun }: { readonly at?: number | undefined }) => at >= begun;
  const others = files.flatMap(({ derived }) => derived.conversations).map((one) => one.activity);
  const work = others.flatMap(({ questions, calls, series, longest, ...other }) => {
    const lists = withLists({
      questions: questions?.filter(isSince),
      calls: calls?.filter(isSince),
      series: series?.filter(isSince),
      longest,
    });
    return other.open === open || Object.keys(lists).length === 0 ? [] : [{ ...NO_ACTIVITY, ...lists }];
  });
  return [activity, ...work];
}

export function newestOf(files: readonly SessionFile[]): number | undefined {
  const conversations = files.flatMap(({ derived }) => derived.conversations);
  return conversations.reduce<number | undefined>((a, b) => newestInstant(a, b.newest), undefined);
}

export function touchedOf(files: readonly SessionFile[]): number | undefined {
  return files.reduce<number | undefined>(
    (at, { derived }) => newestInstant(at, Math.floor(derived.identity.modifiedAt)),
    undefined,
  );
}

function usageOf(
  calls: readonly SessionCall[],
  newest: number,
): Pick<TranscriptSummary, "usage" | "usageByModel"> {
  let total = NO_USAGE;
  const byModel = new UsageByModel();
  for (const { call } of calls) {
    const { usage, requestedModel: model, instant, recordedUsd, writtenSize: answerSize } = call;
    total = addUsage(total, usage);
    const at = Number.isNaN(instant) ? newest : instant;
    byModel.add({ model, at, usage, recordedUsd, isPlaceholder: isPlaceholder({ usage, answerSize }) });
  }
  return { usage: total, usageByModel: byModel.groups };
}

/** Precedence: from the user, from a model, from another session, the first prompt. */
function titleOf(
  { titles, firstPrompt }: TranscriptSummary,
  claimed: (key: string) => string | undefined,
): string | undefined {
  const named = titles.key === undefined ? undefined : claimed(titles.key);
  const prompt = firstPrompt === undefined ? undefined : excerptOf(firstPrompt, TITLE_LENGTH);
  return (
    titles.chosen ?? titles.suggested ?? named ?? prompt ?? titles.claims[titles.claims.length - 1]?.title
  );
}
