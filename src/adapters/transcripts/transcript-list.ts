import { faultText, SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import { faultReason } from "../files/bytes/line.js";
import { cacheKey, type DiskCache } from "../files/cache/disk-cache.js";
import { extentOf } from "../files/search/search-order.js";
import { identitiesOf } from "./file-lookups.js";
import type { TranscriptFormat } from "./format.js";
import type { FolderLookup } from "./found-once.js";
import type { SessionFileReader } from "./session-file-reader.js";
import { summariesOf, summarizeSession, type TranscriptSummary, unknownSummary } from "./session-summary.js";
import type { FoundSession } from "./transcript-files.js";

export interface TenantTranscripts {
  readonly sessions: readonly FoundSession[];
  /** Of their files and of their relatives', session by session. */
  readonly identities: Float64Array;
  /** Why there may be more of them. */
  readonly warning?: RecordWarning;
}

/** How many lines of a file one list sums up, about: some seconds of work. The next list goes on from there. */
const SUMMED_UP_AT_ONCE = 500_000;

/** What a thread reads of one folder of transcripts for the list of its sessions. */
export class TranscriptList {
  readonly #root: string;
  readonly #format: TranscriptFormat;
  readonly #files: SessionFileReader;

  constructor(root: string, format: TranscriptFormat, files: SessionFileReader) {
    this.#root = root;
    this.#format = format;
    this.#files = files;
  }

  /** The sessions of a tenant, as they are now; none where its folder cannot be read, or made the format fail. */
  *discover(tenantId: string, lookup?: FolderLookup): Generator<unknown, TenantTranscripts> {
    try {
      const sessions = yield* this.#format.folder.discover(this.#root, tenantId, lookup);
      return { sessions, identities: yield* this.#identitiesOf(sessions) };
    } catch (error) {
      if (error instanceof SourceChangedError) throw error;
      const reason = error instanceof SourceUnavailableError ? error.message : faultReason(error);
      const warning = { file: tenantId, line: 1, reason };
      return { sessions: [], identities: new Float64Array(), warning };
    }
  }

  #identitiesOf(sessions: readonly FoundSession[]): Generator<void, Float64Array> {
    return identitiesOf(this.#root, sessions.flatMap(pathsOf), this.#format.folder.packed);
  }

  /** One session of a tenant, as it is now, found without the others; none where it is not there. */
  *find(tenantId: string, sessionId: string): Generator<unknown, TenantTranscripts> {
    const session = yield* findSession(this.#root, this.#format, tenantId, sessionId);
    const sessions = session === undefined ? [] : [session];
    return { sessions, identities: yield* this.#identitiesOf(sessions) };
  }

  /** What the files of some sessions sum up to; `null` for one that has none any more. */
  *summarize(
    sessions: readonly FoundSession[],
    cache?: DiskCache,
  ): Generator<unknown, (TranscriptSummary | null)[]> {
    const summaries: (TranscriptSummary | null)[] = [];
    for (const session of sessions) {
      summaries.push(yield* this.#summarize(session, cache));
      yield;
    }
    return summaries;
  }

  *#summarize(
    session: FoundSession,
    cache: DiskCache | undefined,
  ): Generator<unknown, TranscriptSummary | null> {
    try {
      const key =
        cache &&
        cacheKey(session.files[0].path, JSON.stringify(session), yield* this.#identitiesOf([session]));
      const { files, warnings } = yield* this.#files.read(session, false, SUMMED_UP_AT_ONCE);
      if (files.length === 0) return null;
      const summary = summarizeSession(files, this.#format, warnings, () => this.#files.notes(session));
      // A file that could not be read just now may be read the next time.
      const isWhole = summary.isComplete && files.length === session.files.length;
      if (key !== undefined && isWhole) cache?.add(summariesOf(this.#format.name), key, summary);
      return summary;
    } catch (error) {
      // In the list, no error of one session takes another one. Opening it reports the reason.
      const mayPass = error instanceof SourceUnavailableError || error instanceof SourceChangedError;
      const { modifiedAt } = extentOf(yield* this.#identitiesOf([session]));
      return unknownSummary(
        Math.floor(modifiedAt),
        mayPass ? { unavailable: error.message } : { fault: faultText(error) },
      );
    }
  }
}

export function* findSession(
  root: string,
  format: TranscriptFormat,
  tenantId: string,
  sessionId: string,
): Generator<unknown, FoundSession | undefined> {
  const session = yield* format.folder.locate(root, tenantId, sessionId);
  if (session === undefined) return undefined;
  const { relatives } = format.folder;
  return { ...session, relatives: relatives === undefined ? [] : yield* relatives(root, session) };
}

/** The files that a session's summary is made of: its own, and those of its relatives. */
function pathsOf(session: FoundSession): string[] {
  return [session, ...session.relatives].flatMap(({ files }) => files.map(({ path }) => path));
}
