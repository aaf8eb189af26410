import type {
  GoneSession,
  SourceReport,
  SourceRetention,
  UnknownRecords,
  WriterVersion,
} from "../../domain/session/source-report.js";
import { formatInstant } from "../../domain/trace/instant.js";
import type { SourceSurvey, TenantSurvey } from "../ports/source-survey.js";
import { sumOf } from "./source-part.js";

const MOST_VERSIONS = 50;
const MOST_TYPES = 50;
const MOST_PROBLEMS = 50;
const MOST_GONE = 100;

export function reportOf(survey: SourceSurvey): SourceReport {
  const { key, name, format, path, failure, verified, tenants } = survey;
  const unread = sum(tenants.map((tenant) => tenant.unread ?? 0));
  const types = unknownRecordsOf(tenants);
  const problems = [survey, ...tenants].flatMap((one) => one.problems ?? []);
  const gone = [survey, ...tenants].flatMap((one) => one.gone ?? []).sort(newestFirst);
  return withoutUnknown({
    key,
    name,
    format,
    path,
    failure,
    sessions: failure === undefined ? sum(tenants.map(({ sessions }) => sessions)) : undefined,
    unread,
    isComplete: failure === undefined && unread === 0,
    files: totalOf(tenants.map(({ files }) => files)),
    bytes: totalOf(tenants.map(({ bytes }) => bytes)),
    oldest: instantText(
      tenants.map(({ oldest }) => oldest ?? Number.POSITIVE_INFINITY),
      Math.min,
    ),
    newest: instantText(
      tenants.map(({ newest }) => newest ?? Number.NEGATIVE_INFINITY),
      Math.max,
    ),
    verified,
    versions: versionsOf(tenants, verified).slice(0, MOST_VERSIONS),
    unknownRecords: types.slice(0, MOST_TYPES),
    unknownRecordCount: sum(types.map(({ records }) => records)),
    problems: problems.slice(0, MOST_PROBLEMS),
    problemCount: problems.length,
    retention: retentionOf(survey),
    gone: gone.slice(0, MOST_GONE),
    goneCount: gone.length,
  });
}

function withoutUnknown<T extends object>(
  report: { readonly [Member in keyof T]: T[Member] | undefined },
): T {
  return Object.fromEntries(Object.entries(report).filter(([, value]) => value !== undefined)) as T;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function totalOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.length === 0 ? undefined : sumOf(counts);
}

function instantText(
  instants: readonly number[],
  choose: (a: number, b: number) => number,
): string | undefined {
  const chosen = instants.length === 0 ? Number.NaN : instants.reduce((a, b) => choose(a, b));
  return Number.isFinite(chosen) ? formatInstant(chosen) : undefined;
}

function versionsOf(tenants: readonly TenantSurvey[], verified: string | undefined): WriterVersion[] {
  const counts = new Map<string, number>();
  for (const { versions = [] } of tenants) {
    for (const { version, sessions } of versions) {
      counts.set(version, (counts.get(version) ?? 0) + sessions);
    }
  }
  return [...counts]
    .map(([version, sessions]) => ({
      version,
      sessions,
      isNewer: verified !== undefined && compareVersions(version, verified) > 0,
    }))
    .sort((a, b) => compareVersions(b.version, a.version));
}

/** Compares versions by their numbers; a suffix comes first: `1.0.0-rc1`, `1.0.0`. */
function compareVersions(a: string, b: string): number {
  const [numbersA, numbersB] = [numbersOf(a), numbersOf(b)];
  for (let i = 0; i < Math.max(numbersA.length, numbersB.length); i++) {
    const difference = (numbersA[i] ?? 0) - (numbersB[i] ?? 0);
    if (difference !== 0) return difference;
  }
  const [suffixA, suffixB] = [a, b].map((one) => /-.*$/.exec(one)?.[0] ?? "\uffff");
  return suffixA! < suffixB! ? -1 : suffixA! > suffixB! ? 1 : 0;
}

function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);
}

function unknownRecordsOf(tenants: readonly TenantSurvey[]): UnknownRecords[] {
  const byType = new Map<string, UnknownRecords>();
  for (const { tenantId, unknownRecords = [] } of tenants) {
    for (const { type, records, sessions, sessionId } of unknownRecords) {
      const before = byType.get(type) ?? { records: 0, sessions: 0, example: { tenantId, sessionId } };
      byType.set(type, {
        type,
        records: before.records + records,
        sessions: before.sessions + sessions,
        example: before.example,
      });
    }
  }
  return [...byType.values()].sort((a, b) => b.records - a.records);
}

function retentionOf({ retention, dueWithinDays, tenants }: SourceSurvey): SourceRetention | undefined {
  if (retention === undefined || dueWithinDays === undefined) return retention;
  const due = tenants.flatMap((tenant) => tenant.due ?? []);
  const first = due.flatMap((one) => one.first ?? []).sort()[0];
  return {
    ...retention,
    due: {
      withinDays: dueWithinDays,
      sessions: sum(due.map(({ sessions }) => sessions)),
      bytes: sum(due.map(({ bytes }) => bytes)),
      ...(first === undefined ? {} : { first }),
    },
  };
}

function newestFirst(a: GoneSession, b: GoneSession): number {
  const [at, bt] = [a.lastActive ?? "", b.lastActive ?? ""];
  return at < bt ? 1 : at > bt ? -1 : 0;
}
