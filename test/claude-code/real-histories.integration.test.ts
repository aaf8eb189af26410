import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { listAgents } from "../../src/domain/trace/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import { mergeTrace } from "../support/merge-trace.js";
import { HAS_SHARED_DATA } from "../support/shared-data.js";
import { inTurn } from "../support/shared-histories.js";
import { traceOf } from "../support/snapshots.js";
import { allProjects } from "./support/all-projects.js";
import { countSession, filesBelow } from "./support/naive-count.js";
import { storedIn } from "./support/projects.js";

const PROJECTS = allProjects();

const SESSIONS = PROJECTS.flatMap(([name, folder]) =>
  readdirSync(folder).flatMap((tenantId) =>
    readdirSync(path.join(folder, tenantId))
      .filter((file) => file.endsWith(".jsonl") && !file.startsWith("agent-"))
      .map((file) => ({ name, folder, tenantId, sessionId: file.slice(0, -".jsonl".length) })),
  ),
);

function countOf(trace: readonly WorkflowTraceEventEnvelope[], type: string): number {
  return trace.filter(({ event }) => event.type === type).length;
}

describe("histories of Claude Code, beside a naive count", () => {
  it("are present", () => {
    expect(PROJECTS.length).toBeGreaterThanOrEqual(HAS_SHARED_DATA ? 11 : 1);
    expect(SESSIONS.length).toBeGreaterThan(HAS_SHARED_DATA ? 22 : 1);
  });

  describe.each(inTurn(PROJECTS, ([, folder]) => folder))("%s", (name, folder) => {
    it("lists exactly the sessions whose files lie there", async () => {
      const items = await createClaudeCodeDataSource(folder, { threads: false }).listSessions();
      expect(items.map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`).sort()).toEqual(
        SESSIONS.filter((session) => session.name === name)
          .map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`)
          .sort(),
      );
    });

    it("has every line of every file as an envelope, or as a warning", async () => {
      const source = createClaudeCodeDataSource(folder, { threads: false });
      const counted = new Set<string>();
      let lines = 0;
      for (const { tenantId, sessionId } of await source.listSessions()) {
        const stream = await traceOf(source, tenantId, sessionId);
        const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
        const naive = countSession(path.join(folder, tenantId), sessionId);
        const shown = new Set(trace.map(storedIn).map(({ file, line }) => `${file}:${line}`));
        expect(stream.warnings).toHaveLength(naive.unreadable);
        const replayed = trace.map(({ event }) => (event.replayed as number | undefined) ?? 0);
        expect(replayed.reduce((a, b) => a + b, 0)).toBe(naive.copies);
        expect(shown.size + stream.warnings.length + naive.copies).toBe(naive.lines);
        for (const file of naive.files) counted.add(`${tenantId}/${file}`);
        lines += naive.lines;
      }
      expect([...counted].sort()).toEqual(filesBelow(folder).sort());
      expect(lines).toBeGreaterThan(0);
    });
  });

  describe.each(inTurn(SESSIONS, ({ folder }) => folder))(
    "$name $sessionId",
    ({ folder, tenantId, sessionId }) => {
      const source = createClaudeCodeDataSource(folder, { threads: false });
      const naive = countSession(path.join(folder, tenantId), sessionId);

      it("has the tokens of each API message once", async () => {
        const item = (await source.listSessions()).find((session) => session.sessionId === sessionId)!;
        const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = naive;
        const written = { cacheWriteTokens, ...(cacheWrite1hTokens > 0 && { cacheWrite1hTokens }) };
        const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
        const usage = { inputTokens, outputTokens, cacheReadTokens, ...written };
        // Without counts in any message, the usage is unknown.
        expect(item.usage).toEqual(tokens === 0 ? undefined : usage);
        expect(item.tokens).toBe(tokens);
      });

      it("has every model call, tool call and result, paired", async () => {
        const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
        const starts = trace.filter(({ event }) => event.type === "tool.start");
        const ends = new Set(
          trace.filter(({ event }) => event.type === "tool.end").map(({ event }) => event.toolCallId),
        );
        expect(countOf(trace, "llm.start")).toBe(naive.modelCalls);
        expect(countOf(trace, "llm.end")).toBe(naive.modelCalls);
        expect(starts).toHaveLength(naive.toolUses);
        expect(countOf(trace, "tool.end")).toBe(naive.toolResults);
        expect(starts.filter(({ event }) => ends.has(event.toolCallId))).toHaveLength(naive.pairs);
      });

      it("has every sub-agent that has a file or that a record names", async () => {
        const state = await source.loadOrchestrationState(tenantId, sessionId);
        const events = await source.loadOrchestrationEvents(tenantId, sessionId);
        const agents = state === null ? [] : runToEnd(listAgents(state!.snapshot, events));
        expect(agents.map(({ agentId }) => agentId).sort()).toEqual(naive.agents);
      });

      it("has the conversation's messages, and a trace whose order and ids hold", async () => {
        expect(await source.loadMessages(tenantId, sessionId)).toHaveLength(naive.messages);
        const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
        const events = await source.loadOrchestrationEvents(tenantId, sessionId);
        const merged = mergeTrace(tenantId, sessionId, trace, events);
        expect(merged.findIndex(({ sequence }, i) => i > 0 && sequence <= merged[i - 1]!.sequence)).toBe(-1);
        expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length);
        expect(merged.every(({ timestamp }) => new Date(timestamp).toISOString() === timestamp)).toBe(true);
      });
    },
  );
});
