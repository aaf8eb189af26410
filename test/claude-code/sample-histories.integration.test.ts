import path from "node:path";
import { describe, expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { listAgents } from "../../src/domain/trace/orchestration.js";
import { countSession } from "./support/naive-count.js";
import { SAMPLES, storedIn } from "./support/projects.js";
import { summarize } from "./support/summarize.js";

/** A person checked each summary against its lines. To renew one on purpose: `vitest -u`, and read the difference. */
const SESSIONS = [
  ["version-1.0", "-home-ada-bookshop", "b0000001-0000-4000-8000-000000000000"],
  ["version-2.0", "-home-ada-bookshop", "b0000002-0000-4000-8000-000000000000"],
  ["version-2.1", "-home-ada-bookshop", "b0000003-0000-4000-8000-000000000000"],
  ["compactions", "-home-ada-bookshop", "b0000004-0000-4000-8000-000000000000"],
  ["api-errors", "-home-ada-bookshop", "b0000005-0000-4000-8000-000000000000"],
  ["odd-records", "-home-ada-bookshop", "b0000009-0000-4000-8000-000000000000"],
  ["progress-records", "-home-ada-bookshop", "b0000010-0000-4000-8000-000000000000"],
  ["original", "-home-ada-forks", "b0000006-0000-4000-8000-000000000000"],
  ["fork", "-home-ada-forks", "b0000007-0000-4000-8000-000000000000"],
  ["resumed", "-home-ada-forks", "b0000008-0000-4000-8000-000000000000"],
] as const;

/** Those begin with another session's lines, which a plain count takes for theirs. */
const WITH_COPIES = new Set<string>(["fork", "resumed"]);

const source = createClaudeCodeDataSource(SAMPLES);

it("the samples are all that lie there", async () => {
  const listed = (await source.listSessions()).map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`);
  expect(listed.sort()).toEqual(SESSIONS.map(([, tenantId, sessionId]) => `${tenantId}/${sessionId}`).sort());
});

describe.each(SESSIONS)("the sample of %s", (name, tenantId, sessionId) => {
  it("has the summary that a person has checked", async () => {
    const summary = await summarize(source, sessionId, "by line");
    await expect(summary).toMatchFileSnapshot(path.join(import.meta.dirname, "golden/samples", `${name}.md`));
  });

  if (WITH_COPIES.has(name)) return;
  it("has what a plain count finds in its files", async () => {
    const naive = countSession(path.join(SAMPLES, tenantId), sessionId);
    const item = (await source.listSessions()).find((session) => session.sessionId === sessionId)!;
    const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
    const state = await source.loadOrchestrationState(tenantId, sessionId);
    const agents = state === null ? [] : runToEnd(listAgents(state!.snapshot, []));
    const starts = trace.filter(({ event }) => event.type === "tool.start");
    const ended = new Set(
      trace.filter(({ event }) => event.type === "tool.end").map(({ event }) => event.toolCallId),
    );
    expect({
      cacheWrite1hTokens: 0,
      copies: 0,
      ...item.usage,
      modelCalls: trace.filter(({ event }) => event.type === "llm.end").length,
      toolUses: starts.length,
      toolResults: trace.filter(({ event }) => event.type === "tool.end").length,
      pairs: starts.filter(({ event }) => ended.has(event.toolCallId)).length,
      agents: agents.map(({ agentId }) => agentId).sort(),
      messages: (await source.loadMessages(tenantId, sessionId)).length,
      files: [...new Set(trace.map((envelope) => storedIn(envelope).file))].sort(),
      lines: new Set(trace.map(storedIn).map(({ file, line }) => `${file}:${line}`)).size + naive.unreadable,
      unreadable: naive.unreadable,
    }).toEqual({ ...naive, files: naive.files.sort() });
  });
});
