import type { ArchiveHead } from "../../../src/domain/archive/archive-record.js";
import type { SessionKey } from "../../../src/domain/session/session-key.js";
import { findApi } from "../api/find-api.js";

export interface ExportedPage {
  readonly head: ArchiveHead;
  readonly sessions: readonly SessionKey[];
}

/** A served page. A page that is a file is built with `standalone/surroundings.ts` instead. */
export const exported: ExportedPage | undefined = undefined;

/** Without a slash at its end. */
export function findBase(): Promise<string> {
  /** The page's server may rewrite the tag. */
  const configured = document.querySelector<HTMLMetaElement>('meta[name="inspector-api"]')?.content;
  return findApi(configured || "./__inspector", location.href);
}

/** The build adds the document to the page's files. */
export const signInDocument: string | undefined = new URL("../../../docs/signing-in.md", import.meta.url)
  .href;

export function startEngine(): Worker {
  return new Worker(new URL("../engine/engine-worker.ts", import.meta.url), { type: "module" });
}

export function startLayout(): Worker {
  return new Worker(new URL("../views/agents/layout-worker.ts", import.meta.url), { type: "module" });
}
