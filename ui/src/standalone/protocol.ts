import type { ArchiveHead } from "../../../src/domain/archive/archive-record.js";
import type { SessionRef } from "../model/address.js";

/** Property of the global object through which the loader passes the unpacked data. */
export const HANDED = "agentInspectorExport";

/** Data that the file's loader passes to the page's script. */
export interface Unpacked {
  /** The address of the script of all workers. */
  readonly worker: string;
  /** The archive, compressed. */
  readonly archive: Uint8Array;
  /** Replaces the page with a message that it cannot be displayed. */
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
