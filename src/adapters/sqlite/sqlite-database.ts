import { rowsIn, type Tree } from "./b-tree.js";
import { DatabasePages, inTheMiddle } from "./database-pages.js";
import type { RecordRow } from "./record-row.js";
import { createdColumns } from "./schema.js";

/** How often a database is read at most that is written to meanwhile, and how long is waited before that, in milliseconds. */
const MOST_READINGS = 40;
const PAUSE_MS = 13;

/**
 * Reads a database as it is at one instant, whoever writes to it: without a lock, and without a file beside it. What was read while the
 * database changed is read again, so `read` keeps nothing of it but what it returns. For threads: it waits.
 *
 * @returns `undefined` where there is no such database
 * @throws SourceUnavailableError where it may not be read, or somebody writes to it all the time
 * @example readDatabase(root, "/home/me/opencode.db", (database) => [...database.table("session")!.rows()].length)
 */
export function readDatabase<T>(
  root: string,
  file: string,
  read: (database: SqliteDatabase) => T,
): T | undefined {
  for (let i = 0; i < MOST_READINGS; i++) {
    if (i > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    const pages = DatabasePages.open(root, file);
    if (pages === undefined) return undefined;
    try {
      const value = attempt(() => read(new SqliteDatabase(pages)));
      if (pages.isAsItWas(root, file)) {
        if ("error" in value) throw value.error;
        return value.value;
      }
    } finally {
      pages.close();
    }
  }
  throw inTheMiddle(root, file);
}

/** What fails while the database changes may have failed for that. */
function attempt<T>(call: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: call() };
  } catch (error) {
    return { error };
  }
}

/** A database as it is at one instant. */
export class SqliteDatabase {
  readonly #pages: DatabasePages;
  readonly #tables = new Map<string, Tree>();
  readonly #indexes = new Map<string, Tree[]>();

  constructor(pages: DatabasePages) {
    this.#pages = pages;
    const columns = new Map(["type", "name", "tbl_name", "rootpage", "sql"].map((name, i) => [name, i]));
    const schema = [...rowsIn({ pages, root: 1, isTable: true, columns })];
    for (const row of schema.filter((one) => one.text("type") === "table")) this.#addTable(row);
    for (const row of schema.filter((one) => one.text("type") === "index")) this.#addIndex(row);
  }

  /** How many pages, and rows on them, could not be read so far. */
  get damaged(): number {
    return this.#pages.damaged;
  }

  /** A table of rows; `undefined` where there is none: neither a view is one, nor what a module makes. */
  table(name: string): SqliteTable | undefined {
    const tree = this.#tables.get(name);
    return tree && new SqliteTable(tree, this.#indexes.get(name) ?? []);
  }

  #addTable(row: RecordRow): void {
    const [name, root, sql] = [row.text("name"), row.number("rootpage"), row.text("sql")];
    const created = sql === undefined ? undefined : createdColumns(sql);
    if (name === undefined || !root || created === undefined || created.rest.includes("without rowid"))
      return;
    const columns = new Map(created.names.map((column, i) => [column, i]));
    this.#tables.set(name, { pages: this.#pages, root, isTable: true, columns });
  }

  /** Only what holds all rows in the order of its columns. One that a constraint made names its columns nowhere. */
  #addIndex(row: RecordRow): void {
    const [table, root, sql] = [row.text("tbl_name"), row.number("rootpage"), row.text("sql")];
    const created = sql === undefined ? undefined : createdColumns(sql);
    if (table === undefined || !root || created === undefined || created.rest !== "") return;
    if (/\b(desc|collate)\b/i.test(sql!)) return;
    const columns = new Map(created.names.map((column, i) => [column, i]));
    const tree = { pages: this.#pages, root, isTable: false, columns };
    this.#indexes.set(table, [...(this.#indexes.get(table) ?? []), tree]);
  }
}

export class SqliteTable {
  readonly #tree: Tree;
  readonly #indexes: readonly Tree[];

  constructor(tree: Tree, indexes: readonly Tree[]) {
    this.#tree = tree;
    this.#indexes = indexes;
  }

  /** Whether it has all of some columns. */
  has(...columns: readonly string[]): boolean {
    return columns.every((column) => this.#tree.columns.has(column));
  }

  get columns(): readonly string[] {
    return [...this.#tree.columns.keys()];
  }

  /** All rows, in the order of their numbers. */
  rows(): Generator<RecordRow, void> {
    return rowsIn(this.#tree);
  }

  row(rowid: number): RecordRow | undefined {
    if (!Number.isFinite(rowid)) return undefined;
    for (const row of rowsIn(this.#tree, (one) => one.rowid - rowid)) return row;
    return undefined;
  }

  /** The rows with a text in a column, by an index where there is one. */
  *rowsWith(column: string, text: string): Generator<RecordRow, void> {
    const wanted = (row: RecordRow) => row.text(column) === text;
    const [index] = this.#indexesOf(column);
    if (index === undefined) {
      for (const row of rowsIn(this.#tree)) if (wanted(row)) yield row;
      return;
    }
    for (const entry of this.entriesWith(column, text, index)) {
      const row = this.row(entry.tableRow());
      if (row !== undefined && wanted(row)) yield row;
    }
  }

  /** The same as the index has them, or the rows where there is none. */
  *entriesWith(
    column: string,
    text: string,
    index: Tree | undefined = this.#indexesOf(column)[0],
  ): Generator<RecordRow, void> {
    if (index === undefined) return yield* this.rowsWith(column, text);
    const { encoding } = index.pages;
    const wanted = Buffer.from(text, encoding === "utf8" ? "utf8" : "utf16le");
    if (encoding === "utf16be") wanted.swap16();
    yield* rowsIn(index, (row) => row.compareText(0, wanted));
  }

  #indexesOf(first: string): Tree[] {
    const found = this.#indexes.filter(({ columns }) => columns.get(first) === 0);
    return found.sort((a, b) => b.columns.size - a.columns.size);
  }
}
