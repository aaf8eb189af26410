import path from "node:path";
import { describe, expect, it } from "vitest";
import { InProcessPool } from "../../src/advanced.js";
import { supportedSources } from "../../src/composition/command-line-parts.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";
import { INVENTED, inventedFolder } from "../support/invented/histories.js";
import type { InventedSession } from "../support/invented/history.js";
import { listSources } from "../support/list-sources.js";

const KINDS = supportedSources();
const HISTORIES = INVENTED.map((history) => ({ ...history, folder: inventedFolder(history.kind) }));

async function kindsOf(folder: string): Promise<string[]> {
  const kinds: string[] = [];
  for (const { name, recognises } of KINDS) if (await recognises(folder)) kinds.push(name);
  return kinds;
}

it("An invented history exists for each kind of source but exported sessions", () => {
  const kinds = KINDS.map(({ name }) => name).filter((name) => name !== "export");
  expect(INVENTED.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
});

describe.each(HISTORIES)(
  "The invented history of $kind",
  ({ kind, folder, inside = [], problems, sessions }) => {
    const open = async <T>(work: (source: InspectorDataSource) => Promise<T>) => {
      const source = await KINDS.find(({ name }) => name === kind)!.open(folder, {
        pool: new InProcessPool(),
      });
      try {
        return await work(source);
      } finally {
        await source.close?.();
      }
    };

    it.each(["", ...inside])("is recognised at %j, as its own kind alone", async (below) => {
      expect(await kindsOf(path.join(folder, below))).toEqual([kind]);
    });

    it("is listed with the figures that were worked out by hand", () =>
      open(async (source) => {
        const listed = await Promise.all(
          (await source.listSessions()).map((item) => figuresOf(source, item)),
        );
        const byId = (a: { sessionId: string }, b: { sessionId: string }) =>
          a.sessionId < b.sessionId ? -1 : 1;
        expect(listed.sort(byId)).toEqual(sessions.map(completed).sort(byId));
      }));

    it("is reported with the records that cannot be read", () =>
      open(async (source) => {
        const [report] = (await listSources(source)).sources;
        const expected = problems ?? sessions.flatMap(({ warnings = [] }) => warnings).length;
        expect(report).toMatchObject({ sessions: sessions.length, isComplete: true });
        expect(report!.problems.reduce((sum, { count }) => sum + count, 0)).toBe(expected);
      }));
  },
);

const completed = (session: InventedSession) => ({
  status: "idle",
  compactions: 0,
  agents: [],
  warnings: [],
  ...session,
});

async function figuresOf(source: InspectorDataSource, item: InspectorSessionItem) {
  const { tenantId, sessionId, title, model, status, lastAnswer, usage, errors } = item;
  const snapshot = (await source.openSession!(tenantId, sessionId))!;
  const { warnings } = await snapshot.trace();
  const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
  const inOrder = trace.toSorted((a, b) => a.sequence - b.sequence).map(({ event }) => event);
  const of = (type: string) => inOrder.filter((event) => event.type === type);
  const tools: Record<string, number> = {};
  for (const { toolName } of of("tool.start")) tools[String(toolName)] = (tools[String(toolName)] ?? 0) + 1;
  const turns = of("turn.end").filter(({ agentId }) => agentId === undefined);
  const state = await source.loadOrchestrationState(tenantId, sessionId);
  expect([sessionId, item.turns]).toEqual([sessionId, turns.length]);
  expect([sessionId, of("llm.start").length]).toEqual([sessionId, of("llm.end").length]);
  return {
    ...{ tenantId, sessionId, title, model, status, lastAnswer, errors },
    turns: turns.map(({ outcome }) => outcome),
    calls: of("llm.end").length,
    tokens: usage && [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens],
    tools,
    failedTools: of("tool.end").filter(({ isError }) => isError === true).length,
    compactions: of("compaction.end").length,
    agents: Object.keys(state?.snapshot.agents ?? {}).sort(),
    messages: (await source.loadMessages(tenantId, sessionId)).length,
    warnings: warnings.map(({ file, line }) => `${file}:${line}`),
  };
}
