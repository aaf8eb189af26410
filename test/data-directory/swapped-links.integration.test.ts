import { renameSync, symlinkSync, unlinkSync } from "node:fs";
import { rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findSessions } from "../../src/adapters/data-directory/look-up-files.js";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { claudeCodeFormat } from "../../src/adapters/formats/claude-code/claude-code-format.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { runInSlices } from "../../src/application/threads/slices.js";
import type { InspectorDataSource } from "../../src/index.js";
import { lines, newProjects, openHistories, userRecord } from "../claude-code/support/projects.js";
import { envelopeText } from "../contract/fixture.js";
import { emptySession, makeFolders, temporaryFolder } from "../support/data-directory.js";
import { type Change, duringFileCalls } from "../support/during-file-calls.js";

const SECRET = "hidden";

/** The link exists during this number of consecutive file system calls. */
const LENGTHS = [1, 3];

function linkInPlace(inside: string, outside: string): Change {
  return {
    make: () => {
      renameSync(inside, `${inside}.away`);
      symlinkSync(outside, inside);
    },
    undo: () => {
      unlinkSync(inside);
      renameSync(`${inside}.away`, inside);
    },
  };
}

async function dataDirectories() {
  const own = await emptySession();
  const other = sessionFiles(await temporaryFolder(), "acme", "s1");
  const secret = sessionFiles(
    path.dirname(path.dirname(path.dirname(path.dirname(other.folder)))),
    "acme",
    SECRET,
  );
  for (const [files, word] of [
    [own, "own"],
    [other, SECRET],
    [secret, SECRET],
  ] as const) {
    await makeFolders(files);
    await writeFile(files.session, `{"type":"init","userId":"${word}","title":"${word}"}\n`);
    await writeFile(files.messages, `${JSON.stringify({ role: "user", content: word })}\n`);
    await writeFile(files.trace, `${envelopeText(0, { type: word })}\n`);
    await writeFile(
      files.orchestration,
      `{"eventId":"${word}","type":"agent_spawned","agentId":"${word}"}\n`,
    );
    await writeFile(files.checkpoint, `{"agents":[{"agentId":"${word}"}]}`);
  }
  return { dataDir: own.dataDir, own, other };
}

async function projects() {
  const of = (word: string) => ({
    "p/s.jsonl": lines(userRecord(1, 0, word)),
    "p/s/subagents/agent-a.jsonl": lines(userRecord(2, 1, word, { agentId: "a" })),
    "p/s/subagents/agent-a.meta.json": JSON.stringify({ agentType: word }),
  });
  const [own, other] = [
    await newProjects(of("own")),
    await newProjects({
      ...of(SECRET),
      [`p/${SECRET}.jsonl`]: lines(userRecord(3, 0, SECRET)),
      [`p/s/subagents/agent-${SECRET}.jsonl`]: lines(userRecord(4, 1, SECRET, { agentId: SECRET })),
    }),
  ];
  return { own, other };
}

type Part = "list" | "messages" | "trace" | "orchestration";

/** Errors are part of the result. */
async function shown(
  source: InspectorDataSource,
  key: readonly [string, string],
  part: Part,
): Promise<unknown> {
  const read = {
    list: () => source.listSessions(),
    messages: () => source.loadMessages(...key),
    trace: () => source.loadTraceEnvelopes(...key),
    orchestration: () => source.loadOrchestrationState(...key),
  };
  return read[part]().catch((error: Error) => error.message);
}

const OF_DATA_DIRECTORY = ["acme", "s1"] as const;
const OF_PROJECTS = ["p", "s"] as const;

const FILES = [
  ["messages", "messages"],
  ["trace", "trace"],
  ["orchestration", "orchestration"],
  ["checkpoint", "orchestration"],
  ["session", "list"],
] as const;

function expectNoSecret(found: unknown): void {
  expect(JSON.stringify(found)).not.toContain(SECRET);
}

describe("a link that leads outside, at the moment of any call of the file system", () => {
  it.each([
    ["tenants/acme", "list"],
    ["tenants/acme/sessions", "list"],
    ["tenants/acme/sessions/s1", "list"],
    ["tenants/acme/sessions/s1", "messages"],
  ] as const)("in the place of %s of a data directory shows nothing in its %s", async (folder, part) => {
    const { dataDir, own, other } = await dataDirectories();
    const inside = path.join(dataDir, folder);
    const outside = inside.replace(own.dataDir, path.resolve(other.folder, "../../../.."));
    await duringFileCalls(
      linkInPlace(inside, outside),
      LENGTHS,
      () => shown(createFilesystemInspectorDataSource(dataDir, { threads: false }), OF_DATA_DIRECTORY, part),
      expectNoSecret,
    );
  });

  it.each(FILES)("in the place of the file of the %s shows nothing in the %s", async (file, part) => {
    const { dataDir, own, other } = await dataDirectories();
    await duringFileCalls(
      linkInPlace(own[file], other[file]),
      LENGTHS,
      () => shown(createFilesystemInspectorDataSource(dataDir, { threads: false }), OF_DATA_DIRECTORY, part),
      expectNoSecret,
    );
  });

  it.each([
    ["p", "list"],
    ["p", "messages"],
    ["p/s", "trace"],
    ["p/s/subagents", "list"],
    ["p/s/subagents", "trace"],
    ["p/s.jsonl", "list"],
    ["p/s.jsonl", "messages"],
    ["p/s/subagents/agent-a.jsonl", "trace"],
    ["p/s/subagents/agent-a.meta.json", "orchestration"],
  ] as const)(
    "in the place of %s of a history of Claude Code shows nothing in its %s",
    async (name, part) => {
      const { own, other } = await projects();
      await duringFileCalls(
        linkInPlace(path.join(own, name), path.join(other, name)),
        LENGTHS,
        () => shown(openHistories(own), OF_PROJECTS, part),
        expectNoSecret,
      );
    },
  );
});

describe("the names in a folder", () => {
  it("are not those of a folder outside that a link leads to at the moment of any call", async () => {
    const { dataDir, own, other } = await dataDirectories();
    const tenant = path.join(dataDir, "tenants/acme");
    const outside = tenant.replace(own.dataDir, path.resolve(other.folder, "../../../.."));
    const find = () => runInSlices(findSessions({ root: dataDir }));
    await duringFileCalls(linkInPlace(tenant, outside), LENGTHS, find, expectNoSecret);
  });

  it("are not those of another projects folder", async () => {
    const { own, other } = await projects();
    const agents = path.join(own, "p/s/subagents");
    const find = () => runInSlices(claudeCodeFormat.folder.discover(own, "p"));
    await duringFileCalls(
      linkInPlace(agents, path.join(other, "p/s/subagents")),
      LENGTHS,
      find,
      expectNoSecret,
    );
  });
});

describe("where the system does not tell where an open file lies", () => {
  async function loadedElsewhere() {
    const { platform } = process;
    Object.defineProperty(process, "platform", { value: "darwin" });
    vi.resetModules();
    onTestFinished(() => {
      vi.resetModules();
    });
    try {
      return await import("../../src/advanced.js");
    } finally {
      Object.defineProperty(process, "platform", { value: platform });
    }
  }

  it.each(FILES)("a link in the place of the file of the %s shows nothing in the %s", async (file, part) => {
    const elsewhere = await loadedElsewhere();
    const { dataDir, own, other } = await dataDirectories();
    const read = () =>
      shown(
        elsewhere.createFilesystemInspectorDataSource(dataDir, { threads: false }),
        OF_DATA_DIRECTORY,
        part,
      );
    expect(JSON.stringify(await read())).toContain("own");
    await duringFileCalls(linkInPlace(own[file], other[file]), LENGTHS, read, expectNoSecret);
  });

  it("a link inside is followed", async () => {
    const elsewhere = await loadedElsewhere();
    const { dataDir, own } = await dataDirectories();
    await rename(own.messages, path.join(dataDir, "moved.jsonl"));
    await symlink(path.join(dataDir, "moved.jsonl"), own.messages);
    const source = elsewhere.createFilesystemInspectorDataSource(dataDir, { threads: false });
    expect(await source.loadMessages("acme", "s1")).toMatchObject([{ content: "own" }]);
  });
});
