import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { OrchestrationSnapshot } from "../../domain/orchestration.js";
import { replayOrchestration } from "../../domain/replay-orchestration.js";
import type { Database } from "./database.js";
import { toStoredText } from "./stored-text.js";

/** The state after a session's orchestration events: that of its checkpoint, with the events behind it replayed on top. */
export async function readState(
  database: Database,
  session: SessionKey,
  events: readonly unknown[],
  options?: ReadOptions,
): Promise<OrchestrationSnapshot | null> {
  const [row] = await database.query(
    `SELECT event_count, record FROM ${database.schema}.orchestration_checkpoints
      WHERE tenant_id = $1 AND session_id = $2`,
    idsOf(session),
    options,
  );
  if (row === undefined) return events.length === 0 ? null : replayOrchestration(null, events);
  const checkpoint = JSON.parse(row.record!) as OrchestrationSnapshot;
  const later = events.slice(Number(row.event_count));
  if (later.length === 0) return checkpoint;
  // Which events the checkpoint covers is known by their number; its last event's id need not be looked for.
  const { lastEventId, ...state } = checkpoint;
  return { ...(lastEventId === undefined ? {} : { lastEventId }), ...replayOrchestration(state, later) };
}

/** Keeps a state that the events alone do not give. */
export async function saveCheckpoint(
  database: Database,
  session: SessionKey,
  eventCount: number,
  snapshot: OrchestrationSnapshot,
): Promise<void> {
  const { schema } = database;
  const ids = idsOf(session);
  await database.transaction(async (query) => {
    await query(
      // The item says nothing of the state: where its text was that of the revision before, it is that of this one.
      `UPDATE ${schema}.sessions SET revision = revision + 1, item_revision = item_revision + 1
        WHERE tenant_id = $1 AND session_id = $2`,
      ids,
    );
    await query(
      `INSERT INTO ${schema}.orchestration_checkpoints (tenant_id, session_id, event_count, record)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (tenant_id, session_id) DO UPDATE SET event_count = $3, record = $4`,
      [...ids, eventCount, JSON.stringify(snapshot)],
    );
  });
}

function idsOf({ tenantId, sessionId }: SessionKey): string[] {
  return [toStoredText(tenantId), toStoredText(sessionId)];
}
