import path from "node:path";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { SourceUnavailableError } from "../../../application/errors.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { nameInside, readableOrNone, statEntry } from "../../files/bytes/contained-files.js";
import { identify, identityText } from "../../files/bytes/file-identities.js";
import { DatabaseLimitError, type OnVisits } from "../../sqlite/database-pages.js";
import type { RecordRow } from "../../sqlite/record-row.js";
import { readDatabase, type SqliteDatabase } from "../../sqlite/sqlite-database.js";
import type { OnWarning } from "../../transcripts/folder/discovered-once.js";
import { namesIn } from "../../transcripts/folder/file-lookups.js";
import { type OpenCodeSession, SESSION_TABLES } from "./opencode-session.js";
import { storedInFiles } from "./storage-files.js";

const NAME_OF_DATABASE = /\.(db|sqlite3?)$/i;
const IN_DATABASE = /^(.*\.(?:db|sqlite3?))[/\\]([^/\\]+)$/i;

/** Each channel has a database. */
const MOST_DATABASES = 20;

/** All sessions of a database are in memory at a time. */
const MOST_SESSIONS = 50_000;

/** A longer text about a session is not read; a path has at most 4,096 bytes. */
const LONGEST_TEXT = 4_096;

function pathInDatabase(database: string, id: string): string {
  return `${database}/${id.replace(/[%/\\\0]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`)}`;
}

export function placeInDatabase(
  file: string,
): { readonly database: string; readonly id: string } | undefined {
  const [, database, name] = IN_DATABASE.exec(file) ?? [];
  if (database === undefined) return undefined;
  return {
    database,
    id: name!.replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  };
}

/**
 * For this many recent sessions, each row is examined: an overwritten part changes nothing else. Others are identified by row, message
 * count and newest message.
 */
const READ_COMPLETELY = 50;

export interface DatabaseSessions {
  readonly byId: ReadonlyMap<string, OpenCodeSession>;
  readonly recent: ReadonlySet<string>;
  /** Omitted because their ids are too long. */
  readonly unnamed: number;
}

const cache = new CachedWhileSame<string, DatabaseSessions>({ max: 4 }, (a, b) => a === b);

/** Databases that exceed a bound: read again only after a change. */
const refused = new CachedWhileSame<string, DatabaseLimitError>({ max: MOST_DATABASES }, (a, b) => a === b);

/** Two changes within this time may leave the same instant. */
const CLOCK_STEP_MS = 50;

/** Differs at each call while a change may still go unnoticed. */
export function stateOf(root: string, files: readonly string[]): string {
  const now = Date.now();
  const texts = files.map((file) => {
    const stats = readableOrNone(() => statEntry(root, file));
    if (stats === undefined) return "-";
    const isSettled = Math.abs(now - stats.ctimeMs) > CLOCK_STEP_MS;
    return identityText(identify(stats)) + (isSettled ? "" : ` ${performance.now()}`);
  });
  return texts.join(" ");
}

/** `undefined` if it is no database of OpenCode. Reads again after a write. */
export function sessionsInDatabase(root: string, database: string): DatabaseSessions | undefined {
  const state = stateOf(root, [database, `${database}-wal`]);
  const cached = cache.get(database, state);
  if (cached !== undefined) return cached;
  const read = readWithinBounds(root, database, (opened) => sessionsOf(opened, database));
  return read && cache.keep(database, state, read);
}

/**
 * Refuses a database that exceeded a bound, until it changes.
 * @throws DatabaseLimitError for such a database
 */
export function readWithinBounds<T>(
  root: string,
  database: string,
  read: (opened: SqliteDatabase) => T,
  onVisits?: OnVisits,
): T | undefined {
  const state = stateOf(root, [database, `${database}-wal`]);
  const reason = refused.get(database, state);
  if (reason !== undefined) throw reason;
  try {
    return readDatabase(root, database, read, onVisits);
  } catch (error) {
    if (error instanceof DatabaseLimitError) refused.keep(database, state, error);
    throw error;
  }
}

function sessionsOf(database: SqliteDatabase, file: string): DatabaseSessions | undefined {
  const isCurrent =
    (database.table("session")?.has("id", "directory") &&
      database.table("message") &&
      database.table("part")) ||
    (database.table("session_v2")?.has("id") && database.table("session_message"));
  if (!isCurrent) return undefined;
  const sessions = new Map<string, OpenCodeSession>();
  let unnamed = 0;
  for (const name of SESSION_TABLES) {
    for (const row of database.table(name)?.rows() ?? []) {
      if (row.size("id") > LONGEST_TEXT) unnamed++;
      const id = row.text("id", LONGEST_TEXT);
      if (!id) continue;
      if (sessions.size >= MOST_SESSIONS)
        throw database.limitError(`it has more than ${MOST_SESSIONS} sessions`);
      const before = sessions.get(id)?.rows ?? [];
      // Ids are unique in a sound table: a list of millions of rows would grow row by row.
      if (before.some(({ table }) => table === name)) continue;
      const rows = [...before, { table: name, rowid: row.rowid }];
      sessions.set(id, { ...sessionOf(row, id), path: pathInDatabase(file, id), rows });
    }
  }
  const newest = [...sessions.values()].sort((a, b) => b.updatedAt - a.updatedAt);
  const recent = new Set(newest.slice(0, READ_COMPLETELY).map(({ id }) => id));
  return { byId: sessions, recent, unnamed };
}

function sessionOf(row: RecordRow, id: string): Omit<OpenCodeSession, "path" | "rows"> {
  const text = (column: string) => row.text(column, LONGEST_TEXT);
  return {
    id,
    projectId: text("project_id") || "global",
    parentId: text("parent_id"),
    forkOf: text("fork_session_id"),
    title: text("title"),
    directory: text("directory"),
    agent: text("agent"),
    createdAt: instantOf(row.number("time_created")) ?? 0,
    updatedAt: instantOf(row.number("time_updated")) ?? 0,
  };
}

/**
 * Each session once: databases take over older files.
 * @param warn receives each database that exceeds a bound
 */
export function* storedSessions(root: string, warn: OnWarning): Generator<void, readonly OpenCodeSession[]> {
  const sessions = new Map<string, OpenCodeSession>();
  for (const database of databasesIn(root)) {
    for (const session of readableOrWarn(root, database, warn)?.byId.values() ?? []) {
      const cached = sessions.get(session.id);
      // The database of another channel may be a copy.
      if (cached === undefined || session.updatedAt > cached.updatedAt) sessions.set(session.id, session);
    }
    yield;
  }
  for (const session of yield* storedInFiles(root))
    if (!sessions.has(session.id)) sessions.set(session.id, session);
  return [...sessions.values()];
}

function readableOrWarn(root: string, database: string, warn: OnWarning): DatabaseSessions | undefined {
  const warnOf = (reason: string) => warn({ file: nameInside(root, database), line: 1, reason });
  try {
    const sessions = sessionsInDatabase(root, database);
    const { unnamed = 0 } = sessions ?? {};
    if (unnamed > 0)
      warnOf(`leaves out ${unnamed} sessions, whose ids are longer than ${LONGEST_TEXT} bytes. Shorten them`);
    return sessions;
  } catch (error) {
    if (!(error instanceof SourceUnavailableError)) throw error;
    warnOf(error.message);
    return undefined;
  }
}

export function databasesIn(root: string): string[] {
  const { files } = namesIn(root, root);
  return files
    .filter((name) => NAME_OF_DATABASE.test(name))
    .slice(0, MOST_DATABASES)
    .map((name) => path.join(root, name));
}
