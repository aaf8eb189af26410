import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import type { ListedSession } from "../../domain/usage/model-usage.js";
import type { Row, RunQuery } from "./lease.js";
import { keyOfId, RECORD_TABLES, type RecordList } from "./stored-records.js";
import { listsOf } from "./stored-session.js";
import { idsOf } from "./stored-values.js";

/** A session of a source as it is copied. */
export interface CopiedSession {
  /** Key of the stored session. */
  readonly key: SessionKey;
  readonly item: ListedSession;
  readonly snapshot: SessionSnapshot;
}

/** Returns the identity of a session's copied version; `undefined` if its source has no revision. */
export function markOf({ item, snapshot }: CopiedSession): string | undefined {
  const { status: _, ...facts } = item; // it depends on the clock
  return snapshot.revision && longFingerprint(JSON.stringify([facts, snapshot.revision]));
}

/** True if a session's row is unchanged since an import with that mark. */
export function isImportedAs(row: Row, mark: string | undefined): boolean {
  return mark !== undefined && row.imported === importedText(row.revision, mark);
}

/** A write of anything else counts the revision up. */
export function importedText(revision: string | null | undefined, mark: string | undefined): string {
  return JSON.stringify({ revision: Number(revision), mark });
}

/** True if only imports have written to a session, judged by its row. */
export async function isImported(
  query: RunQuery,
  schema: string,
  session: SessionKey,
  row: Row,
): Promise<boolean> {
  if (row.imported) {
    return (JSON.parse(row.imported) as { revision?: unknown }).revision === Number(row.revision);
  }
  // Before version 5 of the schema, an import left keys by position alone.
  for (const [list, { first, size }] of Object.entries(listsOf(session, row))) {
    const position = first + size - 1;
    const [last] = await query(
      `SELECT record_key FROM ${schema}.${RECORD_TABLES[list as RecordList]}
        WHERE tenant_id = $1 AND session_id = $2 AND position = $3`,
      [...idsOf(session), position],
    );
    if (size > 0 && last?.record_key !== keyOfId(`import ${list} ${position}`)) return false;
  }
  return true;
}
