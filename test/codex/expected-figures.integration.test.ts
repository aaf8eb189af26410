import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { openHome } from "./support/homes.js";
import { realHomes } from "./support/real-homes.js";

/** Counted in a rollout by hand and by another program; the file lies beside it. */
interface Figures {
  readonly turns: string;
  readonly tools: number;
  readonly calls?: number;
  readonly tokens?: number;
}

const ROW =
  /^\| (?:rollout-)?(\S+).*? \| (?:paginated|legacy) \| (\S+) \| (\d+) \| (\d+|no record) \| (\S+) \| (\d+) \|/;

function expectedIn(folder: string): [rollout: string, figures: Figures][] {
  const file = path.join(folder, "EXPECT.md");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.flatMap((line): [string, Figures][] => {
    const [, name, turns, , calls, tokens, tools] = ROW.exec(line) ?? [];
    if (name === undefined) return [];
    const [input = 0, , output = 0] = tokens!.split("/").map(Number);
    const counted = calls === "no record" ? {} : { calls: Number(calls), tokens: input + output };
    return [[name, { turns: turns!, tools: Number(tools), ...counted }]];
  });
}

/**
 * Both turns have answers with the same ids, because the scripted model restarted its count: two by id, but four by the totals of Codex.
 */
const COUNTED_BY_TURN: Readonly<Record<string, Partial<Figures>>> = {
  "2026-11-24T15-42-56-01a20e39-75ae-7c03-9eb0-bce0ada11bc5": { calls: 4, tokens: 4_570 },
};

async function figuresOf(source: InspectorDataSource, rollout: string): Promise<Required<Figures>> {
  const outcomes = { completed: 0, failed: 0, cancelled: 0 };
  let [tools, calls, tokens] = [0, 0, 0];
  for (const { tenantId, sessionId } of await source.listSessions()) {
    for (const { event } of await source.loadTraceEnvelopes(tenantId, sessionId)) {
      const { file } = event.stored as { file: string };
      if (!file.endsWith(`${rollout}.jsonl`)) continue;
      if (event.type === "turn.end") outcomes[event.outcome as keyof typeof outcomes]++;
      if (event.type === "tool.start") tools++;
      if (event.type !== "llm.end") continue;
      calls++;
      tokens += Object.values(event.usage as Record<string, number>).reduce((sum, one) => sum + one, 0);
    }
  }
  const { completed, failed, cancelled } = outcomes;
  return { turns: `${completed}/${failed}/${cancelled}`, tools, calls, tokens };
}

describeShared("the figures of rollouts of Codex", () => {
  const rows = realHomes().flatMap(({ name, folder }) =>
    expectedIn(folder).map(([rollout, figures]) => [name, rollout, figures] as const),
  );
  it.each(rows)("are those that were counted in %s: %s", async (name, rollout, figures) => {
    const source = openHome(path.join(SHARED_DATA, "codex", name));
    const found = await figuresOf(source, rollout);
    expect(found).toMatchObject({ ...figures, ...COUNTED_BY_TURN[rollout] });
    await source.close?.();
  });
});

/** The legacy original of each home that Codex itself rewrote lies beside it. */
const MIGRATED = realHomes().filter(({ name }) => name.startsWith("migrated-"));

describeShared("a thread that Codex rewrote in pages", () => {
  it.each(MIGRATED)("is the same session as before: $name", async ({ name, folder }) => {
    const migrated = openHome(folder);
    const legacy = openHome(path.join(SHARED_DATA, "codex", name.replace("migrated-", "")));
    const before = new Map((await legacy.listSessions()).map((session) => [session.sessionId, session]));
    for (const session of await migrated.listSessions()) {
      const { tenantId, sessionId } = session;
      expect({ ...session, warnings: 0 }).toEqual({ ...before.get(sessionId), warnings: 0 });
      expect(await toldBy(migrated, tenantId, sessionId)).toEqual(await toldBy(legacy, tenantId, sessionId));
    }
  });
});

/** Without the differences between two files of one thread. */
async function toldBy(source: InspectorDataSource, tenantId: string, sessionId: string) {
  const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
  const told = trace.flatMap(({ traceId, event }) => {
    const { type, text, toolCallId, toolName, input, output, outcome, usage, exitCode } = event;
    if (type.startsWith("codex.") || type === "session.start") return [];
    return [
      JSON.stringify({ traceId, type, text, toolCallId, toolName, input, output, outcome, usage, exitCode }),
    ];
  });
  const session = (await source.openSession!(tenantId, sessionId))!;
  const { outline } = await session.messages();
  return {
    told: told.sort(),
    messages: (await source.loadMessages(tenantId, sessionId)).length,
    calls: outline!.calls.map(({ at }) => at),
    removals: outline!.removals.map(({ messages }) => messages),
  };
}
