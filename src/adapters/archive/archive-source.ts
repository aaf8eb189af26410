import type { ArchiveLines } from "../../application/ports/export.js";
import type {
  InspectorDataSource,
  SessionPage,
  SessionSearch,
} from "../../application/ports/inspector-data-source.js";
import type { RecordSearch, RecordSearchPage } from "../../application/ports/record-search.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionSource } from "../../application/ports/session-source.js";
import type { SourceSurvey, SurveyRequest } from "../../application/ports/source-survey.js";
import { asDataSource } from "../../application/sources/lift.js";
import { type ListedItems, listedItems } from "../../application/sources/listed-items.js";
import { listCandidates, matcherOf, selectSessions } from "../../application/sources/select-sessions.js";
import { surveysOfList } from "../../application/sources/source-surveys.js";
import { runInSlices } from "../../application/threads/slices.js";
import type { ArchiveHead } from "../../domain/archive/archive-record.js";
import { keyText } from "../../domain/session/session-key.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import { ArchiveReader } from "./archive-reader.js";

export interface OpenedArchive {
  /** Every answer is that of the original source at the export. There is nothing to close. */
  readonly source: InspectorDataSource;
  readonly head: ArchiveHead;
}

/**
 * Reads an archive once, and retains its texts in memory. Needs no files and no threads.
 * @throws ArchiveError for data that is not an archive, is truncated, or has a later version
 * @example
 * const { source, head } = await openArchive(unpackArchive(bytes));
 * const app = createInspectorRoute(source, { prices: head.prices });
 */
export async function openArchive(lines: ArchiveLines, options: ReadOptions = {}): Promise<OpenedArchive> {
  const reader = new ArchiveReader();
  for await (const batch of lines) await runInSlices(addLines(reader, batch), options.signal);
  const head = await runInSlices(reader.end(), options.signal);
  const sessions = Array.from(reader.histories.values(), ({ session }) => session);
  const listed = await runInSlices(listedItems(sessions, "archive"), options.signal);
  const revision = await runInSlices(revisionOf(reader, head), options.signal);
  return { source: asDataSource(new ArchiveSource(reader, listed, revision)), head };
}

/** Session by session: the text of all of them may be too long for a string. */
function* revisionOf({ histories }: ArchiveReader, head: ArchiveHead): Generator<void, string> {
  const parts = [longFingerprint(JSON.stringify(head))];
  for (const { session, revision = null } of histories.values()) {
    parts.push(longFingerprint(JSON.stringify([session, revision])));
    yield;
  }
  return longFingerprint(parts.join());
}

function* addLines(reader: ArchiveReader, lines: readonly string[]): Generator<void, void> {
  for (const line of lines) {
    reader.add(line);
    yield;
  }
}

class ArchiveSource implements SessionSource {
  readonly capabilities = {
    surveys: false,
    searchesRecords: false,
    knowsRevision: true,
    concurrentReads: Number.POSITIVE_INFINITY,
  };
  readonly #histories: ArchiveReader["histories"];
  readonly #listed: ListedItems;
  readonly #revision: string;

  constructor({ histories, warnings }: ArchiveReader, listed: ListedItems, revision: string) {
    this.#histories = histories;
    this.#listed = { items: listed.items, warnings: [...warnings.list, ...listed.warnings] };
    this.#revision = revision;
  }

  async openSession(
    tenantId: string,
    sessionId: string,
    options: ReadOptions = {},
  ): Promise<SessionSnapshot | undefined> {
    options.signal?.throwIfAborted();
    return this.#histories.get(keyText({ tenantId, sessionId }))?.open(options);
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<SessionPage> {
    const selected = await runInSlices(selectSessions(this.#listed.items, search), options?.signal);
    const isRequested = matcherOf({ tenantId: search.tenantId, tenants: search.tenants });
    return {
      items: selected.map((session) => ({ ...session })),
      total: this.#listed.items.filter(isRequested).length,
      unread: 0,
      warnings: this.#listed.warnings,
    };
  }

  findCandidates(search: RecordSearch, options?: ReadOptions): Promise<RecordSearchPage> {
    return listCandidates(this, search, options);
  }

  async revision(): Promise<string> {
    return this.#revision;
  }

  survey(request: SurveyRequest, options?: ReadOptions): Promise<readonly SourceSurvey[]> {
    return surveysOfList(this, request, options);
  }
}
