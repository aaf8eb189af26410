import type { SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import type { Row } from "./lease.js";

export interface CopiedSession {
  readonly key: SessionKey;
  readonly item: ListedSession;
  readonly snapshot: SessionSnapshot;
}

export function markOf({ item, snapshot }: CopiedSession): string | undefined {
  const { status: _, state: __, ...facts } = item;
  return snapshot.revision && longFingerprint(JSON.stringify([facts, snapshot.revision]));
}

export function isImportedAs(row: Row, mark: string | undefined): boolean {
  return mark !== undefined && row.imported === importedText(row.revision, mark);
}

/** Every other write increments the revision. */
export function importedText(revision: string | null | undefined, mark: string | undefined): string {
  return JSON.stringify({ revision: Number(revision), mark });
}

export function isImported({ imported, revision }: Row): boolean {
  return !!imported && (JSON.parse(imported) as { revision?: unknown }).revision === Number(revision);
}
