import { hash53 } from "../../../domain/text/fingerprints.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { readableOrNone, statEntry } from "../../files/bytes/contained-files.js";
import type { FileIdentity } from "../../files/bytes/file-identities.js";
import type { RecordRow } from "../../sqlite/record-row.js";
import type { SqliteDatabase, SqliteTable } from "../../sqlite/sqlite-database.js";
import type { OpenCodeSession, SessionPlace } from "./opencode-session.js";
import { readWithinBounds, sessionsInDatabase } from "./stored-sessions.js";

/** A session that was not updated for long has few relevant bytes: longer text belongs to another column. */
const LONGEST_REPORTED = 4_096;

const BYTES_A_MESSAGE = 8_192;

/** `undefined` for missing sessions. */
export function identifyInDatabase(
  root: string,
  database: string,
  ids: readonly string[],
): Map<string, FileIdentity> {
  const states = new Map<string, FileIdentity>();
  const stats = readableOrNone(() => statEntry(root, database));
  const sessions = sessionsInDatabase(root, database);
  if (sessions === undefined || stats === undefined) return states;
  const own = ids.flatMap((id) => sessions.byId.get(id) ?? []);
  const read = readWithinBounds(root, database, (opened) => statesOf(opened, own, sessions.recent));
  for (const [id, { content, messages, touched: changedAt }] of read ?? []) {
    const inode = hash53(`${stats.dev} ${stats.ino} ${content}`);
    states.set(id, {
      device: stats.dev,
      inode,
      size: messages * BYTES_A_MESSAGE,
      modifiedAt: changedAt,
      changedAt,
    });
  }
  return states;
}

interface SessionState {
  content: number;
  messages: number;
  /** Milliseconds since the epoch. */
  touched: number;
}

function statesOf(
  database: SqliteDatabase,
  sessions: readonly OpenCodeSession[],
  recent: ReadonlySet<string>,
): Map<string, SessionState> {
  const states = new Map<string, SessionState>();
  for (const { id, rows } of sessions) {
    const state: SessionState = { content: 0, messages: 0, touched: 0 };
    const isThere = rows.map((place) => addSession(database, id, place, state)).some(Boolean);
    if (!isThere) continue;
    states.set(id, state);
    for (const name of ["message", "session_message"]) addMessages(database.table(name), id, state);
    if (recent.has(id)) addRows(database, id, state);
  }
  return states;
}

/** @returns false if the row is gone */
function addSession(database: SqliteDatabase, id: string, place: SessionPlace, state: SessionState): boolean {
  const table = database.table(place.table);
  const row = table?.row(place.rowid);
  if (table === undefined || row?.text("id") !== id) return false;
  const values = table.columns.map((column) => {
    const size = row.size(column);
    return size > LONGEST_REPORTED ? size : row.get(column);
  });
  addTo(state, `${place.table} ${values.join("\0")}`);
  state.touched = Math.max(state.touched, instantOf(row.number("time_updated")) ?? 0);
  return true;
}

function addMessages(table: SqliteTable | undefined, id: string, state: SessionState): void {
  let count = 0;
  let newest: RecordRow | undefined;
  for (const entry of table?.entriesWith("session_id", id) ?? []) {
    count++;
    newest = entry;
  }
  if (table === undefined || newest === undefined) return;
  const row = Number.isNaN(newest.rowid) ? table.row(newest.tableRow()) : newest;
  const updated = row?.number("time_updated") ?? 0;
  state.messages += count;
  state.touched = Math.max(state.touched, instantOf(updated) ?? 0);
  addTo(state, `${count} ${row?.text("id", LONGEST_REPORTED)} ${updated}`);
}

function addRows(database: SqliteDatabase, id: string, state: SessionState): void {
  for (const name of ["message", "part", "session_message"]) {
    let [rows, sum] = [0, 0];
    for (const row of database.table(name)?.rowsWith("session_id", id) ?? []) {
      const updated = row.number("time_updated") ?? 0;
      rows++;
      sum = hash53(`${sum} ${row.rowid} ${updated} ${row.size("data")}`);
      state.touched = Math.max(state.touched, instantOf(updated) ?? 0);
    }
    addTo(state, `${rows} ${sum}`);
  }
}

function addTo(state: SessionState, text: string): void {
  state.content = hash53(`${state.content} ${text}`);
}
