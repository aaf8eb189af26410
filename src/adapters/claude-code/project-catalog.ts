import { getMaxListeners, setMaxListeners } from "node:events";
import pLimit, { type LimitFunction } from "p-limit";
import { SourceUnavailableError } from "../../application/errors.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import type { FollowedFiles } from "../json-lines/followed-files.js";
import type { FileHeads } from "./file-heads.js";
import { ForkFamilies } from "./fork-family.js";
import type { ProjectLayout, SessionFiles } from "./project-layout.js";
import { describeClaudeSession } from "./session-item.js";
import type { ReadFile, SessionReader } from "./session-reader.js";

/** Told now and then while a list is being read that takes long. */
export interface ProjectProgress {
  readonly sessions: number;
  readonly elapsedMs: number;
}

export interface ProjectCatalogOptions {
  readonly layout: ProjectLayout;
  readonly heads: FileHeads;
  readonly followed: FollowedFiles;
  readonly reader: SessionReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ProjectProgress) => void) | undefined;
}

/** How many sessions are read at a time: each has one file open at most. */
const AT_A_TIME = 16;

/** How many projects are looked through at a time: while one waits for the disk, there is something of another to parse. */
const TENANTS_AT_A_TIME = 4;

const PROGRESS_EVERY_MS = 1_000;

/** The sessions of a projects folder, each from its own files. */
export class ProjectCatalog {
  readonly #options: ProjectCatalogOptions;
  readonly #tenants: LimitFunction = pLimit(TENANTS_AT_A_TIME);
  readonly #limit: LimitFunction = pLimit(AT_A_TIME);

  constructor(options: ProjectCatalogOptions) {
    this.#options = options;
  }

  async list({ signal }: ReadOptions = {}): Promise<InspectorSessionItem[]> {
    // Every file that is being read listens to it: so many are no leak, and nobody's log is to say so.
    if (signal !== undefined) setMaxListeners(Math.max(AT_A_TIME * 2, getMaxListeners(signal)), signal);
    const onRead = progressOf(this.#options.onProgress);
    const tenants = await this.#options.layout.tenants();
    const items = await this.#tenants.map(tenants, async (tenantId) => {
      signal?.throwIfAborted();
      return this.#listTenant(tenantId, onRead, signal);
    });
    return items.flat();
  }

  async #listTenant(
    tenantId: string,
    onRead: () => void,
    signal: AbortSignal | undefined,
  ): Promise<InspectorSessionItem[]> {
    const { layout, heads, followed, reader } = this.#options;
    const sessions = await layout.sessions(tenantId);
    const families = await ForkFamilies.of(sessions, heads, followed);
    const found = await this.#limit.map(sessions, async (session) => {
      signal?.throwIfAborted();
      const files = await orNone(reader.read(session, families, "summary", { signal }));
      onRead();
      return { session, files };
    });
    return this.#describe(found);
  }

  #describe(found: readonly { session: SessionFiles; files: readonly ReadFile[] }[]): InspectorSessionItem[] {
    const summaries = new Map<string, string>();
    for (const { files } of found) {
      for (const { leafUuid, summary } of files[0]?.file.summaries ?? []) summaries.set(leafUuid, summary);
    }
    const now = this.#options.now();
    // A session whose file is gone by now has none to describe.
    return found
      .filter(({ files }) => files.length > 0)
      .map(({ session, files }) => describeClaudeSession(session, files, summaries, now));
  }
}

/** Counts sessions, and tells of them now and then. */
function progressOf(onProgress: ProjectCatalogOptions["onProgress"]): () => void {
  const begun = performance.now();
  let told = begun;
  let sessions = 0;
  return () => {
    sessions++;
    const now = performance.now();
    if (now - told < PROGRESS_EVERY_MS) return;
    told = now;
    onProgress?.({ sessions, elapsedMs: now - begun });
  };
}

/** In the list, a session that may not be read takes only itself. Opening it tells of it. */
async function orNone(reading: Promise<ReadFile[]>): Promise<ReadFile[]> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SourceUnavailableError) return [];
    throw error;
  }
}
