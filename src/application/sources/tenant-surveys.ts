import { isPause } from "../../domain/lists/is-pause.js";
import type { GoneSession, SourceProblem } from "../../domain/session/source-report.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { SurveyedSession, TenantSurvey, UnknownOfTenant } from "../ports/source-survey.js";

const MOST_PROBLEMS = 50;

/** @param gone deleted sessions; also for tenants without other sessions */
export function* tenantSurveys(
  sessions: Iterable<SurveyedSession>,
  gone: readonly GoneSession[] = [],
): Generator<void, TenantSurvey[]> {
  const tenants = new Map<string, TenantSum>();
  const sumOf = (tenantId: string) => {
    const existing = tenants.get(tenantId) ?? new TenantSum(tenantId);
    tenants.set(tenantId, existing);
    return existing;
  };
  let count = 0;
  for (const session of sessions) {
    sumOf(session.tenantId).add(session);
    if (isPause(++count)) yield;
  }
  for (const one of gone) if (one.tenantId !== undefined) sumOf(one.tenantId).gone.push(one);
  return [...tenants.values()].map((sum) => sum.survey());
}

class TenantSum {
  readonly gone: GoneSession[] = [];
  readonly #tenantId: string;
  readonly #versions = new Map<string, number>();
  readonly #unknown = new Map<string, UnknownOfTenant>();
  readonly #problems: SourceProblem[] = [];
  #sessions = 0;
  #unread = 0;
  #files: number | undefined = 0;
  #bytes: number | undefined = 0;
  #oldest = Number.POSITIVE_INFINITY;
  #newest = Number.NEGATIVE_INFINITY;
  #due = 0;
  #dueBytes = 0;
  #firstDue = Number.POSITIVE_INFINITY;

  constructor(tenantId: string) {
    this.#tenantId = tenantId;
  }

  add(session: SurveyedSession): void {
    const { sessionId, isUnread, files, bytes, versions = [], unknownTypes = [], problems = [] } = session;
    this.#sessions++;
    if (isUnread) this.#unread++;
    this.#files = plus(this.#files, files);
    this.#bytes = plus(this.#bytes, bytes);
    const newest = session.newest ?? Number.NEGATIVE_INFINITY;
    this.#newest = Math.max(this.#newest, newest);
    this.#oldest = Math.min(
      this.#oldest,
      session.oldest ?? (Number.isFinite(newest) ? newest : this.#oldest),
    );
    for (const version of versions) this.#versions.set(version, (this.#versions.get(version) ?? 0) + 1);
    for (const { type, count } of unknownTypes) {
      const before = this.#unknown.get(type) ?? { type, records: 0, sessions: 0, sessionId };
      this.#unknown.set(type, {
        ...before,
        records: before.records + count,
        sessions: before.sessions + 1,
      });
    }
    const ref = { tenantId: this.#tenantId, sessionId };
    for (const one of problems)
      if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ ...one, session: ref });
    if (session.dueAt === undefined) return;
    this.#due++;
    this.#dueBytes += bytes ?? 0;
    this.#firstDue = Math.min(this.#firstDue, session.dueAt);
  }

  survey(): TenantSurvey {
    const first = Number.isFinite(this.#firstDue) ? { first: formatInstant(this.#firstDue) } : {};
    return {
      tenantId: this.#tenantId,
      sessions: this.#sessions,
      unread: this.#unread,
      files: this.#files,
      bytes: this.#bytes,
      oldest: Number.isFinite(this.#oldest) ? this.#oldest : undefined,
      newest: Number.isFinite(this.#newest) ? this.#newest : undefined,
      versions: [...this.#versions].map(([version, sessions]) => ({ version, sessions })),
      unknownRecords: [...this.#unknown.values()],
      problems: this.#problems,
      due: { sessions: this.#due, bytes: this.#dueBytes, ...first },
      gone: this.gone,
    };
  }
}

function plus(sum: number | undefined, count: number | undefined): number | undefined {
  return sum === undefined || count === undefined ? undefined : sum + count;
}
