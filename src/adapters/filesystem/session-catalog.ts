import { readdir } from "node:fs/promises";
import pLimit, { type LimitFunction } from "p-limit";
import { SourceUnavailableError } from "../../application/errors.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import { describeSession, EMPTY_LOG } from "../../domain/session-log.js";
import { absentAsUndefined, type ContainedFiles } from "../json-lines/contained-files.js";
import type { FollowedFiles } from "../json-lines/followed-files.js";
import { orchestrationEnd, traceEnd } from "./event-log-end.js";
import { sessionFiles, sessionsFolder, tenantsFolder } from "./session-files.js";
import { sessionLog } from "./session-log.js";

/** Told now and then while a list is being read that takes long. */
export interface ListProgress {
  readonly sessions: number;
  readonly elapsedMs: number;
}

export interface SessionCatalogOptions {
  readonly files: ContainedFiles;
  readonly followed: FollowedFiles;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

/** How many sessions are read at a time: each has one file open at most. */
const AT_A_TIME = 16;

const PROGRESS_EVERY_MS = 1_000;

/** The sessions of a data directory, each from its own files. */
export class SessionCatalog {
  readonly #files: ContainedFiles;
  readonly #followed: FollowedFiles;
  readonly #now: () => number;
  readonly #onProgress: ((progress: ListProgress) => void) | undefined;
  readonly #limit: LimitFunction = pLimit(AT_A_TIME);

  constructor(options: SessionCatalogOptions) {
    this.#files = options.files;
    this.#followed = options.followed;
    this.#now = options.now;
    this.#onProgress = options.onProgress;
  }

  async list({ signal }: ReadOptions = {}): Promise<InspectorSessionItem[]> {
    const items: InspectorSessionItem[] = [];
    const begun = performance.now();
    let told = begun;
    for (const tenantId of await this.#foldersIn(tenantsFolder(this.#files.root))) {
      const sessionIds = await this.#foldersIn(sessionsFolder(this.#files.root, tenantId));
      await this.#limit.map(sessionIds, async (sessionId) => {
        signal?.throwIfAborted();
        const item = await this.#describe(tenantId, sessionId, signal);
        if (item !== undefined) items.push(item);
        const now = performance.now();
        if (now - told < PROGRESS_EVERY_MS) return;
        told = now;
        this.#onProgress?.({ sessions: items.length, elapsedMs: now - begun });
      });
    }
    return items;
  }

  /** The names of the folders in a folder; none where it is absent or may not be read. */
  async #foldersIn(folder: string): Promise<string[]> {
    const stats = await this.#files.find(folder);
    if (stats === undefined) return [];
    const entries = await unreadableAsUndefined(
      absentAsUndefined(readdir(folder, { withFileTypes: true }), () => this.#files.nameOf(folder)),
    );
    return (entries ?? [])
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name);
  }

  /** `undefined` where the session is gone by now, or was no folder inside the data directory. */
  async #describe(
    tenantId: string,
    sessionId: string,
    signal: AbortSignal | undefined,
  ): Promise<InspectorSessionItem | undefined> {
    const files = sessionFiles(this.#files.root, tenantId, sessionId);
    const folder = await unreadableAsUndefined(this.#files.find(files.folder));
    if (folder === undefined || !folder.isDirectory()) return undefined;
    const read = this.#followed;
    const log = await unreadableAsUndefined(read.read(files.session, "log", sessionLog, { signal }));
    const trace = await unreadableAsUndefined(read.read(files.trace, "end", traceEnd, { signal }));
    const orchestration = await unreadableAsUndefined(
      read.read(files.orchestration, "end", orchestrationEnd, { signal }),
    );
    const ends = [trace?.view, orchestration?.view].filter((end) => end !== undefined);
    const fallback = Math.floor(folder.mtimeMs);
    return describeSession({ tenantId, sessionId }, log?.view ?? EMPTY_LOG, ends, fallback, this.#now());
  }
}

/** In the list, a file that may not be read takes only what it would have said. Opening its session tells of it. */
async function unreadableAsUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof SourceUnavailableError) return undefined;
    throw error;
  }
}
