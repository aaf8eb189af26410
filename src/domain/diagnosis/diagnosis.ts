import { isPause } from "../lists/is-pause.js";
import { groupBy } from "../lists/lists.js";
import { type Span, spanUsage } from "../spans/span.js";
import { MOST_LISTED } from "../steps/session-steps.js";
import { totalTokens } from "../usage/token-usage.js";
import { callLoops, longestRuns } from "./call-loops.js";
import { type DetailsOf, type Failure, TraceOfFailures } from "./failures.js";
import type {
  DiagnosedCause,
  DiagnosedLoop,
  Diagnosis,
  ErrorGroup,
  ErrorOutcomes,
} from "./session-diagnosis.js";

const MOST_CONSEQUENCES = 10;
const MOST_LOOPS = 20;

export interface SessionErrors {
  readonly errors: number;
  readonly causes: readonly UnpricedCause[];
  readonly loops: readonly DiagnosedLoop[];
}

type UnpricedGroup = Omit<ErrorGroup, "usd" | "unpricedTokens"> & { readonly paid: readonly PaidPart[] };

type UnpricedCause = UnpricedGroup &
  Pick<DiagnosedCause, "isRootUnknown" | "sameCall" | "inARow"> & {
    readonly consequences: readonly UnpricedGroup[];
  };

interface PaidPart {
  readonly stepId: string;
  readonly share: number;
  readonly tokens: number;
}

/**
 * Finds the errors of a session, their causes, and repeated calls. An error that names another one as its cause ("Sibling tool call
 * errored") is a consequence of the first other error of the same answer.
 * @param roots of the complete trace, with totals (`addTotals`)
 */
export function* findErrors(roots: readonly Span[], detailsOf: DetailsOf): Generator<void, SessionErrors> {
  const trace = new TraceOfFailures(roots, detailsOf);
  yield;
  const failures = yield* trace.failures();
  yield;
  const roles = yield* rolesOf(failures);
  yield;
  const runs = longestRuns(trace);
  yield;
  const causes = [...groupBy(roles, ({ rootKey }) => rootKey).values()].map((all) => {
    const own = all.filter(({ isConsequence }) => !isConsequence).map(({ failure }) => failure);
    const others = all.filter(({ isConsequence }) => isConsequence).map(({ failure }) => failure);
    return {
      ...groupOf(own),
      isRootUnknown: all[0]!.isRootUnknown,
      sameCall: mostOfOne(own),
      inARow: own.reduce((most, { sameAs = "" }) => Math.max(most, runs.get(sameAs) ?? 1), 1),
      consequences: byCount([...groupBy(others, ({ cause }) => cause).values()].map(groupOf)),
    };
  });
  yield;
  return {
    errors: failures.length,
    causes: causes.sort(worstFirst),
    loops: callLoops(trace).slice(0, MOST_LOOPS),
  };
}

/** @param usdOf cost of a model call, by its step id; `undefined` without a price */
export function diagnosisOf(
  { errors, causes, loops }: SessionErrors,
  usdOf: (stepId: string) => number | undefined,
): Diagnosis {
  const listed = causes.slice(0, MOST_LISTED).map(({ consequences, ...cause }) => ({
    ...pricedGroup(cause, usdOf),
    consequences: consequences.slice(0, MOST_CONSEQUENCES).map((one) => pricedGroup(one, usdOf)),
  }));
  return {
    errors,
    causeCount: causes.length,
    causes: listed,
    unlistedErrors: errors - errorsIn(listed),
    loops,
  };
}

function errorsIn(causes: readonly DiagnosedCause[]): number {
  const groups = causes.flatMap((cause) => [cause, ...cause.consequences]);
  return groups.reduce((sum, { count }) => sum + count, 0);
}

interface FailureInRole {
  readonly failure: Failure;
  /** Equal for errors of one cause. */
  readonly rootKey: string;
  readonly isConsequence: boolean;
  readonly isRootUnknown: boolean;
}

/** Errors without a separate cause: another call of the same answer failed. */
const SAYS_OTHER_FAILED =
  /\bsibling tool calls?\b|\bparallel tool calls?\b.{0,80}\b(?:errored|failed)|\b(?:cancell?ed|aborted|skipped|interrupted|not (?:run|executed|attempted))\b.{0,20}\b(?:because|due to|since)\b/i;

function* rolesOf(failures: readonly Failure[]): Generator<void, readonly FailureInRole[]> {
  const isOfAnother = ({ text }: Failure) => SAYS_OTHER_FAILED.test(text);
  const roots = new Map<string, Failure>();
  for (const failure of failures) {
    const existing = roots.get(failure.batch);
    if (!isOfAnother(failure) && (existing === undefined || failure.endIndex < existing.endIndex))
      roots.set(failure.batch, failure);
  }
  // A failed model call, its error event and the turn that it ended state the same error.
  const keyOf = ({ kind, name, cause }: Failure) => {
    const isSeparate = kind === "tool" || kind === "bookkeeping" || cause === "failed" || cause === "error";
    return isSeparate ? `${kind}\n${name}\n${cause}` : `\n\n${cause}`;
  };
  const roles: FailureInRole[] = [];
  for (const failure of failures) {
    const isLed = isOfAnother(failure);
    const root = isLed ? roots.get(failure.batch) : undefined;
    roles.push({
      failure,
      rootKey: keyOf(root ?? failure),
      isConsequence: root !== undefined,
      isRootUnknown: isLed && root === undefined,
    });
    if (isPause(roles.length)) yield;
  }
  return roles;
}

/** @param failures at least one, in the order of the trace */
function groupOf(failures: readonly Failure[]): UnpricedGroup {
  const [first] = failures as readonly [Failure, ...Failure[]];
  const outcomes: { -readonly [Name in keyof ErrorOutcomes]: number } = {
    retried: 0,
    continued: 0,
    notRecovered: 0,
    endedTurn: 0,
    unknown: 0,
  };
  const paid = new Map<string, PaidPart>();
  let ms = 0;
  let uncountedErrors = 0;
  for (const { outcome, call, share, kind, ...failure } of failures) {
    outcomes[outcome]++;
    ms += failure.ms;
    const usage = call && spanUsage(call);
    if (usage === undefined) {
      if (kind !== "bookkeeping") uncountedErrors++;
      continue;
    }
    const existing = paid.get(call!.id)?.share ?? 0;
    const all = Math.min(1, existing + share);
    paid.set(call!.id, { stepId: call!.id, share: all, tokens: all * totalTokens(usage) });
  }
  const names = new Set(failures.map(({ name }) => name));
  return {
    cause: first.cause,
    kind: first.kind,
    name: names.size === 1 ? first.name : "",
    count: failures.length,
    first: first.place,
    outcomes,
    ms,
    tokens: Math.round([...paid.values()].reduce((sum, { tokens }) => sum + tokens, 0)),
    uncountedErrors,
    paid: [...paid.values()],
  };
}

function pricedGroup<Group extends UnpricedGroup>(
  { paid, ...group }: Group,
  usdOf: (stepId: string) => number | undefined,
) {
  let usd = 0;
  let unpriced = 0;
  for (const { stepId, share, tokens } of paid) {
    const total = usdOf(stepId);
    if (total === undefined) unpriced += tokens;
    else usd += total * share;
  }
  return { ...group, usd, unpricedTokens: Math.round(unpriced) };
}

function mostOfOne(failures: readonly Failure[]): number {
  const times = new Map<string, number>();
  let most = 1;
  for (const { sameAs } of failures) {
    if (sameAs === undefined) continue;
    const next = (times.get(sameAs) ?? 0) + 1;
    times.set(sameAs, next);
    most = Math.max(most, next);
  }
  return most;
}

function worstFirst(a: UnpricedCause, b: UnpricedCause): number {
  return severityOf(b) - severityOf(a) || b.count - a.count;
}

function severityOf({ outcomes: { endedTurn, notRecovered, unknown } }: UnpricedCause): number {
  return endedTurn > 0 ? 3 : notRecovered > 0 ? 2 : unknown > 0 ? 1 : 0;
}

function byCount(groups: readonly UnpricedGroup[]): readonly UnpricedGroup[] {
  return groups.toSorted((a, b) => b.count - a.count);
}
