import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { describeInspectorDataSource } from "../contract/index.js";
import { sharedThread } from "../support/pools.js";
import { traceOf } from "../support/snapshots.js";
import { sized } from "../support/soak.js";
import { assistantRecord, lines, newProjects, userRecord } from "./support/projects.js";

const pool = sharedThread();
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const DERIVED = "envelopes are derived from Claude Code's own records, not stored";
const NO_USER = "Claude Code records no user";

describeInspectorDataSource(
  "ClaudeCodeDataSource",
  async (sessions) => {
    const root = await mkdtemp(path.join(tmpdir(), "claude-code-contract-"));
    folders.push(root);
    for (const { tenantId, sessionId, createdAt, messages = [] } of sessions) {
      const file = path.join(root, tenantId, `${sessionId}.jsonl`);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, messages.map((message) => `{"type":"user","message":${message}}\n`).join(""));
      await utimes(file, createdAt / 1_000, createdAt / 1_000);
    }
    return createClaudeCodeDataSource(root, { pool });
  },
  {
    skip: {
      sessions: NO_USER,
      order: DERIVED,
      "unknown events": DERIVED,
      unicode: DERIVED,
      "big integers": DERIVED,
      tenants: `${NO_USER}, and ${DERIVED}`,
      "several traces": DERIVED,
      orchestration: "orchestration events are derived from sub-agents, not stored",
      "many records": DERIVED,
      streams: DERIVED,
    },
  },
);

describe("ClaudeCodeDataSource, where the contract's own records cannot be stored", () => {
  it("keeps text of every script, and line ends inside strings", async () => {
    const content = '日本語 🦜 \u{1F469}\u200D\u{1F680} עברית \u2028 \n \r\n \t \\ " \u0001 é e\u0301';
    const root = await newProjects({
      "p/s.jsonl": lines({ type: "custom-title", customTitle: content }, userRecord(1, 0, content)),
    });
    const source = createClaudeCodeDataSource(root, { pool });
    expect((await source.listSessions())[0]!.title).toBe(content);
    const trace = await source.loadTraceEnvelopes("p", "s");
    expect(trace.find(({ event }) => event.type === "turn.start")!.event.input).toBe(content);
    expect(await source.loadMessages("p", "s")).toMatchObject([{ content }]);
  });

  it("gives many turns in order", { timeout: 120_000 }, async () => {
    const size = sized(1_000, 20_000);
    const turns = Array.from({ length: size }, (_, i) => [
      userRecord(2 * i, 2 * i, `Prompt ${i}`),
      assistantRecord(2 * i + 1, 2 * i + 1, `msg_${i}`, [{ type: "text", text: `Answer ${i}` }]),
    ]);
    const root = await newProjects({ "p/s.jsonl": lines(...turns.flat()) });
    const source = createClaudeCodeDataSource(root, { pool });
    const messages = await source.loadMessages("p", "s");
    expect(messages).toHaveLength(2 * size);
    expect(messages.at(-2)).toMatchObject({ content: `Prompt ${size - 1}` });
    const trace = await source.loadTraceEnvelopes("p", "s");
    const starts = trace.filter(({ event }) => event.type === "turn.start");
    expect(starts.findIndex(({ event }, i) => event.turnIndex !== i)).toBe(-1);
    expect(starts).toHaveLength(size);
    expect((await source.listSessions())[0]).toMatchObject({ turns: size, tokens: 2 * size });
  });

  it("stops a trace whose reader has gone, with the reader's reason", async () => {
    const records = Array.from({ length: 5_000 }, (_, i) => userRecord(i, i, `Prompt ${i}`));
    const root = await newProjects({ "p/s.jsonl": lines(...records) });
    const stream = await traceOf(createClaudeCodeDataSource(root, { pool }), "p", "s");
    const controller = new AbortController();
    const reason = new Error("the reader has gone");
    const read = async () => {
      const selection = { from: 0, to: stream.size };
      for await (const _ of stream.read(selection, { signal: controller.signal })) controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
  });
});
