import { describe, expect, it } from "vitest";
import { SessionChanges } from "../../src/adapters/postgres/session-changes.js";
import { toItem } from "../../src/adapters/postgres/session-item.js";
import { newSummary, toColumns } from "../../src/adapters/postgres/session-summary.js";
import { createInMemoryInspectorDataSource, SessionRecorder } from "../../src/advanced.js";
import { countOf } from "../../src/domain/json/json.js";
import { newProjects, openHistories } from "../claude-code/support/projects.js";
import { temporaryFolder } from "../support/data-directory.js";
import { inspect } from "../support/inspector.js";
import { appendLines, filesystemSource } from "../support/sources.js";

const MOST = Number.MAX_SAFE_INTEGER;

const ODD: readonly (readonly [stored: string, count: number])[] = [
  ["1e308", MOST],
  ["1e400", MOST],
  ["9007199254740993", MOST],
  ["-5", 0],
  ["1.5", 1],
  ['"7"', 0],
  ["{}", 0],
];

describe("a token count that is none", () => {
  it.each(ODD)("is read as the nearest one: %s", (stored, count) => {
    expect(countOf(JSON.parse(stored))).toBe(count);
  });

  it("keeps the sums of a data directory within the range of integers", async () => {
    const dataDir = await temporaryFolder();
    const turns = ODD.map(([stored]) => `{"type":"turn","inputTokens":${stored},"cacheReadTokens":1e308}`);
    await appendLines(dataDir, "acme", "s1", "session.jsonl", turns);
    const { body } = await inspect(filesystemSource(dataDir)).ask("/sessions");
    expect(body.sessions).toMatchObject([
      { turns: 7, tokens: MOST, usage: { inputTokens: MOST, outputTokens: 0, cacheReadTokens: MOST } },
    ]);
  });

  it("keeps the sums of a Claude Code session within it, and is a warning of its line", async () => {
    const line = ([count]: readonly [string, number], i: number) =>
      `{"type":"assistant","uuid":"u${i}","message":{"id":"m${i}","usage":{"input_tokens":${count}}}}\n`;
    const root = await newProjects({ "p/s.jsonl": [["3", 3] as const, ...ODD].map(line).join("") });
    const inspector = inspect(openHistories(root));
    const { body } = await inspector.ask("/sessions");
    expect(body.sessions).toMatchObject([{ tokens: MOST, usage: { inputTokens: MOST } }]);
    const trace = await inspector.ask("/sessions/s/trace?tenantId=p");
    const warned = trace.body.warnings as { file: string; line: number; reason: string }[];
    expect(warned.map(({ file, line }) => `${file} ${line}`)).toEqual(ODD.map((_, i) => `s.jsonl ${i + 2}`));
    expect(warned[0]?.reason).toContain("token count");
    expect(trace.text).not.toContain("null");
  });

  it("is recorded as the nearest one", async () => {
    const source = createInMemoryInspectorDataSource();
    const turns: unknown[] = [];
    const appendTurn = source.sessionStore.appendTurn.bind(source.sessionStore);
    source.sessionStore.appendTurn = (session, turn) => {
      turns.push(turn);
      return appendTurn(session, turn);
    };
    const session = await new SessionRecorder(source.sessionStore).open();
    await session.recordTurn({ inputTokens: 1e308, outputTokens: Number.NaN, cacheReadTokens: -1 });
    await session.recordTurn({ inputTokens: 1e308, cacheWriteTokens: 2.5 });
    expect(turns).toMatchObject([
      { inputTokens: MOST, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      { inputTokens: MOST, cacheWriteTokens: 2 },
    ]);
    expect((await source.listSessions())[0]).toMatchObject({ tokens: MOST, usage: { inputTokens: MOST } });
  });

  it("is imported, and read from a row, as the nearest one", () => {
    const changes = new SessionChanges(newSummary({ tenantId: "acme", sessionId: "s1" }, 0), new Map());
    const usage = { inputTokens: 1e308, outputTokens: -1, cacheReadTokens: 1, cacheWriteTokens: 0.5 };
    const lastActive = "2026-01-15T12:00:00.000Z";
    const item = { tenantId: "acme", sessionId: "s1", userId: "", lastActive, status: "idle" } as const;
    changes.apply({ kind: "describe", item: { ...item, turns: 1e308, tokens: 0, usage } });
    expect(changes.summary.log).toMatchObject({ turns: MOST, usage: { inputTokens: MOST, outputTokens: 0 } });
    const row = Object.fromEntries(
      [...toColumns(changes.summary)].map(([name, value]) => [name, value === null ? null : String(value)]),
    );
    expect(toItem({ ...row, input_tokens: "Infinity" }, 0)).toMatchObject({ tokens: MOST });
  });
});

it("a compaction that took longer than time has been is shown without its beginning", async () => {
  const compaction = { type: "system", subtype: "compact_boundary", timestamp: "2026-01-04T05:00:00.000Z" };
  const record = { ...compaction, compactMetadata: { durationMs: 9e15 } };
  const source = openHistories(await newProjects({ "p/s.jsonl": `${JSON.stringify(record)}\n` }));
  const { body } = await inspect(source).ask("/sessions/s/trace?tenantId=p");
  const envelopes = body.envelopes as { timestamp: string; event: { type: string } }[];
  expect(envelopes.find(({ event }) => event.type === "compaction.start")).toMatchObject({
    timestamp: compaction.timestamp,
  });
});
