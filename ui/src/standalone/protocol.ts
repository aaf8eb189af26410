import type { ArchiveHead } from "../../../src/domain/archive/archive-record.js";
import type { SessionKey } from "../../../src/domain/session/session-key.js";

/** Global property that passes the unpacked data to the page. */
export const HANDED = "agentInspectorExport";

export interface Unpacked {
  readonly worker: string;
  readonly archive: Uint8Array;
  fail(reason: unknown): void;
}

export type FirstMessage =
  | { readonly serve: "engine"; readonly archive: Uint8Array }
  | { readonly serve: "layout" };

/** Answer of the engine's worker; the protocol of the engine follows. */
export type Opened =
  | { readonly head: ArchiveHead; readonly sessions: readonly SessionKey[] }
  | { readonly failure: string };
