import path from "node:path";
import { expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { ComparedInspector } from "../support/call-oracle/compared-inspector.js";
import { describeShared } from "../support/shared-suites.js";
import { projectsFolders } from "./support/real-histories.js";

/** From `EXPECT.md` beside the histories: prompts, tokens, failed calls and tools. A copy counts at its first place. */
const EXPECTED = [
  ["run-2.1.331", "ef71cae4-b792-4e87-bc77-eb9bc88e0e95", 7, [3440, 5400, 17200, 1265], 2 + 1, 27],
  ["run-2.1.331", "394901a5-0e07-41e4-a2b7-d5a0955cea67", 2 - 1, [100, 200, 500, 40], 0, 3 - 2],
  ["run-2.1.331-terminal", "705cf7c5-3c52-4966-b94b-54c025a9d9b2", 2, [1700, 2400, 8500, 605], 2, 12],
] as const;

describeShared("a session that version 2.1.331 wrote", () => {
  it.each(EXPECTED)(
    "%s %s has what was counted in its files",
    async (name, sessionId, turns, tokens, errors, calls) => {
      const folder = projectsFolders().find(([one]) => one === name)![1];
      const source = createClaudeCodeDataSource(folder, { threads: false });
      const item = (await source.listSessions()).find((one) => one.sessionId === sessionId)!;
      const [inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens] = tokens;
      expect(item).toMatchObject({ turns, errors });
      expect(item.usage).toMatchObject({ inputTokens, cacheWriteTokens, cacheReadTokens, outputTokens });
      const inspector = new ComparedInspector(source);
      const session = { tenantId: item.tenantId, sessionId };
      const { traced } = await inspector.modelCalls(session);
      expect(traced).toHaveLength(calls);
      for (const call of traced) {
        const { source } = (await inspector.contextOf(session, call)).call;
        // No file holds the requests of a fork.
        expect(source).toBe(name === "run-2.1.331-terminal" && call.agentId !== "" ? "conversation" : "call");
      }
    },
  );

  it("says where all of a large output lies", async () => {
    const folder = projectsFolders().find(([one]) => one === "run-2.1.331")![1];
    const source = createClaudeCodeDataSource(folder, { threads: false });
    const [, sessionId] = EXPECTED[0];
    const trace = await source.loadTraceEnvelopes("-srv-demo-cc", sessionId);
    const persisted = trace.flatMap(({ event }) => (event.persisted as object | undefined) ?? []);
    const file = path.posix.join(sessionId, "tool-results/bnccgqejq.txt");
    expect(persisted).toEqual([{ file, bytes: 228_894 }]);
  });
});
