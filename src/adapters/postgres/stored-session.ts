import { SourceChangedError } from "../../application/errors.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { readAllRecords } from "../../application/sources/record-streams.js";
import { runInSlices } from "../../application/threads/slices.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import type { OrchestrationSnapshot } from "../../domain/trace/orchestration.js";
import { replayInSteps } from "../../domain/trace/replay-orchestration.js";
import type { Database } from "./database.js";
import type { Row, RunQuery } from "./lease.js";
import type { RecordList, RecordRange } from "./stored-records.js";
import { idsOf } from "./stored-values.js";
import { streamRecords } from "./stream-records.js";

/** Records are only added, so that the ranges are a snapshot that can be read later. */
export interface StoredSession {
  /** Changes if a session is deleted and written again. */
  readonly incarnation: string;
  readonly revision: string;
  readonly lists: { readonly [list in RecordList]: RecordRange };
}

export async function findSession(
  database: Database,
  session: SessionKey,
  options?: ReadOptions,
): Promise<StoredSession | undefined> {
  const [row] = await database.query(
    `SELECT incarnation, revision, trace_size, orchestration_size, log_size, messages_first, messages_size
      FROM ${database.schema}.sessions WHERE tenant_id = $1 AND session_id = $2`,
    idsOf(session),
    options,
  );
  if (row === undefined) return undefined;
  return { incarnation: row.incarnation!, revision: row.revision!, lists: listsOf(session, row) };
}

function listsOf({ tenantId, sessionId }: SessionKey, row: Row = {}): StoredSession["lists"] {
  const range = (list: RecordList, first = 0): RecordRange => {
    const size = Number(row[`${list}_size`] ?? 0);
    return { list, tenantId, sessionId, first, size, incarnation: row.incarnation ?? undefined };
  };
  return {
    trace: range("trace"),
    orchestration: range("orchestration"),
    messages: range("messages", Number(row.messages_first ?? 0)),
    log: range("log"),
  };
}

/**
 * Replays the events after the checkpoint.
 * @throws SourceChangedError if the checkpoint is newer than the opened session
 */
export async function readState(
  database: Database,
  { revision, lists: { orchestration } }: StoredSession,
  options: ReadOptions = {},
): Promise<OrchestrationSnapshot | null> {
  const [row] = await database.query(
    `SELECT event_count, record, revision <= $3 AS is_known FROM ${database.schema}.orchestration_checkpoints
      WHERE tenant_id = $1 AND session_id = $2`,
    [...idsOf(orchestration), revision],
    options,
  );
  if (row?.is_known === "f")
    throw new SourceChangedError("The session was imported while it was being read.");
  const covered = Number(row?.event_count ?? 0);
  const behind = {
    ...orchestration,
    first: orchestration.first + covered,
    size: orchestration.size - covered,
  };
  const later = await readAllRecords<unknown>(streamRecords(database, behind, options), options);
  const checkpoint = row === undefined ? null : (JSON.parse(row.record!) as OrchestrationSnapshot);
  if (later.length === 0) return checkpoint;
  if (checkpoint === null) return runInSlices(replayInSteps(null, later), options.signal);
  // With `lastEventId` the replay would search for the event; `event_count` already selects the later ones.
  const { lastEventId, ...state } = checkpoint;
  const replayed = await runInSlices(replayInSteps(state, later), options.signal);
  return lastEventId === undefined ? replayed : { lastEventId, ...replayed };
}

export async function saveCheckpoint(
  query: RunQuery,
  schema: string,
  session: SessionKey,
  eventCount: number,
  snapshot: string,
): Promise<void> {
  const ids = idsOf(session);
  const [row] = await query(
    `UPDATE ${schema}.sessions SET revision = revision + 1 WHERE tenant_id = $1 AND session_id = $2 RETURNING revision`,
    ids,
  );
  const values = [...ids, row?.revision, eventCount, snapshot];
  // The row's lock protects this. `ON CONFLICT … DO UPDATE` needs a unique index, which distributed tables lack.
  const [replaced] = await query(
    `UPDATE ${schema}.orchestration_checkpoints SET revision = $3, event_count = $4, record = $5
      WHERE tenant_id = $1 AND session_id = $2 RETURNING revision`,
    values,
  );
  if (replaced !== undefined) return;
  await query(
    `INSERT INTO ${schema}.orchestration_checkpoints (tenant_id, session_id, revision, event_count, record)
      VALUES ($1, $2, $3, $4, $5)`,
    values,
  );
}
