import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { HistoryDatabase } from "../../opencode/support/databases.js";
import type { CraftedFolder } from "./crafted-folder.js";

const CRAFTED = "opencode-crafted.db";

type Change = (database: HistoryDatabase, size: number) => void;

/** @param change adds to the database through SQLite */
function writtenBySqlite(change: Change, pragmas: readonly string[] = []): CraftedFolder["plant"] {
  return (folder, size) => {
    const history = new HistoryDatabase(path.join(folder, CRAFTED), ...pragmas);
    history.session("crafted");
    history.database.exec("BEGIN");
    change(history, size);
    history.database.exec("COMMIT");
    history.close();
  };
}

function varint(value: number): number[] {
  const bytes = [value % 128];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
    bytes.unshift((left % 128) | 128);
  return bytes;
}

/** A leaf whose overflow page points to itself. */
function loopedLeaf(pageSize: number, size: number, header: readonly number[], next: number): Buffer {
  const page = Buffer.alloc(pageSize);
  const least = Math.floor(((pageSize - 12) * 32) / 255) - 23;
  const surplus = least + ((size - least) % (pageSize - 4));
  const local = surplus <= pageSize - 35 ? surplus : least;
  page[0] = 0x0d;
  let end = pageSize;
  let cells = 0;
  for (let row = 1; ; row++) {
    const cell = Buffer.from([...varint(size), ...varint(row), ...header]);
    const length = cell.length - header.length + local + 4;
    if (end - length < 8 + 2 * row) break;
    end -= length;
    cell.copy(page, end);
    page.writeUInt32BE(next, end + length - 4);
    page.writeUInt16BE(end, 8 + 2 * (row - 1));
    cells = row;
  }
  page.writeUInt16BE(cells, 3);
  return page;
}

/** @param types of the values of each row, before one of `long` bytes */
function looped(table: string, pageSize: number): CraftedFolder["plant"] {
  return (folder, long) => {
    const file = path.join(folder, CRAFTED);
    const history = new HistoryDatabase(file, `page_size=${pageSize}`);
    history.session("crafted");
    for (let i = 0; i < 60; i++) history.message("crafted", i, { role: "user" });
    const rows = history.database.all("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]);
    history.close();
    const root = Number(rows[0]!.rootpage);
    const bytes = readFileSync(file);
    const types = [13 + 2 * 10, 13 + 2 * 7, 1, 1, ...varint(12 + 2 * long)];
    const values = Buffer.from("msg_000001crafted\x01\x01");
    const header = [types.length + 1, ...types, ...values];
    const loop = Buffer.alloc(pageSize, 0x61);
    const next = bytes.length / pageSize + 1;
    loop.writeUInt32BE(next);
    loopedLeaf(pageSize, header.length + long, header, next).copy(bytes, (root - 1) * pageSize);
    writeFileSync(file, Buffer.concat([bytes, loop]));
  };
}

/** Its only frame states the size of the database in pages. */
function withLog(pages: number): CraftedFolder["plant"] {
  return (folder) => {
    writtenBySqlite((history) => history.prompt("crafted", 1, "Count."))(folder, 0);
    const file = path.join(folder, CRAFTED);
    const page = readFileSync(file).subarray(0, 4_096);
    const log = Buffer.alloc(32 + 24 + page.length);
    log.writeUInt32BE(0x377f0683);
    log.writeUInt32BE(3_007_000, 4);
    log.writeUInt32BE(page.length, 8);
    const sum = (bytes: Buffer, [first, second]: [number, number]): [number, number] => {
      let [a, b] = [first, second];
      for (let at = 0; at < bytes.length; at += 8) {
        a = (a + bytes.readUInt32BE(at) + b) >>> 0;
        b = (b + bytes.readUInt32BE(at + 4) + a) >>> 0;
      }
      return [a, b];
    };
    let running = sum(log.subarray(0, 24), [0, 0]);
    for (const [i, one] of running.entries()) log.writeUInt32BE(one, 24 + 4 * i);
    log.writeUInt32BE(1, 32);
    log.writeUInt32BE(pages, 36);
    page.copy(log, 56);
    running = sum(log.subarray(56), sum(log.subarray(32, 40), running));
    for (const [i, one] of running.entries()) log.writeUInt32BE(one, 48 + 4 * i);
    writeFileSync(`${file}-wal`, log);
  };
}

const database = (
  name: string,
  plant: CraftedFolder["plant"],
  sizes: CraftedFolder["sizes"],
  warning?: RegExp,
): CraftedFolder => ({ name, format: "opencode", plant, sizes, ...(warning && { warning }) });

const LIMIT = /opencode-crafted\.db is not read: .* "PRAGMA integrity_check", or move it out of the folder/;

export const CRAFTED_DATABASES: readonly CraftedFolder[] = [
  database("a database of rows on a page that follows itself", looped("message", 4_096), [2 ** 24, 2 ** 25]),
  database("the same with long pages", looped("message", 65_536), [2 ** 24, 2 ** 25]),
  database("a database of rows of a terabyte", looped("message", 4_096), [2 ** 40, 2 ** 40]),
  database("a database of sessions of a terabyte", looped("session", 4_096), [2 ** 40, 2 ** 40]),
  database("a log of two billion pages", withLog(2_000_000_000), [1, 1]),
  database(
    "a database that is a hole of a terabyte",
    (folder, size) => {
      writtenBySqlite((history) => history.prompt("crafted", 1, "Count."))(folder, 0);
      truncateSync(path.join(folder, CRAFTED), size);
    },
    [2 ** 40, 2 ** 40],
  ),
  database(
    "a statement of brackets",
    (folder, size) => {
      writtenBySqlite(({ database: db }) => {
        db.exec(`CREATE TABLE odd (a DEFAULT '${"[".repeat(size)}')`);
      })(folder, size);
      const file = path.join(folder, CRAFTED);
      const bytes = readFileSync(file);
      // Renames the statement's table to one that the reader opens.
      for (let at = bytes.indexOf("tableodd"); at !== -1; at = -1) bytes.write("tableodd", at);
      const quote = bytes.indexOf("DEFAULT '[");
      bytes.write(" ", quote + 8);
      writeFileSync(file, bytes);
    },
    [3_000, 60_000],
  ),
  database(
    "a database of many tables",
    writtenBySqlite(({ database: db }, size) => {
      for (let i = 0; i < size; i++) db.exec(`CREATE TABLE t${i} (a)`);
    }),
    [2_100, 3_000],
    LIMIT,
  ),
  database(
    "a database of many sessions",
    writtenBySqlite((history, size) => {
      for (let i = 0; i < size; i++) history.session(`ses_${i}`);
    }),
    [50, 60_000],
  ),
  database(
    "a database of one message of many parts",
    writtenBySqlite((history, size) => {
      const message = history.message("crafted", 1, { role: "user" });
      for (let i = 0; i < size; i++) history.part("crafted", message, 1, "{}");
    }),
    [500, 400_000],
  ),
  database(
    "a database of JSON nested deeper than any stack, in UTF-16",
    writtenBySqlite(
      (history, size) =>
        history.message("crafted", 1, { role: "user" }, [
          JSON.parse(`{"text":${"[".repeat(9)}${"]".repeat(9)}}`),
        ]) &&
        history.part(
          "crafted",
          "msg_000001",
          1,
          `{"type":"text","text":${"[".repeat(size)}${"]".repeat(size)}}`,
        ),
      ["encoding='UTF-16be'"],
    ),
    [100_000, 1_000_000],
  ),
  database(
    "a database of a value of a hundred megabytes",
    writtenBySqlite((history, size) =>
      history.part(
        "crafted",
        history.message("crafted", 1, { role: "user" }),
        1,
        `{"text":"${"x".repeat(size)}"}`,
      ),
    ),
    [1_000_000, 100_000_000],
  ),
];
