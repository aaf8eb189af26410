import { faultText } from "../../../application/errors.js";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import type { RecordWarning } from "../../../application/ports/record-stream.js";
import { runInSlices } from "../../../application/threads/slices.js";
import type { SessionFacts } from "../../../domain/facts/session-facts.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import { MODIFIED_AT, NUMBERS_PER_IDENTITY } from "../../files/bytes/file-identities.js";
import type { ExtraWork } from "../../files/bytes/reading-budget.js";
import type { WantedValue } from "../../files/cache/disk-cache.js";
import type { SourceCache } from "../../files/cache/source-cache.js";
import type { CataloguedSession, LocatedSession } from "../../files/catalog/catalogued-session.js";
import type { FactsStrategy } from "../../files/catalog/facts-strategy.js";
import type { CatalogStrategy, SessionDescriber } from "../../files/catalog/folder-catalog.js";
import { extentOf, type SearchedSession } from "../../files/search/search-order.js";
import { laneOf, mapInFlight } from "../../files/threads/in-flight.js";
import { instantOfProcess } from "../folder/discovered-once.js";
import type { TranscriptFileGroup } from "../folder/transcript-files.js";
import type { Folder, TranscriptTasks } from "./reading-tasks.js";
import { describeTranscript, type TranscriptSummary, unknownSummary } from "./session-summary.js";
import type { TenantTranscripts } from "./transcript-list.js";

export type TranscriptSession = CataloguedSession<TranscriptFileGroup, TranscriptSummary>;

const TENANTS_AT_A_TIME = 4;

export class TranscriptStrategy implements CatalogStrategy<TranscriptSession> {
  readonly #folder: Folder;
  readonly #tasks: TranscriptTasks;
  readonly #pool: ReadingPool;
  readonly #cache: SourceCache;

  constructor(folder: Folder, tasks: TranscriptTasks, pool: ReadingPool, cache: SourceCache) {
    this.#folder = folder;
    this.#tasks = tasks;
    this.#pool = pool;
    this.#cache = cache;
  }

  async discover(signal: AbortSignal) {
    const folder = { ...this.#folder, since: instantOfProcess() };
    const { tenants, warnings } = this.#cache.answerOf(
      await this.#pool.run(this.#tasks.tenants, folder, { signal }),
    );
    const matches = await mapInFlight(tenants, TENANTS_AT_A_TIME, async (tenantId) => {
      const options = { signal, lane: laneOf(tenantId) };
      const parts: TenantTranscripts[] = [];
      for (let from: number | undefined = 0; from !== undefined; from = parts.at(-1)!.next) {
        const request = { ...folder, tenantId, from };
        parts.push(this.#cache.answerOf(await this.#pool.run(this.#tasks.discover, request, options)));
      }
      return parts;
    });
    const parts = matches.flat();
    return {
      located: locatedIn(parts),
      warnings: distinctWarnings([...warnings, ...parts.flatMap((one) => one.warnings)]),
    };
  }

  async find(tenantId: string, sessionId: string, signal: AbortSignal) {
    const request = { ...this.#folder, tenantId, sessionId };
    const lane = laneOf(tenantId);
    return locatedIn([await this.#pool.run(this.#tasks.find, request, { signal, lane })]);
  }

  isSame(before: TranscriptFileGroup, now: TranscriptFileGroup): boolean {
    return before.title === now.title && before.directory === now.directory;
  }

  pathOf({ place: { files } }: TranscriptSession): string {
    return files[0].path;
  }

  nameOf({ tenantId, sessionId }: TranscriptSession): string {
    return `${tenantId}/${sessionId}`;
  }

  async recall(sessions: readonly TranscriptSession[], lane: number, signal: AbortSignal) {
    const { place: cache } = this.#cache;
    if (cache === undefined) return undefined;
    return this.#pool.run(this.#tasks.recall, { cache, wanted: valuesOf(sessions) }, { lane, signal });
  }

  readonly facts: FactsStrategy<TranscriptSession> = {
    recall: async (sessions, lane, signal) => {
      const { place: cache } = this.#cache;
      if (cache === undefined) return undefined;
      const wanted = valuesOf(sessions);
      const texts = await this.#pool.run(this.#tasks.recallFacts, { cache, wanted }, { lane, signal });
      return texts && runInSlices(parsedFacts(texts), signal);
    },
    read: async (sessions, lane, signal, ofList) => {
      const request = { ...this.#folder, sessions: sessions.map(({ place }) => place), ofList };
      return this.#cache.answerOf(await this.#pool.run(this.#tasks.readFacts, request, { signal, lane }));
    },
  };

  newestInTails(
    sessions: readonly TranscriptSession[],
    lane: number,
    signal: AbortSignal,
  ): Promise<Float64Array> {
    const files = sessions.map(({ place, identity }) =>
      place.files
        .map(({ path }, i) => ({ path, modifiedAt: identity[i * NUMBERS_PER_IDENTITY + MODIFIED_AT]! }))
        .filter(({ modifiedAt }) => !Number.isNaN(modifiedAt)),
    );
    const request = { ...this.#folder, sessions: files };
    return this.#pool.run(this.#tasks.newestInTails, request, { signal, lane });
  }

  async summarize(
    sessions: readonly TranscriptSession[],
    lane: number,
    signal: AbortSignal,
    ofList: ExtraWork,
  ) {
    const request = { ...this.#folder, sessions: sessions.map(({ place }) => place), ofList };
    return this.#cache.answerOf(await this.#pool.run(this.#tasks.summarize, request, { signal, lane }));
  }

  describer(): SessionDescriber<TranscriptSession> {
    return new TranscriptDescriber();
  }

  async searched(sessions: readonly TranscriptSession[]) {
    return searchedIn(sessions);
  }
}

function distinctWarnings(warnings: readonly RecordWarning[]): RecordWarning[] {
  return [...new Map(warnings.map((one) => [`${one.file} ${one.line} ${one.reason}`, one])).values()];
}

function* parsedFacts(texts: readonly (string | null)[]): Generator<void, (SessionFacts | null)[]> {
  const facts: (SessionFacts | null)[] = [];
  for (const text of texts) {
    facts.push(text === null ? null : (JSON.parse(text) as SessionFacts));
    yield;
  }
  return facts;
}

function valuesOf(sessions: readonly TranscriptSession[]): readonly WantedValue[] {
  return sessions.map(({ place, identity }) => ({
    path: place.files[0].path,
    madeOf: JSON.stringify(place),
    identity,
  }));
}

function* searchedIn(sessions: readonly TranscriptSession[]): Generator<SearchedSession, void> {
  for (const { tenantId, sessionId, place, identity } of sessions) {
    const files = place.files.flatMap(({ path, notePath }) =>
      notePath === undefined ? [path] : [path, notePath],
    );
    const ofFiles = identity.subarray(0, place.files.length * NUMBERS_PER_IDENTITY);
    yield { tenantId, sessionId, files, ...extentOf(ofFiles) };
  }
}

function* locatedIn(
  matches: readonly TenantTranscripts[],
): Generator<LocatedSession<TranscriptFileGroup>, void> {
  for (const { sessions, identities } of matches) {
    let at = 0;
    for (const place of sessions) {
      const files = [place, ...place.relatives].reduce((sum, one) => sum + one.files.length, 0);
      const identity = identities.subarray(at, at + files * NUMBERS_PER_IDENTITY);
      at += identity.length;
      yield { place, identity, ownFiles: place.files.length };
    }
  }
}

class TranscriptDescriber implements SessionDescriber<TranscriptSession> {
  /** By tenant and key; of several claims the session with the last ID counts. */
  readonly #claims = new Map<string, { readonly title: string; readonly sessionId: string }>();

  add({ tenantId, sessionId, summary }: TranscriptSession): void {
    for (const { key, title } of summary?.titles.claims ?? []) {
      const place = `${tenantId}\0${key}`;
      if (sessionId >= (this.#claims.get(place)?.sessionId ?? ""))
        this.#claims.set(place, { title, sessionId });
    }
  }

  /** An unexpected failure of one session does not fail the list. */
  describe(session: TranscriptSession, now: number): InspectorSessionItem {
    const claimed = (key: string) => this.#claims.get(`${session.tenantId}\0${key}`)?.title;
    try {
      return describeTranscript(session.place, session.summary!, claimed, now);
    } catch (error) {
      session.summary = unknownSummary(0, { fault: faultText(error) });
      return describeTranscript(session.place, session.summary, claimed, now);
    }
  }
}
