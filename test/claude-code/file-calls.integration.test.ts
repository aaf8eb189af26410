import { describe, expect, it } from "vitest";
import { type FileCall, recordFileCalls } from "../support/count-file-calls.js";
import { sized } from "../support/soak.js";
import { assistantRecord, at, lines, newProjects, userRecord, uuid } from "./support/projects.js";

const SESSIONS = sized(200, 2_000);

async function bigProject(sessions: number): Promise<string> {
  const files: Record<string, string> = {
    "p/opened.jsonl": lines(
      userRecord(1, 0, "One."),
      assistantRecord(2, 1, "m1", [{ type: "text", text: "Yes." }]),
    ),
    "p/opened/subagents/agent-a1.jsonl": lines(userRecord(3, 2, "Look.", { agentId: "a1" })),
    "p/opened/subagents/agent-a2.jsonl": lines(userRecord(4, 3, "Look.", { agentId: "a2" })),
  };
  for (let i = 0; i < sessions; i++) {
    const record = {
      type: "user",
      uuid: uuid(10 + i),
      timestamp: at(i),
      message: { role: "user", content: "x" },
    };
    files[`p/other-${i}.jsonl`] = lines(record);
  }
  return newProjects(files);
}

async function callsToOpen(folder: string): Promise<FileCall[]> {
  return recordFileCalls(
    `import { createClaudeCodeDataSource } from "./dist/src/claude-code.js";
     const source = createClaudeCodeDataSource(process.argv[2], { threads: false });
     const open = async () => {
       const session = await source.openSession("p", "opened");
       const trace = await session.trace();
       for await (const _ of trace.read({ from: 0, to: trace.size })) {}
     };
     stage("first");
     await open();
     stage("again");
     await open();
     await source.close();`,
    { below: folder, args: [folder] },
  );
}

function ofStage(calls: readonly FileCall[], stage: string): FileCall[] {
  return calls.filter((call) => call.stage === stage);
}

describe("a source that reads ahead", { timeout: 120_000 }, () => {
  it("answers the first list from what it read when it was made, and the next one from what is there", async () => {
    const folder = await newProjects({ "p/1.jsonl": lines(userRecord(1, 1, "One.")) });
    const calls = await recordFileCalls(
      `import { createClaudeCodeDataSource } from "./dist/src/claude-code.js";
       const source = createClaudeCodeDataSource(process.argv[2], { readAhead: 10 });
       const list = async () => (await source.findSessions({ limit: 10 })).items.length;
       if ((await list()) !== 1) throw new Error("the first list lacks the session");
       stage("again");
       if ((await list()) !== 1) throw new Error("the second list lacks the session");
       stage("");
       await source.close();`,
      { below: folder, args: [folder] },
    );
    const lists = (stage: string) =>
      ofStage(calls, stage).filter(({ call, path }) => call === "lstat" && path.endsWith("1.jsonl")).length;
    expect([lists(""), lists("again")]).toEqual([1, 1]);
  });
});

describe("a page of ten sessions of a project of many that was copied", { timeout: 120_000 }, () => {
  it("opens each file for its beginning and for its end, and few to read them", async () => {
    const folder = await bigProject(SESSIONS);
    const calls = await recordFileCalls(
      `import { createClaudeCodeDataSource } from "./dist/src/claude-code.js";
       const source = createClaudeCodeDataSource(process.argv[2], { threads: false });
       const { items, unread } = await source.findSessions({ limit: 10 });
       if (items.length !== 10 || unread < ${SESSIONS - 20}) throw new Error("that is another page");
       await source.close();`,
      { below: folder, args: [folder] },
    );
    const opened = new Map<string, number>();
    for (const { call, path } of calls) if (call === "open") opened.set(path, (opened.get(path) ?? 0) + 1);
    const times = [...opened].filter(([path]) => path.endsWith(".jsonl")).map(([, count]) => count);
    expect(times.length).toBeGreaterThan(SESSIONS);
    expect(times.filter((count) => count > 2).length).toBeLessThan(20);
  });
});

describe("opening a session of a project of many", { timeout: 120_000 }, () => {
  let recorded: Promise<readonly FileCall[]> | undefined;
  const recordLarge = () => (recorded ??= bigProject(SESSIONS).then(callsToOpen));

  it("costs what the session has, however many lie beside it", async () => {
    const inLarge = await recordLarge();
    const inSmall = await callsToOpen(await bigProject(2));
    const again = ofStage(inLarge, "again");
    expect(again.length).toBe(ofStage(inSmall, "again").length);
    expect(again.length).toBeLessThan(60);
    expect(again.filter(({ path }) => path.includes("other-"))).toEqual([]);
  });

  it("looks at each of the others once: whether it begins with the same record", async () => {
    const first = ofStage(await recordLarge(), "first");
    const others = first.filter(({ path }) => path.includes("other-"));
    expect(others.filter(({ call }) => call === "open")).toHaveLength(SESSIONS);
    expect(others.filter(({ call }) => call === "stat" || call === "lstat")).toEqual([]);
    expect(first.filter(({ call }) => call === "readdir").length).toBeLessThan(5);
  });
});

describe("one session of a project of many", { timeout: 120_000 }, () => {
  it("is found by its id, once it was opened, without opening any other", async () => {
    const folder = await bigProject(50);
    const calls = await recordFileCalls(
      `import { createClaudeCodeDataSource } from "./dist/src/claude-code.js";
       const source = createClaudeCodeDataSource(process.argv[2], { threads: false });
       await source.openSession("p", "opened"); // looks for forks at how each of the others begins
       stage("found");
       const { items } = await source.findSessions({ tenantId: "p", sessionId: "opened" });
       if (items.length !== 1 || items[0].tokens !== 2) throw new Error(JSON.stringify(items));
       await source.close();`,
      { below: folder, args: [folder] },
    );
    const found = ofStage(calls, "found");
    const opened = found.filter(({ call, path }) => call === "open" && /\.jsonl$/.test(path));
    expect(opened).not.toEqual([]);
    expect(found.filter(({ path }) => path.includes("other-"))).toEqual([]);
  });
});
