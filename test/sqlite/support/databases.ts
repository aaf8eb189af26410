import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sqlite, { type Database } from "node-sqlite3-wasm";
import { onTestFinished } from "vitest";
import { readDatabase } from "../../../src/adapters/sqlite/sqlite-database.js";

export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** SQLite itself writes the files; without waits for the disk. */
export function openWriter(file: string, ...pragmas: readonly string[]): Database {
  const database = new sqlite.Database(file);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  for (const pragma of ["synchronous=off", ...pragmas]) database.exec(`PRAGMA ${pragma}`);
  return database;
}

/** For a writer with a write-ahead log. This build of SQLite has no shared memory, so the writer locks the database. */
export const WITH_LOG = ["locking_mode=exclusive", "journal_mode=wal", "wal_autocheckpoint=0"];

/** `undefined` where the database or the table is missing. */
export function rowsOf(file: string, table: string): unknown[][] | undefined {
  return readDatabase(path.dirname(file), file, (database) => {
    const found = database.table(table);
    return (
      found &&
      [...found.rows()].map((row) => [row.rowid, ...found.columns.map((name) => row.get(name) ?? null)])
    );
  });
}
