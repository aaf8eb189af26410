import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import type { Row } from "./lease.js";

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
export function isImported({ imported, revision }: Row): boolean {
  return !!imported && (JSON.parse(imported) as { revision?: unknown }).revision === Number(revision);
}
