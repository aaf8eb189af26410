import { SourceChangedError } from "../../application/errors.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import type { Database } from "./database.js";
import { SessionImport } from "./import-session.js";
import { SessionWriter } from "./session-writer.js";

export interface ImportProgress {
  /** How many sessions are done, of how many. */
  readonly sessions: number;
  readonly totalSessions: number;
  /** What was copied so far, without what was there already. */
  readonly records: number;
  readonly bytes: number;
}

export interface ImportReport extends ImportProgress {
  /** Sessions that are not, or not whole, in the database, each with the reason. */
  readonly skipped: readonly SkippedSession[];
}

export interface SkippedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly reason: string;
}

export interface ImportOptions extends ReadOptions {
  /** Told after every batch of records and every session. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** How many sessions are copied at a time. */
const AT_A_TIME = 4;

/**
 * Copies every session of a source into the database, records byte for byte. It can be broken off and started again: it
 * goes on where it was, and copies what the source has got since.
 */
export async function importSessions(
  source: InspectorDataSource,
  database: Database,
  { onProgress, signal }: ImportOptions = {},
): Promise<ImportReport> {
  const writer = new SessionWriter(database, {
    retryForMs: 30_000,
    maxWaitingBytes: Number.POSITIVE_INFINITY,
  });
  const items = await source.listSessions({ signal });
  const progress = { sessions: 0, totalSessions: items.length, records: 0, bytes: 0 };
  const skipped: SkippedSession[] = [];
  const session = new SessionImport(source, database, writer, (records, bytes) => {
    progress.records += records;
    progress.bytes += bytes;
    onProgress?.({ ...progress });
  });
  const copy = async (item: InspectorSessionItem) => {
    signal?.throwIfAborted();
    const reason = await session.run(item, { signal }).catch((error: unknown) => {
      if (error instanceof SourceChangedError) return "changed while it was being read";
      throw error;
    });
    if (reason !== undefined) skipped.push({ tenantId: item.tenantId, sessionId: item.sessionId, reason });
    progress.sessions++;
    onProgress?.({ ...progress });
  };
  const waiting = items.values();
  let hasFailed = false;
  const copyNext = async () => {
    for (const item of waiting) {
      if (hasFailed) return;
      await copy(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  // Whoever asked is told when nothing is being written any more.
  const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, copyNext));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { ...progress, skipped };
}
