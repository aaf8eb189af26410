import { rowsIn, type Tree } from "./b-tree.js";
import { type DatabaseLimitError, DatabasePages, inTheMiddle, type OnVisits } from "./database-pages.js";
import type { RecordRow } from "./record-row.js";
import { type CreatedColumns, createdColumns } from "./schema.js";

const MOST_READINGS = 40;
const PAUSE_MS = 13;

/**
 * Reads a database in its state at one instant, without a lock or a file beside it. If the database changes meanwhile, `read` runs again,
 * so it must store only its result. It blocks the thread.
 * @returns `undefined` without such a database
 * @throws DatabaseLimitError if it exceeds a bound
 * @throws SourceUnavailableError if it may not be read, or changes all the time
 * @example readDatabase(root, "/home/me/opencode.db", (database) => [...database.table("session")!.rows()].length)
 */
export function readDatabase<T>(
  root: string,
  file: string,
  read: (database: SqliteDatabase) => T,
  onVisits?: OnVisits,
): T | undefined {
  for (let i = 0; i < MOST_READINGS; i++) {
    if (i > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    const pages = DatabasePages.open(root, file, onVisits);
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

/** A concurrent change may have caused the failure. */
function attempt<T>(call: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: call() };
  } catch (error) {
    return { error };
  }
}

/** Per database and per table; OpenCode has about fifty. */
const MOST_IN_SCHEMA = 2_000;
const MOST_INDEXES = 50;

const LONGEST_STATEMENT = 64 * 1024;
const LONGEST_NAME = 1_000;

export class SqliteDatabase {
  readonly #pages: DatabasePages;
  readonly #schema: readonly RecordRow[];
  readonly #tables = new Map<string, SqliteTable | undefined>();

  constructor(pages: DatabasePages) {
    this.#pages = pages;
    const columns = new Map(["type", "name", "tbl_name", "rootpage", "sql"].map((name, i) => [name, i]));
    const schema: RecordRow[] = [];
    for (const row of rowsIn({ pages, root: 1, isTable: true, columns })) {
      if (schema.push(row) > MOST_IN_SCHEMA)
        throw pages.limitError(`it has more than ${MOST_IN_SCHEMA} tables and indexes`);
    }
    this.#schema = schema;
  }

  get damaged(): number {
    return this.#pages.damaged;
  }

  countDamaged(): void {
    this.#pages.damaged++;
  }

  limitError(why: string): DatabaseLimitError {
    return this.#pages.limitError(why);
  }

  /** `undefined` if it does not exist, or is a view or a module's table. */
  table(name: string): SqliteTable | undefined {
    if (!this.#tables.has(name)) this.#tables.set(name, this.#tableNamed(name));
    return this.#tables.get(name);
  }

  #tableNamed(name: string): SqliteTable | undefined {
    const row = this.#schema.findLast((one) => isOf(one, "table") && one.text("name", LONGEST_NAME) === name);
    const [root, sql] = [row?.number("rootpage"), row?.text("sql", LONGEST_STATEMENT)];
    const created = sql === undefined ? undefined : createdColumns(sql);
    if (!root || created === undefined || created.rest.includes("without rowid")) return undefined;
    const indexes = this.#schema
      .filter((one) => isOf(one, "index") && one.text("tbl_name", LONGEST_NAME) === name)
      .slice(0, MOST_INDEXES);
    return new SqliteTable(
      this.#treeOf(root, true, created),
      indexes.flatMap((one) => this.#indexOf(one) ?? []),
    );
  }

  /** Only indexes of all rows in column order; a constraint's index has no SQL. */
  #indexOf(row: RecordRow): Tree | undefined {
    const [root, sql] = [row.number("rootpage"), row.text("sql", LONGEST_STATEMENT)];
    const created = sql === undefined ? undefined : createdColumns(sql);
    if (!root || created === undefined || created.rest !== "") return undefined;
    return /\b(desc|collate)\b/i.test(sql!) ? undefined : this.#treeOf(root, false, created);
  }

  #treeOf(root: number, isTable: boolean, { names }: CreatedColumns): Tree {
    return { pages: this.#pages, root, isTable, columns: new Map(names.map((column, i) => [column, i])) };
  }
}

function isOf(row: RecordRow, type: "table" | "index"): boolean {
  return row.text("type", LONGEST_NAME) === type;
}

export class SqliteTable {
  readonly #tree: Tree;
  readonly #indexes: readonly Tree[];
  readonly #scans = new Map<string, ReadonlyMap<string, readonly number[]>>();

  constructor(tree: Tree, indexes: readonly Tree[]) {
    this.#tree = tree;
    this.#indexes = indexes;
  }

  has(...columns: readonly string[]): boolean {
    return columns.every((column) => this.#tree.columns.has(column));
  }

  get columns(): readonly string[] {
    return [...this.#tree.columns.keys()];
  }

  rows(): Generator<RecordRow, void> {
    return rowsIn(this.#tree);
  }

  row(rowid: number): RecordRow | undefined {
    if (!Number.isFinite(rowid)) return undefined;
    for (const row of rowsIn(this.#tree, (one) => one.rowid - rowid)) return row;
    return undefined;
  }

  *rowsWith(column: string, text: string): Generator<RecordRow, void> {
    const wanted = (row: RecordRow) => row.text(column) === text;
    const [index] = this.#indexesOf(column);
    if (index === undefined) {
      for (const rowid of this.#scanOf(column).get(text) ?? []) {
        const row = this.row(rowid);
        if (row !== undefined && wanted(row)) yield row;
      }
      return;
    }
    for (const entry of this.entriesWith(column, text, index)) {
      const row = this.row(entry.tableRow());
      if (row !== undefined && wanted(row)) yield row;
    }
  }

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

  /** One pass serves all texts: a pass for each would be quadratic. */
  #scanOf(column: string): ReadonlyMap<string, readonly number[]> {
    const before = this.#scans.get(column);
    if (before !== undefined) return before;
    const scan = new Map<string, number[]>();
    for (const row of rowsIn(this.#tree)) {
      const text = row.text(column, LONGEST_NAME);
      if (text === undefined) continue;
      const rowids = scan.get(text);
      if (rowids === undefined) scan.set(text, [row.rowid]);
      else rowids.push(row.rowid);
    }
    this.#scans.set(column, scan);
    return scan;
  }

  #indexesOf(first: string): Tree[] {
    const candidates = this.#indexes.filter(({ columns }) => columns.get(first) === 0);
    return candidates.sort((a, b) => b.columns.size - a.columns.size);
  }
}
