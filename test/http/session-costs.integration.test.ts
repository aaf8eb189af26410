import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createInspectorContainer,
  createInspectorRoute,
  InProcessPool,
  type InspectorContainerOptions,
} from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { sharedThread } from "../support/pools.js";

const pool = sharedThread();
let projects: string;

beforeEach(async () => {
  projects = await mkdtemp(path.join(tmpdir(), "session-costs-"));
});

afterEach(() => rm(projects, { recursive: true, force: true }));

const USAGE = {
  input_tokens: 1_000,
  output_tokens: 200,
  cache_creation_input_tokens: 3_000,
  cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 2_000 },
};

function call(id: string, model: string, fields: Readonly<Record<string, unknown>> = {}) {
  const message = { id, model, role: "assistant", content: [{ type: "text", text: "Yes." }], usage: USAGE };
  return { type: "assistant", uuid: id, timestamp: "2026-02-01T12:00:00.000Z", message, ...fields };
}

async function costOf(lines: readonly object[], options: Pick<InspectorContainerOptions, "prices"> = {}) {
  await mkdir(path.join(projects, "p"), { recursive: true });
  await writeFile(
    path.join(projects, "p/s.jsonl"),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  const source = createClaudeCodeDataSource(projects, { pool });
  try {
    const container = createInspectorContainer(source, { pool: new InProcessPool(), ...options });
    const answer = await createInspectorRoute(container).request("/sessions");
    const { sessions } = (await answer.json()) as { sessions: Record<string, unknown>[] };
    expect(sessions[0]).not.toHaveProperty("usageByModel");
    return sessions[0]?.cost;
  } finally {
    await source.close?.();
  }
}

describe("The cost of a session in the list", () => {
  it("is that of its tokens, writes to a cache for an hour as such", async () => {
    const usd = (1_000 * 15 + 200 * 75 + 1_000 * 18.75 + 2_000 * 30) / 1e6;
    expect(await costOf([call("a", "claude-opus-4-1-20250805")])).toEqual({
      usd: expect.closeTo(usd, 12),
      recordedUsd: 0,
      unpricedCalls: 0,
      unpricedTokens: 0,
    });
  });

  it("is what was recorded, where it was", async () => {
    const lines = [call("a", "claude-opus-4-1", { costUSD: 0.5 }), call("b", "own-model", { costUSD: 0.25 })];
    const cost = { usd: 0.75, recordedUsd: 0.75, unpricedCalls: 0, unpricedTokens: 0 };
    expect(await costOf(lines)).toEqual(cost);
    expect(await costOf(lines, { prices: false })).toEqual(cost);
  });

  it("counts what has no price beside it, unless one names a price", async () => {
    const lines = [call("a", "own-model"), call("b", "own-model"), call("c", "own-model", { costUSD: 1 })];
    expect(await costOf(lines)).toEqual({ usd: 1, recordedUsd: 1, unpricedCalls: 2, unpricedTokens: 8_400 });
    const prices = { "own-*": { input: 1, output: 5, cacheWrite1h: 2 } };
    expect(await costOf(lines, { prices })).toEqual({
      usd: expect.closeTo(1 + (2 * (1_000 + 1_000 + 1_000 + 4_000)) / 1e6, 12),
      recordedUsd: 1,
      unpricedCalls: 0,
      unpricedTokens: 0,
    });
  });

  it("is absent without calls, and without any prices", async () => {
    expect(
      await costOf([{ type: "user", uuid: "u", message: { role: "user", content: "Hello" } }]),
    ).toBeUndefined();
    expect(await costOf([call("a", "claude-opus-4-1")], { prices: false })).toBeUndefined();
  });

  it("needs prices that are ones, given once", () => {
    const source = createClaudeCodeDataSource(projects, { pool });
    const prices = { m: { input: -1, output: 1 } };
    expect(() => createInspectorRoute(source, { prices })).toThrow('"m": "input" is -1.');
    const container = createInspectorContainer(source);
    expect(() => createInspectorRoute(container, { prices: false })).toThrow("`createInspectorContainer`");
  });
});
