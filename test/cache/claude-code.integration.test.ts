import { appendFile, chmod, readdir, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { assistantRecord, lines, newProjects, userRecord } from "../claude-code/support/projects.js";
import { PROJECT_ROOT } from "../support/build.js";
import { historiesRead, listAnew, listOfNewThread, listUntilKilled } from "../support/cached-lists.js";
import { temporaryFolder } from "../support/data-directory.js";
import { sized } from "../support/soak.js";

const KIND = "claude-code";
const SESSIONS = 15;
const KILLS = sized(2, 100);

const said = (number: number) => [
  userRecord(number, number, `Question ${number}.`),
  assistantRecord(number + 1, number + 1, `m${number}`, [{ type: "text", text: "Yes." }]),
];

function newHistories() {
  const files: Record<string, string> = {};
  for (let i = 0; i < SESSIONS; i++) files[`p${i % 3}/s${i}.jsonl`] = lines(...said(i * 10));
  files["p0/s0/subagents/agent-a.jsonl"] = lines(...said(5_000));
  files["p0/fork.jsonl"] = lines(...said(0), ...said(6_000));
  return newProjects(files);
}

/** Lists of two processes after each other, then of one with an empty cache. */
async function listsOf(root: string, cacheDir: string) {
  return [await listOfNewThread(KIND, root, cacheDir), await listAnew(KIND, root)];
}

describe("the list of a second process", { timeout: 300_000 }, () => {
  it("opens no history that has not changed", async () => {
    const [root, cacheDir] = [await newHistories(), await temporaryFolder()];
    expect(await historiesRead(KIND, root, cacheDir)).toHaveLength(SESSIONS + 2);
    expect(await historiesRead(KIND, root, cacheDir)).toEqual([]);
    await appendFile(path.join(root, "p1/s1.jsonl"), lines(...said(7_000)));
    expect(await historiesRead(KIND, root, cacheDir)).toEqual(["p1/s1.jsonl"]);
    const [cached, anew] = await listsOf(root, cacheDir);
    expect(cached).toEqual(anew);
  });

  const CHANGES: Record<string, (file: string) => Promise<unknown>> = {
    grown: (file) => appendFile(file, lines(...said(7_000))),
    cut: async (file) => truncate(file, (await stat(file)).size / 2),
    "written over, of the same size and time": async (file) => {
      const { size, atime, mtime } = await stat(file);
      await writeFile(
        file,
        lines(userRecord(9_000, 9, "Other."))
          .padEnd(size, "\n")
          .slice(0, size),
      );
      await utimes(file, atime, mtime);
    },
    replaced: async (file) => {
      await writeFile(`${file}.new`, lines(...said(8_000)));
      await rename(`${file}.new`, file);
    },
    deleted: (file) => rm(file),
  };

  const NAMES = Object.keys(CHANGES);

  const ROUNDS = sized(
    [NAMES],
    NAMES.map((name) => [name]),
  );

  // All changes of a day happen at once, one session each: a thread takes a third of a second to begin.
  it.each(ROUNDS.map((names) => [names.join(", "), names] as const))(
    "is right where sessions were changed between the two: %s",
    async (_, names) => {
      const [root, cacheDir] = [await newHistories(), await temporaryFolder()];
      const before = await listOfNewThread(KIND, root, cacheDir);
      for (const [i, name] of names.entries())
        await CHANGES[name]!(path.join(root, `p1/s${3 * i + 1}.jsonl`));
      const [cached, anew] = await listsOf(root, cacheDir);
      expect(cached).toEqual(anew);
      for (const [i] of names.entries()) {
        const of = (list: unknown) =>
          (list as { sessionId: string }[]).find((one) => one.sessionId === `s${3 * i + 1}`);
        expect(of(cached)).not.toEqual(of(before));
      }
    },
  );

  it("is right where the origin of a fork, a fork or a sub-agent went or came between the two", async () => {
    const [root, cacheDir] = [await newHistories(), await temporaryFolder()];
    let before = await listOfNewThread(KIND, root, cacheDir);
    const names = ["p0/fork.jsonl", "p0/s0.jsonl", "p0/s0/subagents/agent-a.jsonl"];
    for (const name of names.slice(0, sized(1, names.length))) {
      const file = path.join(root, name);
      for (const [from, to] of [
        [file, `${file}.away`],
        [`${file}.away`, file],
      ]) {
        await rename(from!, to!);
        const [cached, anew] = await listsOf(root, cacheDir);
        expect(cached).toEqual(anew);
        expect(cached).not.toEqual(before);
        before = cached!;
      }
    }
  });

  it("is right whatever became of the cache's files", async () => {
    const [root, cacheDir, foreign] = [
      await newHistories(),
      await temporaryFolder(),
      await temporaryFolder(),
    ];
    const right = await listOfNewThread(KIND, root, cacheDir);
    await listOfNewThread(KIND, await newProjects({ "p0/s0.jsonl": lines(...said(1)) }), foreign);
    const [other] = await readdir(foreign);
    const names = await readdir(cacheDir);
    const damages: readonly ((file: string, size: number) => Promise<unknown>)[] = [
      (file) =>
        writeFile(
          file,
          new Uint8Array(500).map((_, i) => (i * 7919) % 256),
        ),
      (file, size) => truncate(file, size - 1),
      (file) => truncate(file, 0),
      (file) => rm(file),
      (file) => rename(path.join(foreign, other!), file).catch(() => undefined),
    ];
    for (const [i, name] of names.entries()) {
      const file = path.join(cacheDir, name);
      await damages[i % damages.length]!(file, (await stat(file)).size);
    }
    expect(await listOfNewThread(KIND, root, cacheDir)).toEqual(right);
    expect(await historiesRead(KIND, root, cacheDir)).toEqual([]);
  });

  it("takes nothing that another build left: each has an id of its own", async () => {
    const { BUILD_ID } = await import(path.join(PROJECT_ROOT, "dist/src/adapters/files/cache/build-id.js"));
    expect(BUILD_ID).toMatch(/^[0-9a-f]{16}$/);
  });

  it("is the same where nothing can be cached", async () => {
    const root = await newHistories();
    const right = await listAnew(KIND, root);
    const file = path.join(await temporaryFolder(), "file");
    await writeFile(file, "no folder");
    expect(await listOfNewThread(KIND, root, file)).toEqual(right);
    expect(await listOfNewThread(KIND, root, path.join(file, "below"))).toEqual(right);
    const readOnly = await temporaryFolder();
    await chmod(readOnly, 0o500);
    expect(await listOfNewThread(KIND, root, readOnly)).toEqual(right);
  });

  it("is right when processes that write the same cache were killed again and again", async () => {
    const [root, cacheDir] = [await newHistories(), await temporaryFolder()];
    const right = await listAnew(KIND, root);
    let kills = 0;
    const kill = async () => {
      while (kills++ < KILLS) {
        await listUntilKilled(KIND, root, cacheDir, Math.random() * 40);
        if (kills % 5 === 0) expect(await listOfNewThread(KIND, root, cacheDir)).toEqual(right);
      }
    };
    await Promise.all([kill(), kill()]);
    expect(await listOfNewThread(KIND, root, cacheDir)).toEqual(right);
    expect(await historiesRead(KIND, root, cacheDir)).toEqual([]);
  });
});
