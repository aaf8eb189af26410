import { getMaxListeners, setMaxListeners } from "node:events";
import pLimit, { type LimitFunction } from "p-limit";
import { breathe } from "../../application/slices.js";
import { SourceUnavailableError } from "../../application/errors.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import { type FileIdentity, isUnchanged } from "../jsonl/file-identity.js";
import type { FollowedFiles } from "../jsonl/followed-files.js";
import type { FileHeads } from "./file-heads.js";
import { ForkFamilies } from "./fork-family.js";
import type { ProjectLayout, SessionFiles } from "./project-layout.js";
import { lookAtFiles, pathsOf } from "./seen-files.js";
import { describeClaudeSession, digestSession, type SessionDigest } from "./session-item.js";
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

/** How long known sessions are gone through between two turns of the event loop, in milliseconds: nothing else waits for anything. */
const SLICE_MS = 4;

/** What a session's files said, and as which files. */
interface KnownSession {
  readonly identities: readonly (FileIdentity | undefined)[];
  readonly digest: SessionDigest;
}

/** One reading of the list. */
interface Listing {
  readonly seen: ReadonlyMap<string, FileIdentity>;
  /** What is known when it ends, by the path of the conversation. */
  readonly known: Map<string, KnownSession>;
  readonly onSession: () => void;
  /** Lets the event loop turn when it is time. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/**
 * The sessions of a projects folder, each from its own files. What they said is kept while they are the same, so that a list
 * of known sessions costs one look at each file, by a thread that does nothing else.
 */
export class ProjectCatalog {
  readonly #options: ProjectCatalogOptions;
  readonly #tenants: LimitFunction = pLimit(TENANTS_AT_A_TIME);
  readonly #limit: LimitFunction = pLimit(AT_A_TIME);
  #known: ReadonlyMap<string, KnownSession> = new Map();

  constructor(options: ProjectCatalogOptions) {
    this.#options = options;
  }

  async list({ signal }: ReadOptions = {}): Promise<InspectorSessionItem[]> {
    // Every file that is being read listens to it: so many are no leak, and nobody's log is to say so.
    if (signal !== undefined) setMaxListeners(Math.max(AT_A_TIME * 2, getMaxListeners(signal)), signal);
    const { layout, onProgress } = this.#options;
    const onSession = progressOf(onProgress);
    const projects = await this.#tenants.map(await layout.tenants(), (tenantId) => {
      signal?.throwIfAborted();
      return layout.sessions(tenantId);
    });
    const seen = await lookAtFiles(projects.flat(), signal);
    const listing: Listing = { seen, known: new Map(), onSession, pause: pauses(), signal };
    const items = await this.#tenants.map(projects, (sessions) => this.#listProject(sessions, listing));
    this.#known = listing.known;
    return items.flat();
  }

  async #listProject(sessions: readonly SessionFiles[], listing: Listing): Promise<InspectorSessionItem[]> {
    const { heads, followed, now } = this.#options;
    const families = await ForkFamilies.of(sessions, heads, followed, listing.seen);
    const found = await this.#limit.map(sessions, async (session) => {
      await listing.pause();
      listing.signal?.throwIfAborted();
      const digest = await this.#digest(session, families, listing);
      listing.onSession();
      return { session, digest };
    });
    const summaries = new Map<string, string>();
    for (const { digest } of found) {
      for (const { leafUuid, summary } of digest?.summaries ?? []) summaries.set(leafUuid, summary);
    }
    const instant = now();
    // A session whose file is gone by now has none to describe.
    return found.flatMap(({ session, digest }) =>
      digest === undefined ? [] : [describeClaudeSession(session, digest, summaries, instant)],
    );
  }

  /** What the files of a session say, as they are now; `undefined` where it has none, or none that may be read. */
  async #digest(
    session: SessionFiles,
    families: ForkFamilies,
    { seen, known, signal }: Listing,
  ): Promise<SessionDigest | undefined> {
    const isAlone = !families.hasRelatives(session);
    const before = isAlone ? this.#known.get(session.path) : undefined;
    const identities = pathsOf(session).map((path) => seen.get(path));
    if (before !== undefined && areUnchanged(before.identities, identities)) {
      known.set(session.path, before);
      return before.digest;
    }
    const files = await orNone(this.#options.reader.read(session, families, "summary", { signal }));
    if (files.length === 0) return undefined;
    const digest = digestSession(files);
    // The files may have grown since they were looked at: then the next look finds them changed, and reads what is new.
    if (isAlone) known.set(session.path, { identities, digest });
    return digest;
  }
}

function areUnchanged(before: KnownSession["identities"], now: KnownSession["identities"]): boolean {
  return (
    before.length === now.length &&
    before.every((identity, i) => {
      const other = now[i];
      return identity !== undefined && other !== undefined && isUnchanged(identity, other);
    })
  );
}

function pauses(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < SLICE_MS) return;
    await breathe();
    begun = performance.now();
  };
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
