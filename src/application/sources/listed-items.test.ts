import { describe, expect, it } from "vitest";
import { runToEnd } from "../../domain/lists/run-to-end.js";
import { listedItems } from "./listed-items.js";

const listed = (...list: unknown[]) => runToEnd(listedItems(list as never, "listSessions"));
const items = (...list: object[]) => listed(...list).items;
const COMPLETE = {
  tenantId: "acme",
  sessionId: "s1",
  userId: "ada",
  lastActive: "2026-01-15T12:00:00.000Z",
  turns: 2,
  tokens: 7,
  status: "running",
};

describe("the sessions of a list", () => {
  it("are given as they are where they have all members", () => {
    const list = [COMPLETE, { ...COMPLETE, sessionId: "s2", title: "Notes", own: { of: "the embedder" } }];
    expect(items(...list)).toEqual(list);
  });

  it("have the seven members that every session has, whatever is left out", () => {
    const defaults = { userId: "", turns: 0, tokens: 0, status: "idle", tenantId: "default" };
    const lastActive = "1970-01-01T00:00:00.000Z";
    expect(items({ sessionId: "s1" })).toEqual([{ ...defaults, sessionId: "s1", lastActive }]);
    for (const none of [null, "", "never", Number.NaN, -1, {}]) {
      const odd = { userId: null, turns: none, tokens: none, status: null, tenantId: null, lastActive: {} };
      expect(items({ sessionId: 7, ...odd })).toEqual([{ ...defaults, sessionId: "7", lastActive }]);
    }
  });

  it("have tokens and an instant by what else is known", () => {
    const usage = { inputTokens: 3, outputTokens: 4 };
    const at = Date.UTC(2026, 0, 15, 12);
    expect(items({ sessionId: "s1", usage })).toMatchObject([{ tokens: 7 }]);
    const usageByModel = [{ model: "m", at, contextTokens: 3, calls: 1, usage }];
    const createdAt = "2026-01-15T11:00:00.000Z";
    expect(items({ sessionId: "s1", usageByModel, createdAt })).toMatchObject([
      { tokens: 7, lastActive: "2026-01-15T12:00:00.000Z" },
    ]);
    expect(items({ sessionId: "s1", createdAt })).toMatchObject([{ lastActive: createdAt }]);
    for (const lastActive of [new Date(at), at, "2026-01-15T12:00:00Z", "2026-01-15 13:00+01:00"])
      expect(items({ ...COMPLETE, lastActive })).toEqual([COMPLETE]);
  });

  it("are without the members that are of another kind", () => {
    const usage = { inputTokens: 3, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const part = { model: "m", at: 5, contextTokens: 3, calls: 1, usage };
    const odd = {
      title: {},
      agentId: [],
      directory: 5,
      createdAt: "never",
      model: null,
      prompt: {},
      lastAnswer: 1,
    };
    const counts = { errors: -1, warnings: "many", usage: "none", cost: { usd: Number.NaN }, own: 5 };
    expect(items({ ...COMPLETE, ...odd, ...counts, usageByModel: 5 })).toEqual([
      { ...COMPLETE, usageByModel: [], own: 5 },
    ]);
    for (const faulty of [
      null,
      { ...part, model: {} },
      { ...part, at: "x" },
      { ...part, usage: { inputTokens: -1 } },
    ]) {
      const [item] = items({ ...COMPLETE, usageByModel: [part, faulty] });
      expect(item!.usageByModel![0]).toEqual(part);
    }
    expect(items({ ...COMPLETE, title: 7, usage: { inputTokens: -1, outputTokens: 4 } })).toEqual([
      { ...COMPLETE, title: "7", usage: { ...usage, inputTokens: 0 } },
    ]);
  });

  it("are none without an id, which costs no other one", () => {
    const none = [
      null,
      undefined,
      "s1",
      {},
      { ...COMPLETE, sessionId: "" },
      { sessionId: {} },
      { ...COMPLETE, tenantId: "x".repeat(501) },
    ];
    const reason = "is no session: it has no sessionId, or too long an id, and is skipped";
    expect(listed(...none, COMPLETE)).toEqual({
      items: [COMPLETE],
      warnings: none.map((_, i) => ({ file: "listSessions", line: i + 1, reason })),
    });
    const { warnings } = listed(...Array.from({ length: 1_000 }, () => null));
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toMatchObject({ line: 21, reason: `${reason}: so are 980 in all` });
  });
});
