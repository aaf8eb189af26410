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
  const values = [...ids, randomUUID(), ...columns.values()];
  await query(
    `INSERT INTO ${schema}.sessions (tenant_id, session_id, incarnation, ${[...columns.keys()].join(", ")})
      VALUES (${values.map((_, i) => `$${i + 1}`).join(", ")}) ON CONFLICT (tenant_id, session_id) DO NOTHING`,
    values,
  );
  const [created] = await query(lock, ids);
  return toSummary(created!);
}

/** Writes the summary of a session whose lock is held. */
export async function saveSession(query: Query, schema: string, summary: SessionSummary): Promise<void> {
  const columns = toColumns(summary);
  const names = [...columns.keys()].filter((name) => name !== "place");
  const values = [
    toStoredText(summary.tenantId),
    toStoredText(summary.sessionId),
    ...names.map((name) => columns.get(name)),
  ];
  await query(
    `UPDATE ${schema}.sessions SET revision = revision + 1, ${names.map((name, i) => `${name} = $${i + 3}`).join(", ")}
      WHERE tenant_id = $1 AND session_id = $2`,
    values,
  );
}
