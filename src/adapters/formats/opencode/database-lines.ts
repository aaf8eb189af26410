import { type JsonObject, jsonIn } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import type { RecordRow } from "../../sqlite/record-row.js";
import { readDatabase, type SqliteDatabase } from "../../sqlite/sqlite-database.js";
import type { OpenCodeSession } from "./opencode-session.js";
import { placeInDatabase, sessionsInDatabase } from "./stored-sessions.js";

/** How much of a session is read at one instant, in bytes; a longer value than this is left out. */
const READ_AT_ONCE = 4 * 1024 * 1024;
const LONGEST_VALUE = 64 * 1024 * 1024;

/**
 * The lines of a session, a few megabytes at a time, each of one instant: what is said of itself, its messages in the order of their
 * time, and how much of it could not be read. What changes between two of them gives the session another identity.
 */
export function* linesInDatabase(root: string, file: string): Generator<string | undefined, void> {
  const { database, id } = placeInDatabase(file)!;
  const session = sessionsInDatabase(root, database)?.byId.get(id);
  if (session === undefined) return;
  const begun = readDatabase(root, database, (opened) => beginningOf(opened, session));
  if (begun === undefined) return;
  yield begun.line;
  let { damaged } = begun;
  for (let at = 0; at < begun.rowids.length; ) {
    const read = readDatabase(root, database, (opened) => {
      const lines: string[] = [];
      let [next, length] = [at, 0];
      for (; next < begun.rowids.length && length < READ_AT_ONCE; next++) {
        const line = begun.isNew
          ? eventLine(opened, begun.rowids[next]!, id)
          : messageLine(opened, begun.rowids[next]!, id);
        lines.push(line);
        length += line.length;
      }
      return { lines, next, damaged: opened.damaged };
    });
    if (read === undefined) return;
    yield read.lines.join("");
    at = read.next;
    damaged = Math.max(damaged, read.damaged);
  }
  if (begun.revert !== undefined) yield `${jsonTextOf({ revert: begun.revert })}\n`;
  if (damaged > 0) yield `${jsonTextOf({ damaged })}\n`;
}

interface Beginning {
  readonly line: string;
  /** What was taken back of it. */
  readonly revert: unknown;
  /** Whether its messages are those of version 2: of a session that has both, these. */
  readonly isNew: boolean;
  /** The rows of its messages, in their order. */
  readonly rowids: readonly number[];
  readonly damaged: number;
}

function beginningOf(database: SqliteDatabase, { id, rows }: OpenCodeSession): Beginning | undefined {
  const events = [...(database.table("session_message")?.rowsWith("session_id", id) ?? [])];
  const isNew = events.length > 0;
  const found = rows.map(({ table, rowid }) => database.table(table)?.row(rowid));
  const [row] = (isNew ? found.reverse() : found).filter((one) => one?.text("id") === id);
  if (row === undefined) return undefined;
  const messages = isNew ? events : [...(database.table("message")?.rowsWith("session_id", id) ?? [])];
  const column = isNew ? "seq" : "time_created";
  const ordered = messages.map((one) => ({
    rowid: one.rowid,
    at: one.number(column) ?? 0,
    id: one.text("id") ?? "",
  }));
  ordered.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const info = infoOf(row);
  return {
    line: `${jsonTextOf({ info })}\n`,
    revert: info.revert,
    isNew,
    rowids: ordered.map(({ rowid }) => rowid),
    damaged: database.damaged,
  };
}

/** A session as an export tells it. */
function infoOf(row: RecordRow): JsonObject {
  const value = (column: string) => row.get(column) ?? undefined;
  const object = (column: string) =>
    typeof value(column) === "string" ? jsonIn(row.text(column)!) : undefined;
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
  const id = row?.text("id");
  if (row === undefined || id === undefined || row.text("session_id") !== sessionID) return "";
  const parts = [...(database.table("part")?.rowsWith("message_id", id) ?? [])];
  const ordered = parts
    .map((part) => ({ part, id: part.text("id") ?? "" }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const texts = ordered.map(({ part, id: own }) => objectText(part, { id: own, messageID: id, sessionID }));
  return `{"info":${objectText(row, { id, sessionID })},"parts":[${texts.join(",")}]}\n`;
}

function eventLine(database: SqliteDatabase, rowid: number, sessionID: string): string {
  const row = database.table("session_message")!.row(rowid);
  if (row === undefined || row.text("session_id") !== sessionID) return "";
  const head = { id: row.get("id"), sessionID, type: row.get("type"), seq: row.get("seq") };
  return `{"data":${objectText(row, {})},${jsonTextOf(head)!.slice(1)}\n`;
}

/** The object in `data` with some more members: as it is stored, where it is one. */
function objectText(row: RecordRow, more: JsonObject): string {
  const size = row.size("data");
  if (size > LONGEST_VALUE) return jsonTextOf({ ...more, type: "left-out", bytes: size })!;
  const data = row.get("data");
  const text = typeof data === "string" ? data.trim() : "";
  const value = text.startsWith("{") ? parsed(text) : undefined;
  if (value === undefined)
    return jsonTextOf({ ...more, data: data instanceof Uint8Array ? `${size} bytes` : data })!;
  if (/[\n\r]/.test(text)) return jsonTextOf({ ...value, ...more })!;
  const own = text.slice(0, -1).trimEnd();
  const others = jsonTextOf(more)!.slice(1);
  return own === "{" || others === "}" ? own + others : `${own},${others}`;
}

/** The object that a text is. How deep it is, whoever reads its line looks at. */
function parsed(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
