import {
  faultText,
  ReadingLimitError,
  SourceChangedError,
  SourceUnavailableError,
} from "../../../application/errors.js";
import type { RecordWarning } from "../../../application/ports/record-stream.js";
import type { SessionFacts } from "../../../domain/facts/session-facts.js";
import { faultReason } from "../../files/bytes/line.js";
import type { ExtraWork } from "../../files/bytes/reading-budget.js";
import { cacheKey, type DiskCache } from "../../files/cache/disk-cache.js";
import { extentOf } from "../../files/search/search-order.js";
import type { FolderLookup } from "../folder/discovered-once.js";
import { identitiesOf } from "../folder/file-lookups.js";
import type { TranscriptFormat } from "../folder/format.js";
import type { AgentNote, TranscriptFileGroup } from "../folder/transcript-files.js";
import { callsOfSession } from "../trace/session-calls.js";
import type { SessionFileReader } from "../trace/session-file-reader.js";
import { summariesOf, summarizeSession, type TranscriptSummary, unknownSummary } from "./session-summary.js";
import { factsIn, factsOf } from "./transcript-facts.js";

export interface FolderTenants {
  readonly tenants: readonly string[];
  readonly warnings: readonly RecordWarning[];
}

export interface TenantTranscripts {
  readonly sessions: readonly TranscriptFileGroup[];
  readonly identities: Float64Array;
  readonly warnings: readonly RecordWarning[];
  /** Number of sessions before the next part; absent for the last part. */
  readonly next?: number;
}

interface DiscoveredTenant {
  readonly key: string;
  readonly sessions: readonly TranscriptFileGroup[];
  readonly warnings: readonly RecordWarning[];
}

/** The host needs some milliseconds to create their objects. */
const DISCOVERED_AT_ONCE = 1_000;

export interface SessionWithFacts {
  readonly summary: TranscriptSummary | null;
  readonly facts: SessionFacts | null;
}

interface ListedFrom {
  readonly cache?: DiskCache | undefined;
  readonly ofList?: ExtraWork | undefined;
}

const GONE: SessionWithFacts = { summary: null, facts: null };

/** Approximate, per file and list: some seconds of work. The next list continues. */
const SUMMED_UP_AT_ONCE = 500_000;

export class TranscriptList {
  readonly #root: string;
  readonly #format: TranscriptFormat;
  readonly #files: SessionFileReader;
  #discovered: DiscoveredTenant | undefined;

  constructor(root: string, format: TranscriptFormat, files: SessionFileReader) {
    this.#root = root;
    this.#format = format;
    this.#files = files;
  }

  *tenants(lookup: FolderLookup): Generator<unknown, FolderTenants> {
    const warnings: RecordWarning[] = [];
    const warn = (warning: RecordWarning) => warnings.push(warning);
    return { tenants: yield* this.#format.folder.tenants(this.#root, { ...lookup, warn }), warnings };
  }

  /**
   * Empty if the folder cannot be read, or the format fails.
   * @param from number of sessions that the caller has; it continues until there is no `next`
   */
  *discover(tenantId: string, lookup: FolderLookup = {}, from = 0): Generator<unknown, TenantTranscripts> {
    try {
      const { sessions, warnings } = yield* this.#tenant(tenantId, lookup, from);
      const part = sessions.slice(from, from + DISCOVERED_AT_ONCE);
      const identities = yield* this.#identitiesOf(part, lookup);
      const next = from + part.length;
      if (next < sessions.length) return { sessions: part, identities, warnings: [], next };
      this.#discovered = undefined;
      return { sessions: part, identities, warnings };
    } catch (error) {
      if (error instanceof SourceChangedError) throw error;
      const reason = error instanceof SourceUnavailableError ? error.message : faultReason(error);
      return {
        sessions: [],
        identities: new Float64Array(),
        warnings: [{ file: tenantId, line: 1, reason }],
      };
    }
  }

  *#tenant(tenantId: string, lookup: FolderLookup, from: number): Generator<unknown, DiscoveredTenant> {
    const key = `${lookup.since} ${tenantId}`;
    if (from > 0 && this.#discovered?.key === key) return this.#discovered;
    const warnings: RecordWarning[] = [];
    const warn = (warning: RecordWarning) => warnings.push(warning);
    const sessions = yield* this.#format.folder.discover(this.#root, tenantId, { ...lookup, warn });
    this.#discovered = { key, sessions, warnings };
    return this.#discovered;
  }

  #identitiesOf(
    sessions: readonly TranscriptFileGroup[],
    lookup?: FolderLookup,
  ): Generator<void, Float64Array> {
    return identitiesOf(this.#root, sessions.flatMap(pathsOf), this.#format.folder.packed, lookup);
  }

  *find(tenantId: string, sessionId: string): Generator<unknown, TenantTranscripts> {
    const session = yield* findSession(this.#root, this.#format, tenantId, sessionId);
    const sessions = session === undefined ? [] : [session];
    return { sessions, identities: yield* this.#identitiesOf(sessions), warnings: [] };
  }

  *summarize(
    sessions: readonly TranscriptFileGroup[],
    { cache, ofList }: ListedFrom = {},
  ): Generator<unknown, (TranscriptSummary | null)[]> {
    const summaries: (TranscriptSummary | null)[] = [];
    for (const session of sessions) {
      summaries.push((yield* this.#sumUp(session, { cache, ofList }, false)).summary);
      yield;
    }
    return summaries;
  }

  *readFacts(
    sessions: readonly TranscriptFileGroup[],
    { cache, ofList }: ListedFrom = {},
  ): Generator<unknown, SessionWithFacts[]> {
    const read: SessionWithFacts[] = [];
    for (const session of sessions) {
      read.push(yield* this.#sumUp(session, { cache, ofList }, true));
      yield;
    }
    return read;
  }

  /** Without a cache, facts are computed only on request, which reads the files again. */
  *#sumUp(
    session: TranscriptFileGroup,
    { cache, ofList }: ListedFrom,
    withFacts: boolean,
  ): Generator<unknown, SessionWithFacts> {
    try {
      const key =
        cache &&
        cacheKey(session.files[0].path, JSON.stringify(session), yield* this.#identitiesOf([session]));
      const { files, warnings } = yield* this.#files.read(session, false, {
        linesAtOnce: SUMMED_UP_AT_ONCE,
        ofList,
      });
      if (files.length === 0) return GONE;
      const calls = callsOfSession(files);
      let notes: ReadonlyMap<string, AgentNote> | undefined;
      const notesOf = () => {
        notes ??= this.#files.notes(session);
        return notes;
      };
      const summary = summarizeSession(files, calls, this.#format, warnings, notesOf);
      const isComplete = summary.isComplete && files.length === session.files.length;
      const isCached = cache !== undefined && key?.isSettled === true && isComplete;
      const facts = withFacts || isCached ? factsOf(files, calls, this.#format, notesOf) : null;
      if (isCached) {
        cache.add(summariesOf(this.#format.name), key, summary);
        cache.add(factsIn(this.#format.name), key, facts!);
      }
      return { summary, facts: withFacts ? facts : null };
    } catch (error) {
      // An error affects only its session in the list. Opening the session reports the reason.
      const mayPass = error instanceof SourceUnavailableError || error instanceof SourceChangedError;
      const { modifiedAt } = extentOf(yield* this.#identitiesOf([session]));
      if (error instanceof ReadingLimitError)
        return { summary: unknownSummary(Math.floor(modifiedAt), { unread: error.message }), facts: null };
      const because = mayPass ? { unavailable: error.message } : { fault: faultText(error) };
      return { summary: unknownSummary(Math.floor(modifiedAt), because), facts: null };
    }
  }
}

export function* findSession(
  root: string,
  format: TranscriptFormat,
  tenantId: string,
  sessionId: string,
): Generator<unknown, TranscriptFileGroup | undefined> {
  const { folder } = format;
  const session =
    folder.locate === undefined
      ? (yield* folder.discover(root, tenantId)).find((one) => one.sessionId === sessionId)
      : yield* folder.locate(root, tenantId, sessionId);
  if (session === undefined) return undefined;
  const { relatives } = folder;
  return { ...session, relatives: relatives === undefined ? [] : yield* relatives(root, session) };
}

function pathsOf(session: TranscriptFileGroup): string[] {
  return [session, ...session.relatives].flatMap(({ files }) => files.map(({ path }) => path));
}
