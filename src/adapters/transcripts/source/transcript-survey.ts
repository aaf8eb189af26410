import path from "node:path";
import type { RecordWarning } from "../../../application/ports/record-stream.js";
import type { SourceSurvey, SurveyedSession } from "../../../application/ports/source-survey.js";
import { problemsOf } from "../../../application/sources/source-surveys.js";
import { tenantSurveys } from "../../../application/sources/tenant-surveys.js";
import type { GoneSession, SourceProblem, SourceRetention } from "../../../domain/session/source-report.js";
import { formatInstant } from "../../../domain/trace/instant.js";
import { sessionFault } from "../../files/bytes/line.js";
import type { Containers } from "../folder/file-lookups.js";
import type { CachedSurroundings, IndexedSession } from "../folder/session-indexes.js";
import type { HistoryWriter, RetentionRule } from "../folder/surroundings.js";
import type { TranscriptSession } from "./transcript-strategy.js";

const DUE_WITHIN_DAYS = 7;

const DAY_MS = 86_400_000;

export interface SurveyedFolder {
  readonly containers?: Containers | undefined;
  readonly sessions: readonly TranscriptSession[];
  readonly warnings: readonly RecordWarning[];
  readonly surroundings: CachedSurroundings;
  readonly writer: HistoryWriter | undefined;
  readonly tenants: readonly string[] | undefined;
}

/** @param now in milliseconds since the epoch */
export function* surveyTranscripts(folder: SurveyedFolder, now: number): Generator<void, SourceSurvey> {
  const { sessions, warnings, surroundings, writer } = folder;
  const rule = writer?.retention;
  const retention = rule && retentionOf(rule, surroundings);
  const dueAt = dueOf(rule, retention?.days, now);
  const gone = goneOf(folder);
  const extentOf = folder.containers === undefined ? ownExtentOf : containerExtents(folder.containers);
  const tenants = yield* tenantSurveys(surveyed(sessions, dueAt, extentOf), gone);
  return {
    name: writer?.title,
    format: writer?.name,
    verified: writer?.verified,
    problems: problemsOf([...warnings, ...surroundings.warnings]),
    retention,
    dueWithinDays: retention?.days === undefined ? undefined : DUE_WITHIN_DAYS,
    gone: folder.tenants === undefined ? gone.filter(({ tenantId }) => tenantId === undefined) : [],
    tenants,
  };
}

/** A tool deletes only in its own folder. */
function retentionOf(
  { rule }: RetentionRule,
  { retention: stated }: CachedSurroundings,
): Omit<SourceRetention, "due"> | undefined {
  if (rule === "keeps") return { rule };
  if (stated === undefined) return undefined;
  const { isOff, days, statedIn } = stated;
  return isOff ? { rule: "keeps", statedIn } : { rule, statedIn, ...(days === undefined ? {} : { days }) };
}

function dueOf(
  rule: RetentionRule | undefined,
  days: number | undefined,
  now: number,
): (session: TranscriptSession) => number | undefined {
  if (rule?.rule !== "deletes" || days === undefined) return () => undefined;
  const last = now + DUE_WITHIN_DAYS * DAY_MS;
  return (session) => {
    const used = rule.by === "file" ? session.modifiedAt(0) : session.estimate;
    const dueAt = used + days * DAY_MS;
    return dueAt <= last ? dueAt : undefined;
  };
}

function* surveyed(
  sessions: readonly TranscriptSession[],
  dueAt: (session: TranscriptSession) => number | undefined,
  extentOf: (session: TranscriptSession) => Pick<SurveyedSession, "files" | "bytes">,
): Generator<SurveyedSession, void> {
  for (const session of sessions) {
    const { tenantId, sessionId, summary, estimate } = session;
    yield {
      tenantId,
      sessionId,
      isUnread: !session.isRead || (summary?.isComplete === false && summary.unavailable === undefined),
      ...extentOf(session),
      oldest: summary?.createdAt,
      newest: estimate,
      versions: summary?.versions,
      unknownTypes: summary?.unknownTypes,
      problems: problemsIn(session),
      dueAt: dueAt(session),
    };
  }
}

function ownExtentOf(session: TranscriptSession): Pick<SurveyedSession, "files" | "bytes"> {
  return session.ownExtent((file) => session.place.files[file]!.inheritedTo === undefined);
}

/** A database or an archive counts for its first session. */
function containerExtents(containers: Containers) {
  const counted = new Set<string>();
  return (session: TranscriptSession): Pick<SurveyedSession, "files" | "bytes"> => {
    const within = session.place.files.map((file) => containers.get(path.dirname(file.path)));
    let { files, bytes } = session.ownExtent((file) => within[file] === undefined);
    for (const container of within) {
      if (container === undefined || counted.has(container.path)) continue;
      counted.add(container.path);
      files++;
      bytes += container.size;
    }
    return { files, bytes };
  };
}

function problemsIn({ fault, summary }: TranscriptSession): Omit<SourceProblem, "session">[] {
  if (fault !== undefined) return [{ reason: sessionFault(fault), count: 1 }];
  if (summary?.unavailable !== undefined) return [{ reason: summary.unavailable, count: 1 }];
  return (summary?.problems ?? []).map(({ file, line, reason, count }) => ({ reason, count, file, line }));
}

function goneOf({ sessions, warnings, surroundings, tenants }: SurveyedFolder): GoneSession[] {
  const own = tenants && new Set(tenants);
  const unreadable = new Set(warnings.map(({ file }) => file));
  const here = new Set<string>();
  for (const { sessionId, place } of sessions) {
    here.add(sessionId);
    for (const { agentId } of place.files) here.add(agentId);
  }
  const gone: GoneSession[] = [];
  for (const one of surroundings.named) {
    const { sessionId, tenantId = "" } = one;
    if (here.has(sessionId) || unreadable.has(tenantId) || own?.has(tenantId) === false) continue;
    here.add(sessionId); // The first index counts.
    gone.push(goneSession(one));
  }
  return gone;
}

function goneSession({ sessionId, tenantId, title, directory, at, namedIn }: IndexedSession): GoneSession {
  return {
    sessionId,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(title === undefined ? {} : { title }),
    ...(directory === undefined ? {} : { directory }),
    ...(at === undefined ? {} : { lastActive: formatInstant(at) }),
    namedIn,
  };
}
