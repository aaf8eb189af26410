import { type JsonObject, jsonIn } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import type { RecordRow } from "../../sqlite/record-row.js";
import type { SqliteDatabase } from "../../sqlite/sqlite-database.js";
import { objectIn } from "./object-text.js";
import type { OpenCodeSession } from "./opencode-session.js";
import { placeInDatabase, readWithinBounds, sessionsInDatabase } from "./stored-sessions.js";

const READ_AT_ONCE = 4 * 1024 * 1024;

/** In bytes with its parts, and in parts. Further parts are omitted. */
const LONGEST_MESSAGE = 32 * 1024 * 1024;
const MOST_PARTS = 10_000;

const LONGEST_VALUE = 1024 * 1024;

/** Visiting a page or a row takes as long as writing this many bytes. */
const BYTES_A_VISIT = 512;

/**
 * Yields some megabytes at a time, each read at one instant: the session's facts, its messages by time, and the number of unreadable
 * parts. A change in between gives the session another identity.
 * @param work receives the work of the search, as the number of written bytes that take as long
 */
export function* linesInDatabase(
  root: string,
  file: string,
  work?: (bytes: number) => void,
): Generator<string | undefined, void> {
  const { database, id } = placeInDatabase(file)!;
  const session = sessionsInDatabase(root, database)?.byId.get(id);
  if (session === undefined) return;
  let begun: Beginning | undefined;
  let next = 0;
  let damaged = 0;
  const onVisits = (visits: number) => work?.(visits * BYTES_A_VISIT);
  do {
    const read = readWithinBounds(
      root,
      database,
      (opened) => {
        const beginning = begun ?? beginningOf(opened, session);
        if (beginning === undefined) return undefined;
        return { beginning, ...messagesFrom(opened, beginning, id, next), damaged: opened.damaged };
      },
      onVisits,
    );
    if (read === undefined) return;
    yield (begun === undefined ? read.beginning.line : "") + read.lines;
    begun = read.beginning;
    next = read.next;
    damaged = Math.max(damaged, read.damaged);
  } while (next < begun.rowids.length);
  if (begun.revert !== undefined) yield `${jsonTextOf({ revert: begun.revert })}\n`;
  if (damaged > 0) yield `${jsonTextOf({ damaged })}\n`;
}

function messagesFrom(database: SqliteDatabase, { rowids, isNew }: Beginning, id: string, from: number) {
  const lineOf = isNew ? eventLine : messageLine;
  let lines = "";
  let next = from;
  for (; next < rowids.length && lines.length < READ_AT_ONCE; next++)
    lines += lineOf(database, rowids[next]!, id);
  return { lines, next };
}

interface Beginning {
  readonly line: string;
  readonly revert: unknown;
  /** Messages of version 2, which are preferred if a session has both. */
  readonly isNew: boolean;
  readonly rowids: readonly number[];
  readonly damaged: number;
}

function beginningOf(database: SqliteDatabase, { id, rows }: OpenCodeSession): Beginning | undefined {
  const events = messagesIn(database, "session_message", "seq", id);
  const isNew = events.length > 0;
  const stored = rows.map(({ table, rowid }) => database.table(table)?.row(rowid));
  const [row] = (isNew ? stored.reverse() : stored).filter((one) => one?.text("id", LONGEST_VALUE) === id);
  if (row === undefined) return undefined;
  const messages = isNew ? events : messagesIn(database, "message", "time_created", id);
  const info = infoOf(row);
  return {
    line: `${jsonTextOf({ info })}\n`,
    revert: info.revert,
    isNew,
    rowids: messages.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ rowid }) => rowid),
    damaged: database.damaged,
  };
}

interface MessageRow {
  readonly rowid: number;
  readonly at: number;
  readonly id: string;
}

/** A row holds its page in memory: many rows hold the complete table. */
function messagesIn(database: SqliteDatabase, table: string, column: string, session: string): MessageRow[] {
  const messages: MessageRow[] = [];
  for (const row of database.table(table)?.rowsWith("session_id", session) ?? [])
    messages.push({ rowid: row.rowid, at: row.number(column) ?? 0, id: row.text("id", LONGEST_VALUE) ?? "" });
  return messages;
}

function infoOf(row: RecordRow): JsonObject {
  const value = (column: string) =>
    row.size(column) > LONGEST_VALUE ? undefined : (row.get(column) ?? undefined);
  const object = (column: string) => jsonIn(row.text(column, LONGEST_VALUE) ?? "");
  const tokens = {
    input: value("tokens_input"),
    output: value("tokens_output"),
    reasoning: value("tokens_reasoning"),
    cache: { read: value("tokens_cache_read"), write: value("tokens_cache_write") },
  };
  return {
    id: value("id"),
    projectID: value("project_id"),
    parentID: value("parent_id"),
    forkSessionID: value("fork_session_id"),
    directory: value("directory"),
    path: value("path"),
    title: value("title"),
    version: value("version"),
    agent: value("agent"),
    model: object("model"),
    cost: value("cost"),
    ...(tokens.input === undefined ? {} : { tokens }),
    revert: object("revert"),
    time: {
      created: value("time_created"),
      updated: value("time_updated"),
      archived: value("time_archived"),
      idle: value("time_idle"),
    },
    idleOutcome: value("idle_outcome"),
  };
}

function messageLine(database: SqliteDatabase, rowid: number, sessionID: string): string {
  const row = database.table("message")!.row(rowid);
  const id = row?.text("id", LONGEST_VALUE);
  if (row === undefined || id === undefined || row.text("session_id", LONGEST_VALUE) !== sessionID) return "";
  const parts: { readonly part: RecordRow; readonly id: string }[] = [];
  for (const part of database.table("part")?.rowsWith("message_id", id) ?? []) {
    if (parts.length === MOST_PARTS) {
      database.countDamaged();
      break;
    }
    parts.push({ part, id: part.text("id", LONGEST_VALUE) ?? "" });
  }
  parts.sort((a, b) => (a.id < b.id ? -1 : 1));
  const info = objectText(row, { id, sessionID }, LONGEST_MESSAGE);
  let room = LONGEST_MESSAGE - info.length;
  const texts = parts.map(({ part, id: own }) => {
    const text = objectText(part, { id: own, messageID: id, sessionID }, room);
    room -= text.length;
    return text;
  });
  return `{"info":${info},"parts":[${texts.join(",")}]}\n`;
}

function eventLine(database: SqliteDatabase, rowid: number, sessionID: string): string {
  const row = database.table("session_message")!.row(rowid);
  if (row === undefined || row.text("session_id", LONGEST_VALUE) !== sessionID) return "";
  const value = (column: string) => (row.size(column) > LONGEST_VALUE ? undefined : row.get(column));
  const head = { id: value("id"), sessionID, type: value("type"), seq: value("seq") };
  return `{"data":${objectText(row, {}, LONGEST_MESSAGE)},${jsonTextOf(head)!.slice(1)}\n`;
}

/**
 * Adds members to the object in `data`.
 * @param room maximum length in bytes
 */
function objectText(row: RecordRow, more: JsonObject, room: number): string {
  const size = row.size("data");
  if (size > room) return jsonTextOf({ ...more, type: "left-out", bytes: size })!;
  const data = row.get("data");
  const text = typeof data === "string" ? objectIn(data) : undefined;
  if (text === undefined)
    return jsonTextOf({ ...more, data: data instanceof Uint8Array ? `${size} bytes` : data })!;
  const own = text.slice(0, -1).trimEnd();
  const others = jsonTextOf(more)!.slice(1);
  return own === "{" || others === "}" ? own + others : `${own},${others}`;
}
