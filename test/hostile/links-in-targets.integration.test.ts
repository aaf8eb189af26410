import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { rename, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { writeCacheFile } from "../../src/adapters/files/cache/cache-file.js";
import { cacheFileOf, clearCache } from "../../src/adapters/files/cache/cache-folder.js";
import { keepHistories } from "../../src/adapters/keep/keep-histories.js";
import { createFilesystemSessionStore } from "../../src/advanced.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import type { KeepReport } from "../../src/domain/session/history-files.js";
import { homeFolder, run } from "../support/command-line.js";
import { temporaryFolder, writeSessions } from "../support/data-directory.js";
import { duringFileCalls } from "../support/during-file-calls.js";
import { sized } from "../support/soak.js";

/** Names, kinds, contents and times: a write through a link would change them. */
function contentsOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const text = entry.isFile() ? `${readFileSync(file, "utf8")} ${lstatSync(file).mtimeMs}` : "no file";
      return [path.relative(folder, file), text] as const;
    }),
  );
}

async function outsideWith(names: readonly string[]): Promise<string> {
  const outside = await temporaryFolder();
  for (const name of names) {
    const file = path.join(outside, name);
    mkdirSync(isFile(name) ? path.dirname(file) : file, { recursive: true });
    if (isFile(name)) writeFileSync(file, "outside\n");
  }
  return outside;
}

const isFile = (name: string) => /\.(?:jsonl|manifest)$|^\d+$/.test(path.basename(name));

function plant(target: string, name: string, to: string): void {
  const link = path.join(target, name);
  rmSync(link, { recursive: true, force: true });
  mkdirSync(path.dirname(link), { recursive: true });
  symlinkSync(to, link);
}

const swapped = (inside: string, outside: string) => ({
  make: () => {
    renameSync(inside, `${inside}.away`);
    symlinkSync(outside, inside);
  },
  undo: () => {
    rmSync(inside, { recursive: true, force: true });
    renameSync(`${inside}.away`, inside);
  },
});

/** Consecutive file system calls that meet the link. */
const LENGTHS = sized([2], [1, 3]);

describe("The writer of a data directory", () => {
  const SESSION = "tenants/acme/sessions/s1";
  const FOLDERS = [
    "tenants",
    "tenants/acme",
    "tenants/acme/sessions",
    SESSION,
    `${SESSION}/trace`,
    `${SESSION}/orchestration`,
    `${SESSION}/messages.compactions`,
  ];
  const FILES = ["session.jsonl", "messages.jsonl", "trace/events.jsonl", "orchestration/events.jsonl"].map(
    (name) => `${SESSION}/${name}`,
  );
  const KEY = { tenantId: "acme", sessionId: "s1" };

  /** @returns the errors of all calls */
  async function writeAll(dataDir: string): Promise<unknown[]> {
    const store = createFilesystemSessionStore(dataDir);
    const event = { id: "1", sequence: 0, timestamp: "2026-01-15T12:00:00.000Z", event: { type: "x" } };
    const calls = [
      () => store.openSession({ ...KEY, userId: "ada", createdAt: 1 }),
      () => store.updateSession(KEY, { updatedAt: 2 }),
      () => store.appendTraceEnvelopes(KEY, [{ ...event, ...KEY, source: "runtime", traceId: "t" }]),
      () => store.appendOrchestrationEvents(KEY, [{ eventId: "1", type: "x", occurredAt: event.timestamp }]),
      () => store.appendMessages(KEY, [{ role: "user", content: "one" }]),
      () => store.replaceMessages(KEY, [{ role: "user", content: "two" }]),
    ];
    const errors: unknown[] = [];
    for (const call of calls) await call().catch((error: unknown) => errors.push(error));
    return errors;
  }

  it.each([...FOLDERS, ...FILES])("changes nothing outside where %s is a link out", async (name) => {
    const [dataDir, outside] = [await temporaryFolder(), await outsideWith([...FOLDERS, ...FILES])];
    plant(dataDir, name, path.join(outside, name));
    const before = contentsOf(outside);
    const errors = await writeAll(dataDir);
    expect(errors.map(String)).toContainEqual(expect.stringMatching(/leads out of the folder/));
    expect(contentsOf(outside)).toEqual(before);
  });

  it.each([...FOLDERS, ...FILES])("creates nothing outside where %s is a link to nothing", async (name) => {
    const [dataDir, outside] = [await temporaryFolder(), await temporaryFolder()];
    plant(dataDir, name, path.join(outside, "new"));
    expect(await writeAll(dataDir)).not.toEqual([]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it.each(sized([SESSION, FILES[1]!], ["tenants/acme", SESSION, `${SESSION}/trace`, ...FILES]))(
    "changes nothing outside where %s becomes a link out at the moment of any call",
    async (name) => {
      const [dataDir, outside] = [await temporaryFolder(), await outsideWith([...FOLDERS, ...FILES])];
      expect(await writeAll(dataDir)).toEqual([]);
      const before = contentsOf(outside);
      const change = swapped(path.join(dataDir, name), path.join(outside, name));
      await duringFileCalls(
        change,
        LENGTHS,
        () => {
          // The writer looks at each earlier conversation.
          rmSync(path.join(dataDir, SESSION, "messages.compactions"), { recursive: true, force: true });
          return writeAll(dataDir);
        },
        () => expect(contentsOf(outside)).toEqual(before),
      );
    },
  );

  it("checks again where a link out replaces a file that it wrote before", async () => {
    const [dataDir, outside] = [await temporaryFolder(), await temporaryFolder()];
    const store = createFilesystemSessionStore(dataDir);
    const append = () => store.appendMessages(KEY, [{ role: "user", content: "one" }]);
    await append();
    const file = path.join(dataDir, SESSION, "messages.jsonl");
    // Some file systems give the number of the deleted file to the next one.
    rmSync(file);
    const victim = path.join(outside, "victim.jsonl");
    writeFileSync(victim, "");
    symlinkSync(victim, file);
    await expect(append()).rejects.toThrow(/leads out of the folder/);
    expect(readFileSync(victim, "utf8")).toBe("");
  });

  it("follows links that stay inside", async () => {
    const dataDir = await temporaryFolder();
    expect(await writeAll(dataDir)).toEqual([]);
    for (const name of [`${SESSION}/trace`, `${SESSION}/messages.jsonl`]) {
      await rename(path.join(dataDir, name), path.join(dataDir, path.basename(name)));
      await symlink(path.join(dataDir, path.basename(name)), path.join(dataDir, name));
    }
    const store = createFilesystemSessionStore(dataDir);
    await store.appendMessages(KEY, [{ role: "user", content: "three" }]);
    expect(readFileSync(path.join(dataDir, "messages.jsonl"), "utf8")).toContain("three");
    expect((await writeAll(dataDir)).map(String)).toEqual([expect.stringContaining("is not replaced")]);
    expect(readFileSync(path.join(dataDir, "trace/events.jsonl"), "utf8").split("\n")).toHaveLength(3);
  });
});

describe("keep", () => {
  const PID = `.kept/unfinished/${process.pid}`;
  const NAMES = [
    ".kept",
    ".kept/unfinished",
    PID,
    ".kept/x.manifest",
    ".kept/earlier",
    ".kept/earlier/x",
    "x",
    "x/p",
    "x/p/s.jsonl",
  ];

  async function copied() {
    const [root, to] = [await temporaryFolder(), await temporaryFolder()];
    mkdirSync(path.join(root, "p"));
    const files = ["p/s.jsonl"].map((name) => ({ path: path.join(root, name) }));
    let round = 0;
    const keep = (): Promise<KeepReport> => {
      // New content each time, so that the earlier copy is put aside.
      round++;
      for (const file of files) writeFileSync(file.path, `{"round":${round}}\n${"x".repeat(round)}\n`);
      const folder = { kind: "x", root, files, problems: [] };
      return keepHistories([folder], { to, signal: new AbortController().signal });
    };
    expect((await keep()).sources[0]).toMatchObject({ copied: { files: 1 }, failed: [] });
    return { to, keep };
  }

  const quietly = (work: Promise<unknown>) => work.catch((error: unknown) => error);

  it.each(NAMES)("changes nothing outside where %s is a link out", async (name) => {
    const { to, keep } = await copied();
    // The cleaning could take this for a copy of a stopped process.
    const outside = await outsideWith([...NAMES, ".kept/unfinished/99999999"]);
    // A manifest is continued where it is of the same history.
    if (name.endsWith(".manifest")) cpSync(path.join(to, name), path.join(outside, name));
    plant(to, name, path.join(outside, name));
    const before = contentsOf(outside);
    await quietly(keep());
    expect(contentsOf(outside)).toEqual(before);
  });

  it.each(NAMES)("creates nothing outside where %s is a link to nothing", async (name) => {
    const { to, keep } = await copied();
    const outside = await temporaryFolder();
    plant(to, name, path.join(outside, "new"));
    await quietly(keep());
    expect(readdirSync(outside)).toEqual([]);
  });

  it.each(
    sized([".kept", "x/p"], [".kept", ".kept/unfinished", ".kept/x.manifest", "x", "x/p", "x/p/s.jsonl"]),
  )("changes nothing outside where %s becomes a link out at the moment of any call", async (name) => {
    const { to, keep } = await copied();
    const outside = await outsideWith([...NAMES, ".kept/unfinished/99999999"]);
    const before = contentsOf(outside);
    const change = swapped(path.join(to, name), path.join(outside, name));
    await duringFileCalls(
      change,
      LENGTHS,
      () => quietly(keep()),
      () => expect(contentsOf(outside)).toEqual(before),
    );
  });

  it("names the link that it does not follow", async () => {
    const { to, keep } = await copied();
    const outside = await temporaryFolder();
    plant(to, "x/p", outside);
    expect((await keep()).sources[0]!.failed).toEqual([
      { file: "p/s.jsonl", reason: expect.stringMatching(/^x\/p leads out of the folder through a link/) },
    ]);
    plant(to, ".kept", outside);
    await expect(keep()).rejects.toThrow(/\.kept leads out of the folder through a link/);
  });

  it("names a file where it needs a folder", async () => {
    const { to, keep } = await copied();
    rmSync(path.join(to, "x"), { recursive: true });
    writeFileSync(path.join(to, "x"), "");
    expect((await keep()).sources[0]!.failed).toEqual([{ file: "p/s.jsonl", reason: "x is not a folder" }]);
  });

  it("replaces a link that has the name of a copy", async () => {
    const { to, keep } = await copied();
    const outside = await outsideWith(["x/p/s.jsonl"]);
    plant(to, "x/p/s.jsonl", path.join(outside, "x/p/s.jsonl"));
    expect((await keep()).sources[0]).toMatchObject({ failed: [] });
    expect(lstatSync(path.join(to, "x/p/s.jsonl")).isFile()).toBe(true);
  });

  it("takes no name and no path from a manifest that somebody else wrote", async () => {
    const { to, keep } = await copied();
    const manifest = path.join(to, ".kept/x.manifest");
    const [begin, ...lines] = readFileSync(manifest, "utf8").trimEnd().split("\n");
    unlinkSync(manifest);
    writeFileSync(path.join(to, ".kept/...manifest"), `${begin}\n`);
    const hostile = lines.map((line) => ({ ...JSON.parse(line), sha256: "/../../../../../../planted" }));
    writeFileSync(manifest, [begin, ...hostile.map((one) => JSON.stringify(one)), ""].join("\n"));
    expect((await keep()).sources[0]).toMatchObject({ to: path.join(to, "x"), failed: [] });
    expect(existsSync(path.join(path.dirname(to), "p"))).toBe(false);
    expect(readdirSync(to).sort()).toEqual([".kept", "x"]);
  });
});

describe("export -o", () => {
  it("replaces a link that has the name of its file, and does not write through it", async () => {
    const home = await homeFolder();
    await writeSessions(path.join(home, "data"), [{ tenantId: "acme", sessionId: "s1" } as never]);
    const outside = await outsideWith(["victim.jsonl"]);
    await symlink(path.join(outside, "victim.jsonl"), "out.jsonl");
    const before = contentsOf(outside);
    const exported = ["export", "acme/s1", "data", "-o", "out.jsonl", "--no-redact"] as const;
    expect((await run(...exported)).stderr).toContain("is there already");
    expect(contentsOf(outside)).toEqual(before);
    expect((await run(...exported, "--force")).stderr).toBe("");
    expect(contentsOf(outside)).toEqual(before);
    expect(lstatSync("out.jsonl").isFile()).toBe(true);
  });
});

describe("The cache folder", () => {
  it("replaces links that have the names of its files, and removes no target of one", async () => {
    const [dir, outside] = [await temporaryFolder(), await outsideWith(["victim.jsonl"])];
    const file = cacheFileOf(dir, "owner");
    await symlink(path.join(outside, "victim.jsonl"), file);
    await symlink(path.join(outside, "victim.jsonl"), cacheFileOf(dir, "other"));
    const before = contentsOf(outside);
    runToEnd(writeCacheFile(file, "purpose", new Map()));
    expect(lstatSync(file).isFile()).toBe(true);
    runToEnd(clearCache(dir));
    expect(contentsOf(outside)).toEqual(before);
  });
});
