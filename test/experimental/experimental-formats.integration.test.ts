import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANTIGRAVITY_TASKS } from "../../src/adapters/formats/antigravity/antigravity-format.js";
import { CLINE_TASKS } from "../../src/adapters/formats/cline/cline-format.js";
import { DROID_TASKS } from "../../src/adapters/formats/droid/droid-format.js";
import { TranscriptDataSource } from "../../src/adapters/transcripts/source/transcript-data-source.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { openHistories } from "../../src/histories.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { temporaryFolder } from "../support/data-directory.js";
import { inventedFolder } from "../support/invented/histories.js";
import { SHARED_DATA, sharedHistories } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { runs } from "../support/soak.js";

const FORMATS = [
  { name: "droid", tasks: DROID_TASKS, shared: "droid", file: "s.jsonl" },
  { name: "antigravity", tasks: ANTIGRAVITY_TASKS, shared: "antigravity", file: "brain/b/log.jsonl" },
  { name: "cline", tasks: CLINE_TASKS, shared: "cline", file: "tasks/1/api_conversation_history.json" },
] as const;

/** Counted by hand in the shared files. */
const GOLDEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  droid: {
    "-tmp/droid_s1": "Stage0 Droid Small: 1 turns, 1 model calls, 1 tools, 1 failed, 3 messages",
    "agent-sessions/sid_stage0_small": "Do thing: 1 turns, 0 model calls, 1 tools, 0 failed, 1 messages",
  },
  antigravity: {
    "agent-sessions/cli_small": "List the files.: 2 turns, 3 model calls, 2 tools, 0 failed, 14 messages",
  },
  cline: {
    "tasks/1749477660000":
      "Add a hello function to src/main.py: 1 turns, 3 model calls, 1 tools, 0 failed, 6 messages",
  },
};

describeShared("Histories of experimental formats", () => {
  it.each(FORMATS)("say what is in them: $name", async ({ name, shared }) => {
    const source = await openHistories(name, path.join(SHARED_DATA, shared), { threads: false });
    const found: Record<string, string> = {};
    for (const { tenantId, sessionId, title, turns, errors } of await source.listSessions()) {
      const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
      const count = (type: string) => trace.filter(({ event }) => event.type === type).length;
      const messages = (await source.loadMessages(tenantId, sessionId)).length;
      found[`${tenantId}/${sessionId}`] =
        `${title}: ${turns} turns, ${count("llm.end")} model calls, ${count("tool.start")} tools, ${errors} failed, ${messages} messages`;
    }
    await source.close?.();
    expect(found).toStrictEqual(GOLDEN[name]);
  });
});

for (const { name, tasks } of FORMATS) {
  describeDerivedSource(
    name,
    (folder) => asDataSource(new TranscriptDataSource(folder, tasks, { threads: false })),
    [{ name: "invented", folder: inventedFolder(name) }, ...sharedHistories(name)],
    {
      isHistory: (file) =>
        name === "cline" ? file.endsWith("api_conversation_history.json") : file.endsWith(".jsonl"),
      countRecords: (file, text) =>
        file.endsWith(".json")
          ? (JSON.parse(text) as unknown[]).length
          : text.split("\n").filter(Boolean).length,
    },
  );
}

describe("The stream of droid exec", () => {
  const at = (second: number) => Date.UTC(2026, 4, 1, 9) + second * 1_000;
  const init = {
    type: "system",
    subtype: "init",
    cwd: "/srv/shop",
    session_id: "s1",
    tools: ["Execute"],
    model: "m",
  };
  const records = [
    init,
    { type: "message", role: "user", id: "u1", text: "Run ls.", timestamp: at(1), session_id: "s1" },
    {
      type: "tool_call",
      id: "c1",
      messageId: "a1",
      toolId: "Execute",
      toolName: "Execute",
      parameters: { command: "ls" },
      timestamp: at(2),
    },
    {
      type: "tool_result",
      id: "c1",
      messageId: "r1",
      toolId: "Execute",
      isError: true,
      value: "ls: /nope",
      timestamp: at(3),
    },
    { type: "completion", finalText: "It failed.", numTurns: 1, timestamp: at(4), session_id: "s1" },
  ];
  const folderOf = async (lines: readonly object[]) => {
    const root = await temporaryFolder();
    await appendFile(path.join(root, "s.jsonl"), lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
    return await openHistories("droid", root, { threads: false });
  };

  it("begins with a system record", async () => {
    const source = await folderOf(records);
    const items = await source.listSessions();
    expect(items).toMatchObject([
      {
        tenantId: "-srv-shop",
        sessionId: "s1",
        title: "Run ls.",
        turns: 1,
        errors: 1,
      },
    ]);
    const trace = await source.loadTraceEnvelopes("-srv-shop", "s1");
    const calls = trace.map(({ event }) => event).filter(({ type }) => type.startsWith("tool."));
    expect(calls.map(({ type, toolCallId, toolName }) => [type, toolCallId, toolName])).toEqual([
      ["tool.start", "c1", "Execute"],
      ["tool.end", "c1", "Execute"],
    ]);
    expect(trace.map(({ event }) => event.type)).not.toContain("droid.repeated");
  });

  it("is not a stream of another tool", async () => {
    const source = await folderOf([
      { ...init, apiKeySource: "none", permissionMode: "default" },
      ...records.slice(1),
    ]);
    expect(await source.listSessions()).toEqual([]);
  });
});

const ODD = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      type: fc.constantFrom(
        "message",
        "tool_call",
        "tool_result",
        "completion",
        "PLANNER_RESPONSE",
        "RUN_COMMAND",
        5,
      ),
      role: fc.constantFrom("user", "assistant", "tool", 7),
      source: fc.constantFrom("MODEL", "SYSTEM", null),
      content: fc.oneof(
        fc.string(),
        fc.array(fc.jsonValue()),
        fc.constant([{ type: "tool_use" }, { type: "tool_result" }]),
      ),
      message: fc.jsonValue(),
      tool_calls: fc.jsonValue(),
      step_index: fc.jsonValue(),
      value: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);

const FIRST: Readonly<Record<string, unknown>> = {
  droid: { type: "session_start", id: "s" },
  antigravity: { type: "USER_INPUT", source: "USER_EXPLICIT", step_index: 0, content: "Go." },
  cline: { role: "user", content: "<task>Go.</task>" },
};

describe("Damaged histories of experimental formats", () => {
  it.each(FORMATS)("cost nothing but the records that are damaged: $name", async ({ name, file }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(ODD, { maxLength: 12 }), async (odd) => {
        const root = await temporaryFolder();
        const history = path.join(root, file);
        await mkdir(path.dirname(history), { recursive: true });
        const records = [FIRST[name], ...odd];
        const text = file.endsWith(".json")
          ? JSON.stringify(records)
          : records.map((record) => `${JSON.stringify(record)}\n`).join("");
        await appendFile(history, text);
        const source = await openHistories(name, root, { threads: false });
        const [item, ...others] = await source.listSessions();
        expect(others).toEqual([]);
        const trace = await source.loadTraceEnvelopes(item!.tenantId, item!.sessionId);
        const session = await source.openSession!(item!.tenantId, item!.sessionId);
        const { warnings } = await session!.trace();
        await source.close?.();
        const shown = new Set(trace.map(({ event }) => (event.stored as { line: number }).line));
        for (const { line } of warnings) shown.add(line);
        // An array element that is no object is an element, too.
        expect(shown.size).toBe(records.length);
        expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
      }),
      { numRuns: runs(30) },
    );
  });
});
