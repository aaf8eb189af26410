import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDatabase } from "../../src/adapters/sqlite/sqlite-database.js";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { runs } from "../support/soak.js";
import { newFolder, openWriter, rowsOf } from "./support/databases.js";

const value = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.constantFrom(0, 1, 2 ** 23, -(2 ** 31), 2 ** 40, 2 ** 53 - 1),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
  fc
    .string({ unit: "grapheme", maxLength: 60 })
    .filter((one) => !one.includes("\0") && Buffer.from(one).toString() === one),
  fc.nat(9_000).map((length) => "long ".repeat(length / 5)),
  fc.uint8Array({ maxLength: 1_500 }),
);

describe("Rows of a table", () => {
  it.each([
    ["512", "UTF-8"],
    ["1024", "UTF-16le"],
    ["4096", "UTF-8"],
    ["65536", "UTF-16be"],
  ])("are those that SQLite wrote, in pages of %s bytes and %s", (pageSize, encoding) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { maxLength: 120 }), fc.nat(6), (values, left) => {
        const file = path.join(newFolder(), "a.db");
        const writer = openWriter(
          file,
          `page_size=${pageSize}`,
          `encoding='${encoding}'`,
          "auto_vacuum=full",
        );
        writer.exec("CREATE TABLE odd (\"a, b\" TEXT DEFAULT ')', n, CONSTRAINT c CHECK (1 = 1))");
        writer.exec("BEGIN");
        for (const one of values) writer.run("INSERT INTO odd VALUES (?, ?)", one as never);
        writer.exec("COMMIT");
        writer.run("DELETE FROM odd WHERE rowid % 7 = ?", [left]);
        const expected = writer
          .all("SELECT rowid AS r, * FROM odd ORDER BY rowid")
          .map((row) => Object.values(row!));
        writer.close();
        expect(rowsOf(file, "odd")).toEqual(expected);
      }),
      { numRuns: runs(30) },
    );
  });

  it("are found by an index, and without one", () => {
    const file = path.join(newFolder(), "a.db");
    const writer = openWriter(file, "page_size=512");
    writer.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, owner, at); CREATE INDEX by_owner ON t (owner, at)");
    writer.exec("CREATE INDEX part ON t (at) WHERE owner = 'o1'");
    writer.exec("BEGIN");
    for (let i = 0; i < 4_000; i++)
      writer.run("INSERT INTO t VALUES (?, ?, ?)", [i * 3 - 900, `o${i % 97}`, String(i % 5)]);
    for (const odd of [null, 5, new Uint8Array(3)]) writer.run("INSERT INTO t (owner) VALUES (?)", [odd]);
    writer.exec("COMMIT");
    const ask = (column: string, text: string) =>
      writer.all(`SELECT rowid AS r FROM t WHERE ${column} = ? ORDER BY rowid`, [text]).map((row) => row!.r);
    const read = readDatabase(path.dirname(file), file, (database) => {
      const table = database.table("t")!;
      const rowids = (column: string, text: string) =>
        [...table.rowsWith(column, text)].map(({ rowid }) => rowid).sort((a, b) => a - b);
      return {
        owners: Array.from({ length: 99 }, (_, i) => rowids("owner", `o${i}`)),
        at: rowids("at", "3"),
        entries: [...table.entriesWith("owner", "o96")].map((entry) => [
          entry.text("owner"),
          entry.text("at"),
        ]),
        row: table.row(-897)?.get("owner"),
        none: table.row(-898),
      };
    })!;
    expect(read.owners).toEqual(Array.from({ length: 99 }, (_, i) => ask("owner", `o${i}`)));
    expect(read.at).toEqual(ask("at", "3"));
    expect(read.entries).toHaveLength(41);
    expect(read).toMatchObject({ row: "o1", none: undefined });
  });

  it("have nothing in a column that was added later", () => {
    const file = path.join(newFolder(), "a.db");
    const writer = openWriter(file);
    writer.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b");
    expect(rowsOf(file, "t")).toEqual([[1, 1, null]]);
  });
});

describe("What is no table of rows", () => {
  it("is not there: a view runs no statement of its author's", () => {
    const file = path.join(newFolder(), "a.db");
    const writer = openWriter(file);
    writer.exec(
      "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
    );
    writer.exec("CREATE TABLE w (id TEXT PRIMARY KEY) WITHOUT ROWID; CREATE TABLE t (a)");
    expect(["v", "w", "t", "none"].map((name) => rowsOf(file, name))).toEqual([
      undefined,
      undefined,
      [],
      undefined,
    ]);
  });

  it("is no database", () => {
    const folder = newFolder();
    for (const text of ["", "SQLite format 3\0", "{}", "SQLite format 3\0".padEnd(4_096, "\xff")]) {
      const file = path.join(folder, "a.db");
      writeFileSync(file, text, "latin1");
      expect(rowsOf(file, "t"), JSON.stringify(text.slice(0, 20))).toBeUndefined();
    }
    expect(rowsOf(path.join(folder, "none.db"), "t")).toBeUndefined();
  });

  it("is a link that leads out of the folder", () => {
    const folder = newFolder();
    const outside = path.join(newFolder(), "a.db");
    openWriter(outside).exec("CREATE TABLE t (a)");
    mkdirSync(path.join(folder, "inside"));
    symlinkSync(outside, path.join(folder, "inside", "a.db"));
    expect(rowsOf(path.join(folder, "inside", "a.db"), "t")).toBeUndefined();
  });
});

describe("A damaged database", () => {
  const build = (file: string) => {
    const writer = openWriter(file, "page_size=512");
    writer.exec("CREATE TABLE t (id TEXT, data TEXT); CREATE INDEX i ON t (id); BEGIN");
    for (let i = 0; i < 300; i++)
      writer.run("INSERT INTO t VALUES (?, ?)", [`id${i}`, "x".repeat((i * 37) % 1_700)]);
    writer.exec("COMMIT");
    writer.close();
    return readFileSync(file);
  };

  it("costs what lies on its damaged pages, and never more time than a sound one may take", () => {
    const file = path.join(newFolder(), "a.db");
    const sound = build(file);
    const flip = fc.tuple(fc.integer({ min: 100, max: sound.length - 1 }), fc.nat(255));
    fc.assert(
      fc.property(fc.array(flip, { minLength: 1, maxLength: 40 }), (flips) => {
        const damaged = Buffer.from(sound);
        for (const [at, byte] of flips) damaged[at] = byte;
        writeFileSync(file, damaged);
        const begun = performance.now();
        const rows = rowsOf(file, "t") ?? [];
        const found = readDatabase(path.dirname(file), file, (database) =>
          [...(database.table("t")?.rowsWith("id", "id7") ?? [])].map((row) => row.text("id")),
        );
        expect(performance.now() - begun).toBeLessThan(5_000);
        expect(rows.length).toBeLessThanOrEqual(sound.length / 4);
        expect(new Set(found ?? []).size).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(400) },
    );
  });

  it("shows the rows of all other pages, and says how much it could not read", () => {
    const file = path.join(newFolder(), "a.db");
    const damaged = build(file);
    // 0x0d marks a leaf of the table.
    const at = Array.from({ length: damaged.length / 512 }, (_, i) => i * 512).filter(
      (one) => damaged[one] === 0x0d,
    )[5]!;
    damaged.fill(0xff, at, at + 512);
    writeFileSync(file, damaged);
    const rows = rowsOf(file, "t")!;
    expect(rows.length).toBeGreaterThan(280);
    expect(rows.length).toBeLessThan(300);
    const count = readDatabase(path.dirname(file), file, (database) => {
      for (const _ of database.table("t")!.rows());
      return database.damaged;
    });
    expect(count).toBe(1);
  });

  it("that is cut anywhere shows a part of it", () => {
    const file = path.join(newFolder(), "a.db");
    const sound = build(file);
    fc.assert(
      fc.property(fc.nat(sound.length), (length) => {
        writeFileSync(file, sound.subarray(0, length));
        expect(rowsOf(file, "t")?.length ?? 0).toBeLessThanOrEqual(300);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("What fails in a reading", () => {
  it("fails for whoever asked, once", () => {
    const file = path.join(newFolder(), "a.db");
    openWriter(file).exec("CREATE TABLE t (a)");
    let calls = 0;
    const fail = () => {
      calls++;
      throw new SourceUnavailableError("no");
    };
    // A recent write may have torn the reading, so it is repeated.
    expect(() => readDatabase(path.dirname(file), file, fail)).toThrow("no");
    const before = calls;
    expect(() => readDatabase(path.dirname(file), file, fail)).toThrow("no");
    expect(calls).toBe(before + 1);
  });
});
