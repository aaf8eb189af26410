import pLimit from "p-limit";
import type { ListProgress } from "../../application/ports/list-progress.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { yieldToEventLoop } from "../../application/slices.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import { NUMBERS_PER_IDENTITY, SIZE } from "../jsonl/file-identities.js";
import { laneOf } from "../jsonl/lanes.js";
import type { Folder, TranscriptTasks } from "./reading-tasks.js";
import { describeTranscript, type TranscriptSummary } from "./session-summary.js";
import type { FoundSession } from "./transcript-files.js";

export interface TranscriptCatalogOptions {
  readonly folder: Folder;
  readonly tasks: TranscriptTasks;
  readonly pool: ReadingPool;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
}

/** How many tenants are searched at a time. */
const TENANTS_AT_A_TIME = 4;

/** How much is read in one task, so that other requests have their turn: bytes of files, and sessions. */
const BYTES_AT_A_TIME = 4 * 1024 * 1024;
const SESSIONS_AT_A_TIME = 32;

/** How many tasks are queued for each thread, so that it does not wait for the next one. */
const TASKS_AHEAD = 2;

const PROGRESS_EVERY_MS = 1_000;

const DESCRIBED_AT_ONCE = 256;

/** The summary of a session's files, and the identities of the files that it was made of. */
interface KnownTranscript {
  readonly identity: Float64Array;
  readonly summary: TranscriptSummary;
}

interface SeenTranscript {
  readonly session: FoundSession;
  readonly identity: Float64Array;
}

/**
 * The sessions of a folder of transcripts, each from its own files. Its summary is cached while its files are the same, so that
 * a list of known sessions costs one `stat` of each file, in threads.
 */
export class TranscriptCatalog {
  readonly #options: TranscriptCatalogOptions;
  #known = new Map<string, KnownTranscript>();

  constructor(options: TranscriptCatalogOptions) {
    this.#options = options;
  }

  async list({ signal }: ReadOptions = {}): Promise<InspectorSessionItem[]> {
    const { folder, tasks, pool } = this.#options;
    const tenants = await pool.run(tasks.tenants, folder, { signal });
    const discovered = await pLimit(TENANTS_AT_A_TIME).map(tenants, (tenantId) =>
      pool.run(tasks.discover, { ...folder, tenantId }, { signal, lane: laneOf(tenantId) }),
    );
    const seen = discovered.map(({ sessions, identities }) => withIdentities(sessions, identities));
    const summaries = await this.#summarize(seen.flat(), signal);
    const known = new Map<string, KnownTranscript>();
    const items: InspectorSessionItem[] = [];
    for (const sessions of seen) {
      await this.#describe(sessions, summaries, known, items);
      signal?.throwIfAborted();
    }
    this.#known = known;
    return items;
  }

  forget(): void {
    this.#known.clear();
  }

  /** Sums up the sessions that changed since they were read: some at a time in each thread. */
  async #summarize(
    seen: readonly SeenTranscript[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<SeenTranscript, TranscriptSummary | null>> {
    const { folder, tasks, pool } = this.#options;
    const summaries = new Map<SeenTranscript, TranscriptSummary | null>();
    const report = this.#progress();
    const changed: SeenTranscript[][] = Array.from({ length: pool.threads }, () => []);
    for (const one of seen) {
      const known = this.#known.get(keyOf(one.session));
      if (known !== undefined && isSame(known.identity, one.identity)) summaries.set(one, known.summary);
      else changed[laneOf(pathOf(one.session)) % pool.threads]!.push(one);
    }
    await Promise.all(
      changed.map((ofThread, lane) =>
        pLimit(TASKS_AHEAD).map(portions(ofThread), async (portion) => {
          const sessions = portion.map(({ session }) => session);
          const found = await pool.run(tasks.summarize, { ...folder, sessions }, { signal, lane });
          for (const [i, one] of portion.entries()) summaries.set(one, found[i]!);
          report(summaries.size);
        }),
      ),
    );
    return summaries;
  }

  /** Titles may be claimed by any session of the tenant. A session that has no files by now has nothing to describe. */
  async #describe(
    sessions: readonly SeenTranscript[],
    summaries: ReadonlyMap<SeenTranscript, TranscriptSummary | null>,
    known: Map<string, KnownTranscript>,
    items: InspectorSessionItem[],
  ): Promise<void> {
    const claimed = new Map<string, string>();
    for (const one of sessions) {
      for (const { key, title } of summaries.get(one)?.titles.claims ?? []) claimed.set(key, title);
    }
    const instant = this.#options.now();
    for (const one of sessions) {
      const summary = summaries.get(one);
      if (summary === undefined || summary === null) continue;
      // The files may have grown since their `stat`: then the next list finds them changed, and reads what is new.
      if (summary.isComplete) known.set(keyOf(one.session), { identity: one.identity, summary });
      items.push(describeTranscript(one.session, summary, claimed, instant));
      if (items.length % DESCRIBED_AT_ONCE === 0) await yieldToEventLoop();
    }
  }

  /** Reports the number of sessions about once a second. */
  #progress(): (sessions: number) => void {
    const begun = performance.now();
    let reported = begun;
    return (sessions) => {
      const now = performance.now();
      if (now - reported < PROGRESS_EVERY_MS) return;
      reported = now;
      this.#options.onProgress?.({ sessions, elapsedMs: now - begun });
    };
  }
}

/** Gives each session the identities of its files and its relatives'. */
function withIdentities(sessions: readonly FoundSession[], identities: Float64Array): SeenTranscript[] {
  let at = 0;
  return sessions.map((session) => {
    const files = [session, ...session.relatives].reduce((sum, one) => sum + one.files.length, 0);
    const identity = identities.slice(at, at + files * NUMBERS_PER_IDENTITY);
    at += identity.length;
    return { session, identity };
  });
}

/** Sessions in portions that take about the same time. */
function portions(sessions: readonly SeenTranscript[]): SeenTranscript[][] {
  const found: SeenTranscript[][] = [];
  let portion: SeenTranscript[] = [];
  let bytes = 0;
  for (const one of sessions) {
    portion.push(one);
    for (let i = SIZE; i < one.identity.length; i += NUMBERS_PER_IDENTITY) bytes += one.identity[i] || 0;
    if (bytes < BYTES_AT_A_TIME && portion.length < SESSIONS_AT_A_TIME) continue;
    found.push(portion);
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) found.push(portion);
  return found;
}

/** `NaN` means that a file is not there: still absent is the same. */
function isSame(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

function keyOf({ tenantId, sessionId }: FoundSession): string {
  return `${tenantId}\0${sessionId}`;
}

function pathOf({ files: [{ path }] }: FoundSession): string {
  return path;
}
