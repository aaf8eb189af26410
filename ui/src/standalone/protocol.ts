import type { ArchiveHead } from "../../../src/domain/archive/archive-record.js";
import type { SessionRef } from "../model/address.js";

/** By which name of the global object the loader hands over what it unpacked. */
export const HANDED = "agentInspectorExport";

/** What the file's loader hands to the page's script. */
export interface Unpacked {
  /** The address of the script of all workers. */
  readonly worker: string;
  /** The archive, compressed. */
  readonly archive: Uint8Array;
  /** Says in the place of the page that it cannot be shown. */
  fail(reason: unknown): void;
}

/** The first message to a worker says what it is. */
export type FirstMessage =
  | { readonly serve: "engine"; readonly archive: Uint8Array }
  | { readonly serve: "layout" };

/** The answer of the worker that is the engine. After it the protocol is that of the engine. */
export type Opened =
  | { readonly head: ArchiveHead; readonly sessions: readonly SessionRef[] }
  | { readonly failure: string };
