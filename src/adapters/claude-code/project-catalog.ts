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

const PROGRESS_EVERY_MS = 1_000;

/** The sessions of a projects folder, each from its own files. */
export class ProjectCatalog {
  readonly #options: ProjectCatalogOptions;
  readonly #limit: LimitFunction = pLimit(AT_A_TIME);

  constructor(options: ProjectCatalogOptions) {
    this.#options = options;
  }

  async list({ signal }: ReadOptions = {}): Promise<InspectorSessionItem[]> {
    const { layout, heads, followed, onProgress } = this.#options;
    const items: InspectorSessionItem[] = [];
    const begun = performance.now();
    let told = begun;
    let read = 0;
    for (const tenantId of await layout.tenants()) {
      const sessions = await layout.sessions(tenantId);
      const families = await ForkFamilies.of(sessions, heads, followed);
      const found = await this.#limit.map(sessions, async (session) => {
        signal?.throwIfAborted();
        const files = await orNone(this.#options.reader.read(session, families, "summary", { signal }));
        read++;
        const now = performance.now();
        if (now - told >= PROGRESS_EVERY_MS) {
          told = now;
          onProgress?.({ sessions: read, elapsedMs: now - begun });
        }
        return { session, files };
      });
      items.push(...this.#describe(found));
    }
    return items;
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

/** In the list, a session that may not be read takes only itself. Opening it tells of it. */
async function orNone(reading: Promise<ReadFile[]>): Promise<ReadFile[]> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SourceUnavailableError) return [];
    throw error;
  }
}
