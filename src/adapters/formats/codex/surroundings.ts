import path from "node:path";
import { SourceUnavailableError } from "../../../application/errors.js";
import { type JsonObject, textField } from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { readDatabase, type SqliteDatabase } from "../../sqlite/sqlite-database.js";
import { namesIn } from "../../transcripts/folder/file-lookups.js";
import type { NamedSession, SessionIndex, Surroundings } from "../../transcripts/folder/surroundings.js";

/** A home names threads in three files: a database, a list of names, and a list of prompts. The newest generation of databases counts. */
export function surroundings(root: string): Surroundings {
  const index = (name: string, named: (record: JsonObject) => NamedSession | undefined) => {
    return { folder: root, file: path.join(root, name), named };
  };
  const lists = [index("session_index.jsonl", nameOf), index("history.jsonl", promptOf)];
  return { indexes: [...databasesIn(root), ...lists] };
}

const STATE = /^state_(\d+)\.sqlite$/;

function databasesIn(root: string): SessionIndex[] {
  const generations = namesIn(root, root).files.flatMap((name) => STATE.exec(name)?.[1] ?? []);
  if (generations.length === 0) return [];
  const name = `state_${Math.max(...generations.map(Number))}.sqlite`;
  const file = path.join(root, name);
  const read = () => {
    const threads = readDatabase(root, file, threadsIn);
    if (threads === undefined) throw new SourceUnavailableError(`${name} is no database that can be read.`);
    return threads;
  };
  return [{ folder: root, file, rest: `${file}-wal`, read }];
}

/** A thread without a title is a sub-agent's. */
function threadsIn(database: SqliteDatabase): NamedSession[] {
  const table = database.table("threads");
  if (table?.has("id", "cwd", "title") !== true) return [];
  const threads: NamedSession[] = [];
  const has = (column: string) => table.has(column);
  for (const row of table.rows()) {
    const sessionId = row.text("id");
    if (sessionId === undefined) continue;
    const directory = row.text("cwd");
    threads.push({
      sessionId,
      tenantId: directory?.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200),
      title: (has("name") ? row.text("name") : undefined) || row.text("title") || undefined,
      directory,
      at: has("updated_at_ms") ? instantOf(row.number("updated_at_ms")) : undefined,
    });
  }
  return threads;
}

function nameOf(record: JsonObject): NamedSession | undefined {
  const sessionId = textField(record, "id");
  if (sessionId === undefined) return undefined;
  return { sessionId, title: textField(record, "thread_name"), at: instantOf(record.updated_at) };
}

/** `ts` is in seconds. */
function promptOf({ ts, ...record }: JsonObject): NamedSession | undefined {
  const sessionId = textField(record, "session_id");
  if (sessionId === undefined) return undefined;
  const at = typeof ts === "number" ? instantOf(ts * 1_000) : undefined;
  return { sessionId, title: textField(record, "text"), at };
}
