import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { homeFolder, run } from "../../../../test/support/command-line.js";
import type { SessionSummary } from "../../../domain/summary/session-summary.js";

const SESSION = "abc00000-0000-4000-8000-000000000001";

/** A turn of two calls of Claude Sonnet 4.5; the second call reads a result again. */
beforeEach(async () => {
  const project = path.join(await homeFolder(), "projects/-shop");
  await mkdir(project, { recursive: true });
  const usage = (read: number, write: number) => ({
    input_tokens: 10,
    output_tokens: 50,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write,
  });
  const record = (n: number, type: string, message: object) => ({
    uuid: `00000000-0000-4000-8000-00000000000${n}`,
    parentUuid: n === 1 ? null : `00000000-0000-4000-8000-00000000000${n - 1}`,
    sessionId: SESSION,
    timestamp: new Date(Date.UTC(2025, 10, 1, 0, 0, n)).toISOString(),
    isSidechain: false,
    cwd: "/shop",
    type,
    message,
  });
  const model = "claude-sonnet-4-5-20250929";
  const call = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/shop/cart.ts" } };
  const records = [
    record(1, "user", { role: "user", content: "Mend the cart" }),
    record(2, "assistant", { role: "assistant", id: "m1", model, content: [call], usage: usage(0, 10_000) }),
    record(3, "user", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "x".repeat(8_000) }],
    }),
    record(4, "assistant", {
      role: "assistant",
      id: "m2",
      model,
      content: [{ type: "text", text: "Done." }],
      usage: usage(10_000, 2_000),
    }),
  ];
  await writeFile(
    path.join(project, `${SESSION}.jsonl`),
    records.map((one) => `${JSON.stringify(one)}\n`).join(""),
  );
});

describe("agent-inspector summary", () => {
  it("prints what the session cost and what filled its context", async () => {
    const { stdout, stderr, code } = await run("summary", "abc", "projects");
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toContain(`-shop/${SESSION}  Mend the cart\n`);
    // 10,000 and 2,000 tokens written, 10,000 read, 20 fresh, 100 of output.
    expect(stdout).toMatch(/^Cost +\$0\.050$/m);
    expect(stdout).toMatch(/Read cart\.ts, result \(≈[\d.]+k? tokens, 1 call\)/);
  });

  it("prints the answer of the API for a program", async () => {
    const { stdout, code } = await run("summary", SESSION, "projects", "--json");
    const { total, counts, cacheMisses } = JSON.parse(stdout) as SessionSummary;
    expect([code, counts.modelCalls, cacheMisses.count]).toEqual([0, 2, 0]);
    const usd = 12_000 * 3.75e-6 + 10_000 * 0.3e-6 + 20 * 3e-6 + 100 * 15e-6;
    expect(total.cost.usd).toBeCloseTo(usd, 9);
  });

  it("says that nothing has a price where it is told to take none", async () => {
    const { stdout } = await run("summary", "abc", "projects", "--no-prices");
    expect(stdout).toContain("2 calls without pricing");
  });

  it("says how to find a session where there is none of that name", async () => {
    const { stdout, stderr, code } = await run("summary", "nobody", "projects");
    expect([stdout, code]).not.toEqual(["", 0]);
    expect(stderr).toContain("agent-inspector list");
  });
});
