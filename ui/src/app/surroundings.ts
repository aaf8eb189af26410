import type { ArchiveHead } from "../../../src/domain/archive/archive-record.js";
import { findApi } from "../api/find-api.js";
import type { SessionRef } from "../model/address.js";

/** Content of a page that was exported as a file. */
export interface ExportedPage {
  readonly head: ArchiveHead;
  /** Those that are in it. */
  readonly sessions: readonly SessionRef[];
}

/**
 * Environment of the page: here an application serves it. A page that is a file is built with `standalone/surroundings.ts` instead of
 * this module.
 */
export const exported: ExportedPage | undefined = undefined;

/** The address of the API, without a slash at its end. */
export function findBase(): Promise<string> {
  /** From a tag that whoever serves the page may rewrite. */
  const configured = document.querySelector<HTMLMetaElement>('meta[name="inspector-api"]')?.content;
  return findApi(configured || "./__inspector", location.href);
}

/** The address of the document about signing in. The build adds the document to the files of the page. */
export const signInDocument: string | undefined = new URL("../../../docs/signing-in.md", import.meta.url)
  .href;

export function startEngine(): Worker {
  return new Worker(new URL("../engine/engine-worker.ts", import.meta.url), { type: "module" });
}

/** Lays out graphs of agents. */
export function startLayout(): Worker {
  return new Worker(new URL("../views/agents/layout-worker.ts", import.meta.url), { type: "module" });
}
