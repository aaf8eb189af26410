import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDatabase } from "../../src/adapters/sqlite/sqlite-database.js";
import { runs } from "../support/soak.js";
import { newFolder, openWriter, rowsOf, WITH_LOG } from "./support/databases.js";

const values = (file: string) => rowsOf(file, "t")?.map(([, one]) => one);

function written(pageSize: number, rows: number) {
  const file = path.join(newFolder(), "a.db");
  const writer = openWriter(file, `page_size=${pageSize}`, ...WITH_LOG);
  writer.exec("CREATE TABLE t (n, text)");
  writer.exec("PRAGMA wal_checkpoint(truncate)");
  for (let n = 0; n < rows; n++) writer.run("INSERT INTO t VALUES (?, ?)", [n, "y".repeat((n * 211) % 900)]);
  return { file, writer, log: `${file}-wal` };
}

function copied({ file, log }: { readonly file: string; readonly log: string }) {
  const copy = path.join(newFolder(), "a.db");
  copyFileSync(file, copy);
  copyFileSync(log, `${copy}-wal`);
  return { file: copy, log: `${copy}-wal` };
}

const range = (length: number) => Array.from({ length }, (_, n) => n);

describe("A write-ahead log", () => {
  it.each([512, 4_096, 65_536])("is read with its database, in pages of %i bytes", (pageSize) => {
    const { file, writer } = written(pageSize, 30);
    expect(values(file)).toEqual(range(30));
    writer.run("UPDATE t SET n = -1 WHERE n = 3");
    expect(values(file)?.[3]).toBe(-1);
  });

  it("is read without any file beside the database, and leaves none", () => {
    const { file } = copied(written(4_096, 5));
    expect(values(file)).toEqual(range(5));
    expect(readdirSync(path.dirname(file)).sort()).toEqual(["a.db", "a.db-wal"]);
  });

  it("shows nothing of a transaction that goes on, however much of it is written", () => {
    const { file, writer } = written(4_096, 3);
    writer.exec("PRAGMA cache_size=1; BEGIN");
    for (let n = 0; n < 400; n++) writer.run("INSERT INTO t VALUES (?, ?)", [100 + n, "z".repeat(3_000)]);
    expect(readFileSync(`${file}-wal`).length).toBeGreaterThan(500_000);
    expect(values(file)).toEqual(range(3));
    writer.exec("COMMIT");
    expect(values(file)).toHaveLength(403);
    writer.exec("BEGIN; DELETE FROM t; ROLLBACK");
    expect(values(file)).toHaveLength(403);
  });

  it("begins anew behind a checkpoint: what it held before does not count", () => {
    const { file, writer } = written(4_096, 40);
    expect(values(file)).toHaveLength(40);
    writer.exec("PRAGMA wal_checkpoint(restart)");
    writer.run("DELETE FROM t WHERE n > 0");
    expect(readFileSync(`${file}-wal`).length).toBeGreaterThan(20 * 4_096);
    expect(values(file)).toEqual([0]);
  });

  it("that is cut anywhere holds the transactions that are whole", () => {
    const whole = copied(written(512, 12));
    const bytes = readFileSync(whole.log);
    let last = 0;
    for (let length = 0; length <= bytes.length; length += 97) {
      writeFileSync(whole.log, bytes.subarray(0, length));
      const found = values(whole.file)!;
      expect(found).toEqual(range(found.length));
      expect(found.length).toBeGreaterThanOrEqual(last);
      last = found.length;
    }
    writeFileSync(whole.log, bytes);
    expect(values(whole.file)).toEqual(range(12));
    truncateSync(whole.log, 0);
    expect(values(whole.file)).toEqual([]);
  });

  it("with a wrong byte holds the transactions before it", () => {
    const whole = copied(written(512, 12));
    const bytes = readFileSync(whole.log);
    let run = 0;
    // SQLite may have reserved space after the frames.
    const salt = bytes.subarray(16, 24);
    let end = 32;
    while (bytes.subarray(end + 8, end + 16).equals(salt)) end += 24 + 512;
    fc.assert(
      fc.property(fc.nat(end - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = damaged[at]! ^ change;
        // The reader continues from the last position in the same log, so each of these is another file.
        const file = path.join(path.dirname(whole.file), `${run++}.db`);
        copyFileSync(whole.file, file);
        writeFileSync(`${file}-wal`, damaged);
        const found = values(file) ?? [];
        expect(found).toEqual(range(found.length));
        if (at < 32) expect(found).toEqual([]);
        else expect(found.length).toBeLessThan(12);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("A database that changes while it is read", () => {
  it("is read again, and shown as it is at one instant", () => {
    const { file, writer } = written(4_096, 1);
    let readings = 0;
    const read = readDatabase(path.dirname(file), file, (database) => {
      const rows = [...database.table("t")!.rows()].map((row) => row.get("n"));
      if (readings++ === 0) {
        writer.run("INSERT INTO t VALUES (7, '')");
        writer.exec("PRAGMA wal_checkpoint(truncate)");
      }
      return rows;
    });
    expect(read).toEqual([0, 7]);
    expect(readings).toBeGreaterThan(1);
  });

  it("is shown as it was where the log is only added to", async () => {
    const { file, writer } = written(4_096, 1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    let readings = 0;
    const read = readDatabase(path.dirname(file), file, (database) => {
      if (readings++ === 0) writer.run("INSERT INTO t VALUES (7, '')");
      return [...database.table("t")!.rows()].map((row) => row.get("n"));
    });
    expect(read).toEqual([0]);
    expect(readings).toBe(1);
  });

  it("without a log is not read in the middle of a transaction", () => {
    const file = path.join(newFolder(), "a.db");
    const writer = openWriter(file, "cache_size=1");
    writer.exec("CREATE TABLE t (n, text); INSERT INTO t VALUES (1, ''); BEGIN");
    for (let n = 0; n < 400; n++) writer.run("INSERT INTO t VALUES (?, ?)", [n, "z".repeat(3_000)]);
    expect(readdirSync(path.dirname(file))).toContain("a.db-journal");
    expect(() => values(file)).toThrow(/a change of it goes on, or was cut off/);
    writer.exec("ROLLBACK");
    expect(values(file)).toEqual([1]);
  });
});
