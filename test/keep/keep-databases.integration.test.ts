import { readFileSync } from "node:fs";
import { appendFile, mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { keepHistories } from "../../src/adapters/keep/keep-histories.js";
import { temporaryFolder } from "../support/data-directory.js";

/** Only as far as copying looks into them: the copy needs one moment of both. */
const database = (text: string) => `SQLite format 3\0${text}`;
const log = (salt: string, ...frames: readonly string[]) => salt.padEnd(32, ".") + frames.join("");

let root: string;
let to: string;

beforeEach(async () => {
  const folder = await temporaryFolder();
  [root, to] = [path.join(folder, "data"), path.join(folder, "kept")];
  await mkdir(root);
  await write("opencode.db", database("pages"));
});

const write = (name: string, text: string) => writeFile(path.join(root, name), text);
const kept = (name: string) => readFile(path.join(to, "opencode", name), "utf8");
const isKept = async (name: string) =>
  stat(path.join(to, "opencode", name)).then(
    () => true,
    () => false,
  );

async function keep(members: readonly string[] = ["s1"], signal = new AbortController().signal) {
  // A format may name the log among its files: it is copied with its database all the same.
  const files = ["-wal", "-shm", ""].map((end) => ({ path: path.join(root, `opencode.db${end}`), members }));
  const folder = { kind: "opencode", root, files, problems: [] };
  return (await keepHistories([folder], { to, signal })).sources[0]!;
}

describe("A database that is kept", () => {
  it("is copied with its log, and again where either of them has changed", async () => {
    await write("opencode.db-wal", log("salt 1", "frame 1"));
    expect(await keep()).toMatchObject({ copied: { files: 2 }, kept: [], failed: [] });
    expect([await kept("opencode.db"), await kept("opencode.db-wal")]).toEqual([
      database("pages"),
      log("salt 1", "frame 1"),
    ]);
    expect(await keep()).toMatchObject({ copied: { files: 0 }, unchanged: { files: 1 } });
    await appendFile(path.join(root, "opencode.db-wal"), "frame 2");
    expect(await keep()).toMatchObject({ copied: { files: 1 }, failed: [] });
    expect(await kept("opencode.db-wal")).toBe(log("salt 1", "frame 1", "frame 2"));
  });

  it("never lies beside the log of another one", async () => {
    await write("opencode.db-wal", log("salt 1", "frame 1"));
    await keep();
    await write("opencode.db", database("pages and frame 1"));
    await rm(path.join(root, "opencode.db-wal"));
    expect(await keep()).toMatchObject({ copied: { files: 1 }, kept: [], failed: [] });
    expect(await kept("opencode.db")).toBe(database("pages and frame 1"));
    expect(await isKept("opencode.db-wal")).toBe(false);
    expect(await keep()).toMatchObject({ copied: { files: 0 }, unchanged: { files: 1 } });
  });

  it("is put aside with its log where it held sessions that are gone from it", async () => {
    await write("opencode.db-wal", log("salt 1", "s1 s2"));
    await keep(["s1", "s2"]);
    await appendFile(path.join(root, "opencode.db-wal"), "not s2");
    const { kept: changed } = await keep(["s1"]);
    expect(changed).toEqual([expect.objectContaining({ file: "opencode.db", outcome: "replaced" })]);
    const { earlier } = changed[0]!;
    expect(readFileSync(path.join(to, earlier!), "utf8")).toBe(database("pages"));
    expect(readFileSync(path.join(to, `${earlier}-wal`), "utf8")).toBe(log("salt 1", "s1 s2"));
    expect(await kept("opencode.db-wal")).toBe(log("salt 1", "s1 s2", "not s2"));
  });

  it("is copied once its writer has got out of the way", async () => {
    await write("opencode.db-journal", "half a transaction");
    const keeping = keep();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await write("opencode.db", database("a whole transaction"));
    await rm(path.join(root, "opencode.db-journal"));
    expect(await keeping).toMatchObject({ copied: { files: 1 }, failed: [] });
    expect(await kept("opencode.db")).toBe(database("a whole transaction"));
  });

  it("is told where it changes all the while, and the copy of before stays", async () => {
    await keep();
    const before = await kept("opencode.db");
    const file = await open(path.join(root, "opencode.db"), "r+");
    let isOver = false;
    const pages = "x".repeat(16 * 1024 * 1024);
    await file.writeFile(database(pages));
    const writing = (async () => {
      for (let i = 0; !isOver; i++) {
        await file.write(String(i), 100);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const { failed } = await keep();
    isOver = true;
    await writing;
    await file.close();
    expect(failed).toEqual([
      { file: "opencode.db", reason: "it changed while it was copied, each time that it was tried" },
    ]);
    expect(await kept("opencode.db")).toBe(before);
  }, 30_000);
});
