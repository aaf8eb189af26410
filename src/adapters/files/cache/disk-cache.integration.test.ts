import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ReadingTask, RunOptions } from "../../../application/ports/reading-pool.js";
import { InProcessPool } from "../../../application/threads/in-process-pool.js";
import { runToEnd } from "../../../domain/lists/run-to-end.js";
import { NUMBERS_PER_IDENTITY } from "../bytes/file-identities.js";
import { addLines, dropAbsent, lineOf, readCacheFile, valueIn, writeCacheFile } from "./cache-file.js";
import { clearCache, sizeOfCache, trimCache } from "./cache-folder.js";
import {
  type CacheKey,
  type CacheLocation,
  cacheKey,
  DiskCache,
  recallTexts,
  recallValues,
  saveCache,
  type ValueKind,
} from "./disk-cache.js";
import { SourceCache } from "./source-cache.js";

const TEXTS: ValueKind<string> = { name: "texts", shape: "text" };
const NUMBERS: ValueKind<number> = { name: "texts", shape: "number" };
const STAMP = "0123456789abcdef0123456789abcdef";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "disk-cache-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});

const identityOf = (changedAt: number) => new Float64Array([1, 2, 3, changedAt, changedAt]);

/** A file that changed at some time. */
const keyOf = (name: string, changedAt = 1.5) => cacheKey(name, "", identityOf(changedAt));

function save(place: CacheLocation, keys: readonly CacheKey[], kind = TEXTS, value = "value"): void {
  const cache = new DiskCache(place);
  for (const key of keys) cache.add(kind, key, value);
  runToEnd(saveCache({ place, added: cache.added, isListed: false }));
}

const get = (place: CacheLocation, key: CacheKey, kind: ValueKind<unknown> = TEXTS) =>
  new DiskCache(place).get(kind, key);

describe("a disk cache", () => {
  it("gives what was saved for files that are the same, and nothing for others", () => {
    const place = { dir, root: dir };
    save(place, [keyOf("a")]);
    expect(get(place, keyOf("a"))).toBe("value");
    expect(get(place, keyOf("a", 2.5))).toBeUndefined();
    expect(get(place, keyOf("b"))).toBeUndefined();
    expect(get(place, keyOf("a"), { ...TEXTS, name: "other texts" })).toBeUndefined();
    expect(get({ dir, root: "/elsewhere" }, keyOf("a"))).toBeUndefined();
  });

  it("recalls values in the order in which they are wanted, and says where there is none at all", () => {
    const place = { dir, root: dir };
    const wanted = ["b", "a"].map((name) => ({ path: name, madeOf: "", identity: identityOf(1.5) }));
    expect(runToEnd(recallValues(place, TEXTS, wanted))).toBeUndefined();
    save(place, [keyOf("a")]);
    expect(runToEnd(recallValues(place, TEXTS, wanted))).toEqual([null, "value"]);
    expect(runToEnd(recallTexts(place, TEXTS, wanted))).toEqual([null, '"value"']);
    expect(runToEnd(recallTexts(place, NUMBERS, wanted))).toEqual([null, null]);
  });

  it("keeps nothing of a file that has just changed, or cannot be read", () => {
    const place = { dir, root: dir };
    // It stands still: on a busy machine a moment is soon over.
    const now = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(now);
    onTestFinished(() => clock.mockRestore());
    const keys = [
      keyOf("a", now - 0.5),
      keyOf("a", Math.floor(now / 1_000) * 1_000),
      cacheKey("a", "", new Float64Array(NUMBERS_PER_IDENTITY).fill(-1)),
    ];
    save(place, keys);
    for (const key of keys) expect(get(place, key)).toBeUndefined();
  });

  it("gives no value of another shape", () => {
    const place = { dir, root: dir };
    save(place, [keyOf("a")]);
    expect(get(place, keyOf("a"), NUMBERS)).toBeUndefined();
  });

  it("is readable by its user alone, one file for each kind, and leaves nothing half written", () => {
    const own = path.join(dir, "new");
    save({ dir: own, root: dir }, [keyOf("a"), keyOf("b")]);
    save({ dir: own, root: dir }, [keyOf("a")], { ...TEXTS, name: "other texts" });
    expect(statSync(own).mode & 0o777).toBe(0o700);
    const names = readdirSync(own);
    expect(names).toEqual([expect.stringMatching(/\.cache$/), expect.stringMatching(/\.cache$/)]);
    for (const name of names) expect(statSync(path.join(own, name)).mode & 0o777).toBe(0o600);
  });
});

describe("a file of a cache", () => {
  const write = (values: Readonly<Record<string, unknown>>, file = path.join(dir, "file")) => {
    const lines = readCacheFile(file, "purpose");
    for (const [name, value] of Object.entries(values))
      addLines(lines, Buffer.from(lineOf(name, STAMP, value)));
    runToEnd(writeCacheFile(file, "purpose", lines));
    return file;
  };
  const namesIn = (file: string, purpose = "purpose") =>
    [...readCacheFile(file, purpose).keys()].map((key) => JSON.parse(key));

  it("gives what was written", () => {
    const value = { tokens: 1_234_567, title: "Äpfel 🍎\tand\npears" };
    const line = readCacheFile(write({ "/a\t\n": value }), "purpose").get(JSON.stringify("/a\t\n"))!;
    expect(valueIn(line, STAMP)).toEqual(value);
    expect(valueIn(line, STAMP.replace("0", "1"))).toBeUndefined();
  });

  it("counts as empty with any bit of it flipped, with an end cut off, and with something behind it", () => {
    const file = write({ "/a": 1 });
    const right = readFileSync(file);
    for (let bit = 0; bit < right.length * 8; bit++) {
      const damaged = Buffer.from(right);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(file, damaged);
      expect(namesIn(file)).toEqual([]);
    }
    for (let length = 0; length < right.length; length++) {
      writeFileSync(file, right.subarray(0, length));
      expect(namesIn(file)).toEqual([]);
    }
    writeFileSync(file, Buffer.concat([right, Buffer.from("\n")]));
    expect(namesIn(file)).toEqual([]);
  });

  it("counts as empty for another purpose, and where it is a link, a folder, or larger than any that is written", () => {
    const file = write({ "/a": 1 });
    expect(namesIn(file, "another purpose")).toEqual([]);
    const link = path.join(dir, "link");
    symlinkSync(file, link);
    expect(namesIn(link)).toEqual([]);
    expect(namesIn(dir)).toEqual([]);
    truncateSync(file, 128 * 1024 * 1024 + 1);
    expect(namesIn(file)).toEqual([]);
  });

  it("holds of too many values the newest", () => {
    const file = path.join(dir, "file");
    const lines = readCacheFile(file, "purpose");
    for (const name of ["/0", "/1", "/2", "/0"])
      addLines(lines, Buffer.from(lineOf(name, STAMP, "x".repeat(1_000))));
    runToEnd(writeCacheFile(file, "purpose", lines, 2_500));
    expect(namesIn(file)).toEqual(["/2", "/0"]);
    expect(statSync(file).size).toBeLessThanOrEqual(2_500);
  });

  it("loses the values of files that are gone", () => {
    const there = path.join(dir, "there");
    writeFileSync(there, "");
    const lines = readCacheFile(write({ "/gone": 1, [there]: 1 }), "purpose");
    lines.set("no JSON", Buffer.alloc(0));
    runToEnd(dropAbsent(lines));
    expect([...lines.keys()]).toEqual([JSON.stringify(there)]);
  });
});

describe("the cache of a source", () => {
  /** Records the content of a cache's files after each write. */
  class WatchedPool extends InProcessPool {
    readonly stored: unknown[] = [];

    override async run<Input, Output>(
      task: ReadingTask<Input, Output>,
      input: Input,
      options?: RunOptions,
    ): Promise<Output> {
      const output = await super.run(task, input, options);
      this.stored.push(output);
      return output;
    }
  }

  const answer = (place: CacheLocation, ...names: readonly string[]) => {
    const cache = new DiskCache(place);
    for (const name of names) cache.add(TEXTS, keyOf(path.join(dir, name)), name);
    return { answer: names.length, added: cache.added };
  };

  const newCache = () => {
    const pool = new WatchedPool();
    for (const name of ["a", "b"]) writeFileSync(path.join(dir, name), "");
    return { pool, cache: new SourceCache(path.join(dir, "cache"), dir, pool) };
  };

  it("waits for other values a while after it was written, but not where its source is closed", async () => {
    const { pool, cache } = newCache();
    expect(cache.answerOf(answer(cache.place!, "a"))).toBe(1);
    cache.save();
    await vi.waitFor(() => expect(pool.stored).toEqual([1]));
    cache.answerOf(answer(cache.place!, "b"));
    cache.save();
    await new Promise(setImmediate);
    expect(pool.stored).toEqual([1]);
    await cache.close();
    expect(pool.stored).toEqual([1, 2]);
    await cache.close();
    expect(pool.stored).toEqual([1, 2]);
  });

  it("is written before a long list ends, in writings that cost what the last one does", async () => {
    const { pool, cache } = newCache();
    for (let i = 0; i < 1_000; i++) {
      cache.answerOf(answer(cache.place!, `${i}`));
      await new Promise(setImmediate);
    }
    expect(pool.stored.length).toBeGreaterThan(4);
    expect(pool.stored.length).toBeLessThan(12);
    await cache.close();
  });

  it("costs nothing but itself where it cannot be written", async () => {
    const { pool } = newCache();
    const cache = new SourceCache(path.join(dir, "a", "below"), dir, pool);
    cache.answerOf(answer(cache.place!, "a"));
    await cache.close();
    expect(get(cache.place!, keyOf(path.join(dir, "a")))).toBeUndefined();
  });
});

describe("a cache folder", () => {
  it("is held to its size: other builds go first, then what was used longest ago; nothing else is touched", () => {
    for (const [i, name] of ["old", "new"].entries()) {
      save({ dir, root: dir }, [keyOf("a")], { ...TEXTS, name }, "x".repeat(1_000));
      for (const file of readdirSync(dir)) utimesSync(path.join(dir, file), i + 1, i + 1);
    }
    const [first, second] = readdirSync(dir).sort();
    utimesSync(path.join(dir, first!), 9, 9);
    writeFileSync(path.join(dir, `${"0".repeat(12)}-${"0".repeat(24)}.cache`), "x".repeat(1_000));
    writeFileSync(path.join(dir, "mine.txt"), "x".repeat(10_000));
    runToEnd(trimCache({ dir, mostBytes: 2_500 }));
    expect(readdirSync(dir).sort()).toEqual([first, second, "mine.txt"].sort());
    runToEnd(trimCache({ dir, mostBytes: 1_500 }));
    expect(readdirSync(dir).sort()).toEqual([first, "mine.txt"].sort());
    expect(runToEnd(sizeOfCache(dir)).files).toBe(1);
    runToEnd(clearCache(dir));
    expect(readdirSync(dir)).toEqual(["mine.txt"]);
  });

  it("loses what a killed process left half written, after an hour", () => {
    const name = `${"0".repeat(12)}-${"0".repeat(24)}.cache.${"0".repeat(16)}.tmp`;
    writeFileSync(path.join(dir, name), "");
    runToEnd(trimCache({ dir }));
    expect(readdirSync(dir)).toEqual([name]);
    utimesSync(path.join(dir, name), 1, 1);
    runToEnd(trimCache({ dir }));
    expect(readdirSync(dir)).toEqual([]);
  });

  it("goes away when it is cleared and nothing else is in it", () => {
    const own = path.join(dir, "own");
    save({ dir: own, root: dir }, [keyOf("a")]);
    expect(runToEnd(clearCache(own)).files).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
    expect(runToEnd(clearCache(own)).files).toBe(0);
  });
});
