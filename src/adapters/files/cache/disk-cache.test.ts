import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { NUMBERS_PER_IDENTITY } from "../bytes/file-identities.js";
import { clearCache, sizeOfCache, trimCache } from "./cache-folder.js";
import { CacheShard } from "./cache-shard.js";
import { type CachePlace, cacheKey, cachePlace, openDiskCache, saveCaches } from "./disk-cache.js";

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number";
const STAMP = "0123456789abcdef0123456789abcdef";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "disk-cache-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});

/** A file that changed at some time. */
function keyOf(name: string, changedAt = 1.5, lane = 0) {
  return cacheKey(lane, name, "", new Float64Array([1, 2, 3, changedAt, changedAt]));
}

function run<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function filled(place: CachePlace, name = "a", kind = "texts") {
  const cache = openDiskCache(place, kind, isText);
  cache.set(keyOf(name), `value of ${name}`);
  run(saveCaches({ place, isLast: false }));
  return cache;
}

describe("a disk cache", () => {
  it("gives what was set for files that are the same, and nothing for others", () => {
    const place = cachePlace(dir, dir);
    const cache = filled(place);
    expect(cache.get(keyOf("a"))).toBe("value of a");
    expect(cache.get(keyOf("a", 2.5))).toBeUndefined();
    expect(cache.get(keyOf("b"))).toBeUndefined();
    expect(openDiskCache(place, "other texts", isText).get(keyOf("a"))).toBeUndefined();
    expect(openDiskCache(cachePlace(dir, "/elsewhere"), "texts", isText).get(keyOf("a"))).toBeUndefined();
    expect(openDiskCache(cachePlace(dir, dir), "texts", isText).get(keyOf("a"))).toBe("value of a");
  });

  it("keeps nothing of a file that has just changed, or cannot be read", () => {
    const cache = openDiskCache(cachePlace(dir, dir), "texts", isText);
    for (const key of [
      keyOf("a", Date.now() - 0.5),
      keyOf("a", Math.floor(Date.now() / 1_000) * 1_000),
      cacheKey(0, "a", "", new Float64Array(NUMBERS_PER_IDENTITY).fill(-1)),
    ]) {
      cache.set(key, "value");
      expect(cache.get(key)).toBeUndefined();
    }
  });

  it("gives no value of another shape", () => {
    filled(cachePlace(dir, dir), "a", "either");
    const place = cachePlace(path.join(dir, "."), `${dir}/`);
    const numbers = openDiskCache({ ...place, root: dir, dir: `${dir}/` }, "either", isNumber);
    expect(numbers.get(keyOf("a"))).toBeUndefined();
  });

  it("is readable by its user alone, and leaves nothing half written", () => {
    filled(cachePlace(path.join(dir, "new"), dir));
    expect(statSync(path.join(dir, "new")).mode & 0o777).toBe(0o700);
    const names = readdirSync(path.join(dir, "new"));
    expect(names).toEqual([expect.stringMatching(/\.cache$/)]);
    expect(statSync(path.join(dir, "new", names[0]!)).mode & 0o777).toBe(0o600);
  });

  it("lets go of what it loaded, and says so", () => {
    const place = cachePlace(dir, dir);
    const cache = filled(place);
    place.inUse.fill(0);
    expect(cache.get(keyOf("a"))).toBe("value of a");
    expect(place.inUse[0]).toBe(1);
    rmSync(path.join(dir, readdirSync(dir)[0]!));
    expect(cache.get(keyOf("a"))).toBe("value of a");
    run(saveCaches({ place, isLast: false }));
    expect(cache.get(keyOf("a"))).toBeUndefined();
  });
});

describe("a file of a cache", () => {
  const written = (file = path.join(dir, "shard"), purpose = "code and folder") => {
    const shard = new CacheShard(file, purpose);
    shard.set("/a", STAMP, { tokens: 1_234_567, title: "Äpfel 🍎\tand\npears" });
    shard.save(false);
    return file;
  };
  const valueIn = (file: string, purpose = "code and folder") =>
    new CacheShard(file, purpose).get("/a", STAMP);

  it("gives what was written", () => {
    expect(valueIn(written())).toEqual({ tokens: 1_234_567, title: "Äpfel 🍎\tand\npears" });
  });

  it("counts as empty with any bit of it flipped, with an end cut off, and with something behind it", () => {
    const file = written();
    const right = readFileSync(file);
    for (let bit = 0; bit < right.length * 8; bit++) {
      const damaged = Buffer.from(right);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(file, damaged);
      expect(valueIn(file)).toBeUndefined();
    }
    for (let length = 0; length < right.length; length++) {
      writeFileSync(file, right.subarray(0, length));
      expect(valueIn(file)).toBeUndefined();
    }
    writeFileSync(file, Buffer.concat([right, Buffer.from("\n")]));
    expect(valueIn(file)).toBeUndefined();
  });

  it("counts as empty for other code and for another folder", () => {
    expect(valueIn(written(), "other code")).toBeUndefined();
  });

  it("is no link, no folder, and not larger than any that is written", () => {
    const link = path.join(dir, "link");
    symlinkSync(written(), link);
    expect(valueIn(link)).toBeUndefined();
    expect(valueIn(dir)).toBeUndefined();
    const large = path.join(dir, "large");
    const shard = new CacheShard(large, "p");
    for (let i = 0; i < 12; i++) shard.set(`/${i}`, STAMP, "x".repeat(1024 * 1024));
    shard.save(false);
    expect(statSync(large).size).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(new CacheShard(large, "p").get("/0", STAMP)).toHaveLength(1024 * 1024);
    expect(new CacheShard(large, "p").get("/11", STAMP)).toBeUndefined();
  });

  it("waits for other values a while after it was written, but not where its source is closed", () => {
    const file = path.join(dir, "shard");
    const shard = new CacheShard(file, "p");
    shard.set("/a", STAMP, 1);
    expect(shard.save(false)).toBe(false);
    shard.set("/b", STAMP, 2);
    expect(shard.save(false)).toBe(true);
    expect(new CacheShard(file, "p").get("/b", STAMP)).toBeUndefined();
    expect(shard.save(true)).toBe(false);
    expect(new CacheShard(file, "p").get("/b", STAMP)).toBe(2);
  });

  it("drops values of files that are gone, once something new is written", () => {
    const [file, there] = [path.join(dir, "shard"), path.join(dir, "there")];
    writeFileSync(there, "");
    const first = new CacheShard(file, "p");
    for (const name of ["/gone", there]) first.set(name, STAMP, 1);
    first.save(false);
    const next = new CacheShard(file, "p");
    next.set("/new", STAMP, 1);
    next.save(false);
    const last = new CacheShard(file, "p");
    expect(["/gone", there, "/new"].map((name) => last.get(name, STAMP))).toEqual([undefined, 1, 1]);
  });

  it("is written before a long list ends, in writings that cost what the last one does", () => {
    const file = path.join(dir, "shard");
    const shard = new CacheShard(file, "p");
    const sizes = new Set<number>();
    for (let i = 0; i < 1_000; i++) {
      shard.set(`/${i}`, STAMP, i);
      sizes.add(statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    }
    expect(sizes.size).toBeGreaterThan(4);
    expect(sizes.size).toBeLessThan(12);
  });
});

describe("a cache folder", () => {
  it("is held to its size: other builds go first, then what was used longest ago; nothing else is touched", () => {
    const place = cachePlace(dir, dir);
    for (const [i, kind] of ["old", "new"].entries()) {
      openDiskCache(place, kind, isText).set(keyOf("a"), "x".repeat(1_000));
      run(saveCaches({ place, isLast: false }));
      for (const name of readdirSync(dir)) utimesSync(path.join(dir, name), i + 1, i + 1);
    }
    const [first, second] = readdirSync(dir).sort();
    utimesSync(path.join(dir, first!), 9, 9);
    const foreign = `${"0".repeat(12)}-${"0".repeat(24)}-00.cache`;
    writeFileSync(path.join(dir, foreign), "x".repeat(1_000));
    writeFileSync(path.join(dir, "mine.txt"), "x".repeat(10_000));
    run(trimCache({ dir, mostBytes: 2_500 }));
    expect(readdirSync(dir).sort()).toEqual([first, second, "mine.txt"].sort());
    run(trimCache({ dir, mostBytes: 1_500 }));
    expect(readdirSync(dir).sort()).toEqual([first, "mine.txt"].sort());
    expect(run(sizeOfCache(dir)).files).toBe(1);
    run(clearCache(dir));
    expect(readdirSync(dir)).toEqual(["mine.txt"]);
  });

  it("loses what a killed process left half written, after an hour", () => {
    const name = `${"0".repeat(12)}-${"0".repeat(24)}-00.cache.${"0".repeat(16)}.tmp`;
    writeFileSync(path.join(dir, name), "");
    run(trimCache({ dir }));
    expect(readdirSync(dir)).toEqual([name]);
    utimesSync(path.join(dir, name), 1, 1);
    run(trimCache({ dir }));
    expect(readdirSync(dir)).toEqual([]);
  });

  it("goes away when it is cleared and nothing else is in it", () => {
    const own = path.join(dir, "own");
    filled(cachePlace(own, dir));
    expect(run(clearCache(own)).files).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
    expect(run(clearCache(own)).files).toBe(0);
  });
});
