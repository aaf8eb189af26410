import path from "node:path";
import { describe, expect, it } from "vitest";
import { atifWriter } from "../../src/adapters/exports/atif/atif-writer.js";
import { historyFormat } from "../../src/adapters/formats/registry.js";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import type { ListedSession } from "../../src/domain/session/model-usage.js";
import type { SessionSummary } from "../../src/domain/summary/session-summary.js";
import { openHistories } from "../../src/histories.js";
import { INVENTED, inventedFolder } from "../support/invented/histories.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { exported, folderWith, listedSession, PRICING, summaryOf } from "./support/round-trip.js";
import { trajectoryProblems } from "./support/trajectory-rules.js";

const write = atifWriter(PRICING);

function numbersOf(session: ListedSession, { counts, total, agents, diagnosis }: SessionSummary) {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = total.usage;
  return {
    title: session.title,
    counts,
    tokens: session.tokens,
    // A trajectory does not separate cache writes from other input.
    usage: { prompt: inputTokens + cacheReadTokens + cacheWriteTokens, cacheReadTokens, outputTokens },
    usd: total.cost.usd.toFixed(9),
    unpricedCalls: total.cost.unpricedCalls,
    errors: [session.errors, diagnosis.errors],
    // The call that started a sub-agent has its name.
    agents: agents.map(({ agentId, calls, toolCalls }) => ({ agentId, calls, toolCalls })),
  };
}

/** Sessions with sub-agents, compactions, errors, refused calls, images, and embedded trajectories. */
const SHARED: readonly (readonly [format: string, folder: string, sessionId: string])[] = [
  ["claude-code", "claude-code/agtrace/projects", "7f2abd2d-7cfc-4447-9ddd-3ca8d14e02e9"],
  ["claude-code", "claude-code/entire-cli/projects", "34b1e2a4-8cec-4bb9-94a0-ec9e9c639c8e"],
  ["codex", "codex/code-butler", "019ab73e-8c11-7ad2-b604-5987891db560"],
  ["pi", "pi/run-0.87.1", "01a20e4c-7210-76f8-806b-97ee4bbfaea8"],
  ["atif", "atif/phoenix-client", "run-v17-001"],
  ["atif", "atif/phoenix-client", "sess-multimodal-test"],
];

const HISTORIES = [
  ...INVENTED.filter(({ kind }) => historyFormat(kind) !== undefined).flatMap(({ kind, sessions }) => {
    const folder = inventedFolder(kind);
    return sessions.map(({ sessionId }) => [kind, folder, sessionId] as const);
  }),
  ...(HAS_SHARED_DATA ? SHARED : []).map(
    ([format, folder, sessionId]) => [format, path.join(SHARED_DATA, folder), sessionId] as const,
  ),
];

describe("ATIF of histories", () => {
  it.each(HISTORIES)(
    "keeps to the format and its reader gives back the numbers: %s, %s, %s",
    async (format, folder, sessionId) => {
      const source = await openHistories(format, folder, { threads: false });
      const session = await listedSession(source, sessionId);
      const text = await exported(source, [sessionId], write);
      expect(trajectoryProblems(JSON.parse(text))).toEqual([]);

      const back = await openHistories("atif", await folderWith("trajectory.json", text), { threads: false });
      const again = await listedSession(back, sessionId);
      const numbers = numbersOf(again, await summaryOf(back, again));
      expect(numbers).toEqual(numbersOf(session, await summaryOf(source, session)));
    },
  );
});

describe("ATIF", () => {
  const session = (sessionId: string) => ({ tenantId: "acme", sessionId, userId: "ada" });

  it("is a document also of a session without a step", async () => {
    const source = createInMemoryInspectorDataSource([session("s1")]);
    const document = JSON.parse(await exported(source, ["s1"], write));
    expect(trajectoryProblems(document)).toEqual([]);
    expect(document).toMatchObject({ session_id: "s1", steps: [{ step_id: 1, source: "system" }] });
  });

  it("holds one session", async () => {
    const source = createInMemoryInspectorDataSource([session("s1"), session("s2")]);
    await expect(exported(source, ["s1", "s2"], write)).rejects.toThrow("sessions are several");
  });
});
