import type {
  RecordSearch,
  RecordSearchPage,
  SearchCandidate,
} from "../../application/ports/record-search.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { SessionSortKey } from "../../domain/session/session.js";
import type { Database } from "./database.js";
import { findSessionsQuery, scopeOf } from "./find-sessions.js";
import { cursorText, findIndexed, parseCursor, type RecordSearchCursor } from "./indexed-sessions.js";
import type { Row, RunQuery } from "./lease.js";
import { hasSearchIndex, mayHold, SEARCHED_TABLES } from "./search-index.js";
import { type StoredForms, storedForms } from "./stored-forms.js";
import { fromStoredText, toStoredText } from "./stored-values.js";

/** Newest sessions to search before the index, and the maximum fraction of the time for them. */
const BEFORE_INDEX = { sessions: 128, time: 1 / 4 };

const MOST_SESSIONS = 256;

/**
 * A common text is located in the newest sessions, one by one; for a rare text the index names all sessions at once. If the index is
 * missing or too slow, the search continues one by one.
 */
export async function searchRecords(
  database: Database,
  search: RecordSearch,
  options?: ReadOptions,
): Promise<RecordSearchPage> {
  const end = performance.now() + search.budgetMs;
  const forms = search.query.kind === "text" ? storedForms(search.query) : undefined;
  const { total, hasIndex } = await lookUp(database, search, options);
  const walk = new SessionWalk(database, search, forms?.regex, options);
  const isOne = search.sessionId !== undefined;
  if (forms?.like !== undefined && hasIndex && !isOne) {
    await walk.goOn(search.budgetMs * BEFORE_INDEX.time, BEFORE_INDEX.sessions);
    if (!walk.isOver) {
      const indexed = { ...forms, like: forms.like };
      const most = search.limit - walk.candidates.length + 1;
      const page = await findIndexed(database, search, indexed, walk.place, most, search.budgetMs, options);
      if (page !== undefined) walk.jump(page);
    }
  }
  const left = end - performance.now();
  if (!walk.isOver && (left > 0 || walk.isAtStart)) await walk.goOn(left);
  const visited = walk.place?.visited ?? 0;
  const sessions = walk.isAtEnd ? Math.max(total, visited) : visited;
  const notes = isOne ? [] : notesOn(forms, hasIndex);
  return {
    candidates: walk.candidates,
    next: walk.isAtEnd ? undefined : cursorText(walk.place!),
    searched: { sessions },
    total: { sessions: Math.max(total, sessions) },
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function notesOn(forms: StoredForms | undefined, hasIndex: boolean): string[] {
  if (forms === undefined) return ["No index helps with a regular expression: every session is read."];
  if (!hasIndex) {
    return [
      "The database has no index of texts, so the search takes longer. " +
        "To make one, run: agent-inspector migrate --search-index --database-url URL",
    ];
  }
  if (forms.like !== undefined) return [];
  return ["No index helps with a text that has no three letters from A to Z or digits in a row."];
}

async function lookUp(
  database: Database,
  { tenantId, tenants, sessionId }: RecordSearch,
  options?: ReadOptions,
): Promise<{ total: number; hasIndex: boolean }> {
  const [row] = await database.query(
    `SELECT coalesce(sum(sessions), 0) AS total, ${hasSearchIndex(database.schema)} AS indexed FROM (
        SELECT count(*) AS sessions FROM ${database.schema}.sessions
          WHERE ($1::text IS NULL OR tenant_id = $1) AND ($2::text[] IS NULL OR tenant_id = ANY($2))
            AND ($3::text IS NULL OR session_id = $3)
          GROUP BY tenant_id) AS tenants`,
    [storedOrNull(tenantId), tenants?.map(toStoredText) ?? null, storedOrNull(sessionId)],
    options,
  );
  return { total: Number(row!.total), hasIndex: row!.indexed === "t" };
}

function storedOrNull(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}

class SessionWalk {
  readonly candidates: SearchCandidate[] = [];
  place: RecordSearchCursor | undefined;
  isAtEnd = false;
  readonly #start: RecordSearchCursor | undefined;
  readonly #database: Database;
  readonly #search: RecordSearch;
  readonly #regex: string | undefined;
  readonly #options: ReadOptions | undefined;

  constructor(database: Database, search: RecordSearch, regex?: string, options?: ReadOptions) {
    this.#database = database;
    this.#search = search;
    this.#regex = regex;
    this.#options = options;
    this.#start = search.after === undefined ? undefined : parseCursor(search.after);
    this.place = this.#start;
  }

  get isAtStart(): boolean {
    return this.place === this.#start;
  }

  get isOver(): boolean {
    return this.isAtEnd || this.candidates.length >= this.#search.limit;
  }

  async goOn(ms: number, most = Number.POSITIVE_INFINITY): Promise<void> {
    const end = performance.now() + ms;
    const before = this.place;
    // The index would look up the text in all sessions, once per session.
    await this.#database.briefly(
      ms,
      "enable_bitmapscan",
      (query) => this.#lookThrough(query, end, most),
      this.#options,
    );
    if (this.isAtEnd || this.place !== before) return;
    const { text, values } = this.#portion(1, undefined);
    this.#take(await this.#database.query(text, values, this.#options), 1);
  }

  jump(page: readonly RecordSearchCursor[]): void {
    const wanted = this.#search.limit - this.candidates.length;
    for (const place of page.slice(0, wanted)) this.#pass(place, true);
    this.isAtEnd = page.length <= wanted;
  }

  async #lookThrough(query: RunQuery, end: number, most: number): Promise<void> {
    let looked = 0;
    for (let size = 1; !this.isOver && looked < most; ) {
      const begun = performance.now();
      const { text, values } = this.#portion(size, this.#regex);
      this.#take(await query(text, values), size);
      looked += size;
      const left = end - performance.now();
      if (left <= 0) return;
      const pace = (performance.now() - begun) / size;
      size = Math.max(1, Math.min(size * 2, MOST_SESSIONS, most - looked, Math.floor(left / pace)));
    }
  }

  #portion(size: number, regex: string | undefined) {
    const { tenantId, tenants, sessionId } = this.#search;
    const { schema } = this.#database;
    const filter = { tenantId, tenants, sessionId, after: this.place, limit: size };
    // With the default collation, `postgres_fdw` sends the IDs to another server as parameters.
    const ids = ["tenant_id", "session_id"].map((id) => `${id} COLLATE "default" AS ${id}`);
    const columns = `${ids.join(", ")}, last_active, place`;
    const { text, values } = findSessionsQuery(schema, filter, 0, columns);
    if (regex === undefined) return { text: portionText(text, "true"), values };
    const all = [...values, regex];
    const tenant = scopeOf(filter).tenantId;
    const inTenant =
      tenant === undefined ? "" : `records.tenant_id = $${all.push(toStoredText(tenant))} AND `;
    return { text: portionText(text, hasRecord(schema, `$${values.length + 1}`, inTenant)), values: all };
  }

  #take(rows: readonly Row[], size: number): void {
    for (const row of rows) {
      if (this.isOver) return;
      this.#pass({ ...placeOf(row), visited: (this.place?.visited ?? 0) + 1 }, row.found === "t");
    }
    this.isAtEnd = rows.length < size;
  }

  #pass(place: RecordSearchCursor, isCandidate: boolean): void {
    this.place = place;
    if (!isCandidate) return;
    const { tenantId, sessionId, visited } = place;
    this.candidates.push({
      tenantId,
      sessionId,
      place: cursorText(place),
      before: { sessions: visited - 1 },
    });
  }
}

function placeOf(row: Row): SessionSortKey {
  return {
    lastActive: fromStoredText(row.last_active!),
    tenantId: fromStoredText(row.tenant_id!),
    sessionId: fromStoredText(row.session_id!),
  };
}

function portionText(sessions: string, page: string): string {
  return `SELECT tenant_id, session_id, last_active, ${page} AS found FROM (${sessions}) AS next ORDER BY last_active DESC, place`;
}

/**
 * True if a session has a record that may contain the text. Stops at the first such record of each table.
 * @param inTenant a condition on `records` for the entire portion, or an empty text
 */
function hasRecord(schema: string, regex: string, inTenant: string): string {
  const page = SEARCHED_TABLES.map(
    (table) => `(SELECT true FROM ${schema}.${table} AS records
      WHERE ${inTenant}records.tenant_id = next.tenant_id AND records.session_id = next.session_id AND ${mayHold(regex)} LIMIT 1)`,
  );
  return `coalesce(${page.join(", ")}, false)`;
}
