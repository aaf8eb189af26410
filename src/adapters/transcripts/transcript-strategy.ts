import { faultText } from "../../application/errors.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import { MODIFIED_AT, NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import type { CataloguedSession, LocatedSession } from "../files/catalog/catalogued-session.js";
import type { CatalogStrategy, LocatedSessions, SessionDescriber } from "../files/catalog/folder-catalog.js";
import { extentOf, type SearchedSession } from "../files/search/search-order.js";
import { mapInFlight } from "../files/threads/in-flight.js";
import { laneOf } from "../files/threads/lanes.js";
import type { Folder, TranscriptTasks } from "./reading-tasks.js";
import { describeTranscript, type TranscriptSummary, unknownSummary } from "./session-summary.js";
import type { FoundSession } from "./transcript-files.js";
import type { TenantTranscripts } from "./transcript-list.js";

type Session = CataloguedSession<FoundSession, TranscriptSummary>;

/** How many tenants are searched at a time. */
const TENANTS_AT_A_TIME = 4;

/** How a catalog finds and reads the sessions of a folder of transcripts. */
export class TranscriptStrategy implements CatalogStrategy<FoundSession, TranscriptSummary> {
  readonly #folder: Folder;
  readonly #tasks: TranscriptTasks;
  readonly #pool: ReadingPool;

  constructor(folder: Folder, tasks: TranscriptTasks, pool: ReadingPool) {
    this.#folder = folder;
    this.#tasks = tasks;
    this.#pool = pool;
  }

  async discover(signal: AbortSignal): Promise<LocatedSessions<FoundSession>> {
    const tenants = await this.#pool.run(this.#tasks.tenants, this.#folder, { signal });
    const found = await mapInFlight(tenants, TENANTS_AT_A_TIME, (tenantId) => {
      const request = { ...this.#folder, tenantId };
      return this.#pool.run(this.#tasks.discover, request, { signal, lane: laneOf(tenantId) });
    });
    return { located: locatedIn(found), warnings: found.flatMap(({ warning }) => warning ?? []) };
  }

  async find(
    tenantId: string,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<Iterable<LocatedSession<FoundSession>>> {
    const request = { ...this.#folder, tenantId, sessionId };
    const lane = laneOf(tenantId);
    return locatedIn([await this.#pool.run(this.#tasks.find, request, { signal, lane })]);
  }

  isSame(before: FoundSession, now: FoundSession): boolean {
    return before.title === now.title && before.directory === now.directory;
  }

  pathOf({ files: [{ path }] }: FoundSession): string {
    return path;
  }

  nameOf({ tenantId, sessionId }: FoundSession): string {
    return `${tenantId}/${sessionId}`;
  }

  async recall(sessions: readonly Session[], lane: number, signal: AbortSignal) {
    const { cache } = this.#folder;
    if (cache === undefined) return undefined;
    const identities = sessions.map(({ identity }) => identity);
    const request = { ...this.#folder, cache, sessions: sessions.map(({ place }) => place), identities };
    return this.#pool.run(this.#tasks.recall, request, { signal, lane });
  }

  newestInTails(sessions: readonly Session[], lane: number, signal: AbortSignal): Promise<Float64Array> {
    const files = sessions.map(({ place, identity }) =>
      place.files
        .map(({ path }, i) => ({ path, modifiedAt: identity[i * NUMBERS_PER_IDENTITY + MODIFIED_AT]! }))
        .filter(({ modifiedAt }) => !Number.isNaN(modifiedAt)),
    );
    const request = { ...this.#folder, sessions: files };
    return this.#pool.run(this.#tasks.newestInTails, request, { signal, lane });
  }

  summarize(sessions: readonly Session[], lane: number, signal: AbortSignal) {
    const request = { ...this.#folder, sessions: sessions.map(({ place }) => place) };
    return this.#pool.run(this.#tasks.summarize, request, { signal, lane });
  }

  describer(): SessionDescriber<Session> {
    return new TranscriptDescriber();
  }

  async searched(sessions: readonly Session[]): Promise<Iterable<SearchedSession>> {
    return searchedIn(sessions);
  }
}

/** Their own files and their sub-agents', with the notes beside these. */
function* searchedIn(sessions: readonly Session[]): Generator<SearchedSession, void> {
  for (const { tenantId, sessionId, place, identity } of sessions) {
    const files = place.files.flatMap(({ path, notePath }) =>
      notePath === undefined ? [path] : [path, notePath],
    );
    const ofFiles = identity.subarray(0, place.files.length * NUMBERS_PER_IDENTITY);
    yield { tenantId, sessionId, files, ...extentOf(ofFiles) };
  }
}

function* locatedIn(found: readonly TenantTranscripts[]): Generator<LocatedSession<FoundSession>, void> {
  for (const { sessions, identities } of found) {
    let at = 0;
    for (const place of sessions) {
      const files = [place, ...place.relatives].reduce((sum, one) => sum + one.files.length, 0);
      const identity = identities.subarray(at, at + files * NUMBERS_PER_IDENTITY);
      at += identity.length;
      yield { place, identity, ownFiles: place.files.length };
    }
  }
}

/** Describes transcripts, of which some claim titles for others of their tenant. */
class TranscriptDescriber implements SessionDescriber<Session> {
  /** By tenant and key: of several claims that of the session whose id is the last one. */
  readonly #claims = new Map<string, { readonly title: string; readonly sessionId: string }>();

  add({ tenantId, sessionId, summary }: Session): void {
    for (const { key, title } of summary?.titles.claims ?? []) {
      const place = `${tenantId}\0${key}`;
      if (sessionId >= (this.#claims.get(place)?.sessionId ?? ""))
        this.#claims.set(place, { title, sessionId });
    }
  }

  /** One that nobody expected to fail fails no list. */
  describe(session: Session, now: number): InspectorSessionItem {
    const claimed = (key: string) => this.#claims.get(`${session.tenantId}\0${key}`)?.title;
    try {
      return describeTranscript(session.place, session.summary!, claimed, now);
    } catch (error) {
      session.summary = unknownSummary(0, true, faultText(error));
      return describeTranscript(session.place, session.summary, claimed, now);
    }
  }
}
