import path from "node:path";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import { NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import { RecentReading } from "../files/catalog/recent-reading.js";
import { extentOf, type SearchedSession, searchOrder } from "../files/search/search-order.js";
import { mapInFlight, portionsOf } from "../files/threads/in-flight.js";
import { FIND_SESSIONS } from "./find-sessions.js";
import { LOOK_UP_FILES } from "./look-up-files.js";
import { SEARCHED_NAMES, sessionsFolder } from "./session-files.js";

/** How many sessions one task looks up: others have their turn between two tasks. */
const LOOKED_UP_AT_ONCE = 512;

/** The sessions of a data directory as a search needs them: as they are now, or were a few seconds ago. */
export class SearchedSessions {
  readonly #root: string;
  readonly #pool: ReadingPool;
  readonly #reading = new RecentReading((signal) => this.#lookUpAll(signal));

  constructor(root: string, pool: ReadingPool) {
    this.#root = root;
    this.#pool = pool;
  }

  /** @param isNew whether they have to be as they are now; else they may be as they were a few seconds ago */
  find(isNew: boolean, options?: ReadOptions): Promise<readonly SearchedSession[]> {
    return isNew ? this.#reading.now(options) : this.#reading.recent(options);
  }

  async #lookUpAll(signal: AbortSignal): Promise<readonly SearchedSession[]> {
    const { tenants } = await this.#pool.run(FIND_SESSIONS, { root: this.#root }, { signal });
    const places = tenants.flatMap(({ tenantId, sessionIds }) =>
      sessionIds.map((sessionId) => ({ tenantId, sessionId })),
    );
    const portions = portionsOf(places, LOOKED_UP_AT_ONCE);
    const found = await mapInFlight(portions, this.#pool.threads, (portion) => this.#lookUp(portion, signal));
    return runInSlices(searchOrder(found.flat()), signal);
  }

  async #lookUp(
    places: readonly Pick<SearchedSession, "tenantId" | "sessionId">[],
    signal: AbortSignal,
  ): Promise<SearchedSession[]> {
    const folders = places.map(({ tenantId, sessionId }) =>
      path.join(sessionsFolder(this.#root, tenantId), sessionId),
    );
    const request = { root: this.#root, folders, names: SEARCHED_NAMES };
    const identities = await this.#pool.run(LOOK_UP_FILES, request, { signal });
    const numbers = (1 + SEARCHED_NAMES.length) * NUMBERS_PER_IDENTITY;
    return places.map(({ tenantId, sessionId }, i) => {
      const files = SEARCHED_NAMES.map((name) => path.join(folders[i]!, name));
      // The folder's own identity comes before those of its files.
      const ofFiles = identities.subarray(i * numbers + NUMBERS_PER_IDENTITY, (i + 1) * numbers);
      return { tenantId, sessionId, files, ...extentOf(ofFiles) };
    });
  }
}
