import { randomUUID } from "node:crypto";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { Query } from "./lease.js";
import { newSummary, type SessionSummary, SUMMARY_COLUMNS, toColumns, toSummary } from "./session-summary.js";
import { toStoredText } from "./stored-text.js";

/** The session's summary, locked until the transaction ends; a new one where there is none. */
export async function lockSession(
  query: Query,
  schema: string,
  { tenantId, sessionId }: SessionKey,
): Promise<SessionSummary> {
  const ids = [toStoredText(tenantId), toStoredText(sessionId)];
  const lock = `SELECT ${SUMMARY_COLUMNS} FROM ${schema}.sessions
    WHERE tenant_id = $1 AND session_id = $2 FOR UPDATE`;
  const [known] = await query(lock, ids);
  if (known !== undefined) return toSummary(known);
  const columns = toColumns(newSummary(tenantId, sessionId, Date.now()));
  const values = [randomUUID(), ...columns.values()];
  await query(
    `INSERT INTO ${schema}.sessions (revision, item_revision, incarnation, ${[...columns.keys()].join(", ")})
      VALUES (0, 0, ${values.map((_, i) => `$${i + 1}`).join(", ")}) ON CONFLICT (tenant_id, session_id) DO NOTHING`,
    values,
  );
  const [created] = await query(lock, ids);
  return toSummary(created!);
}

/** Columns that stay as they are for as long as there is a session. */
const FIXED = new Set(["tenant_id", "session_id", "place"]);

/** Writes the summary of a session whose lock is held. The text of its item is that of the new revision. */
export async function saveSession(query: Query, schema: string, summary: SessionSummary): Promise<void> {
  const columns = toColumns(summary);
  const names = [...columns.keys()].filter((name) => !FIXED.has(name));
  const values = ["tenant_id", "session_id", ...names].map((name) => columns.get(name));
  await query(
    `UPDATE ${schema}.sessions SET revision = revision + 1, item_revision = revision + 1,
        ${names.map((name, i) => `${name} = $${i + 3}`).join(", ")}
      WHERE tenant_id = $1 AND session_id = $2`,
    values,
  );
}
