import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { openHome } from "./support/homes.js";
import { allHomes } from "./support/real-homes.js";

/** A person counted these: of the session's own conversation, but tokens include sub-agents. */
interface Summary {
  readonly turns: number;
  readonly calls: number;
  readonly tools: number;
  readonly tokens: number;
  readonly agents: number;
  readonly errors: number;
  readonly compactions: number;
  readonly messages: number;
}

const CHECKED: readonly [home: string, session: string, summary: Summary][] = [
  ["code-butler", "019ab730-4906-7b12-8569-c53c5dde1150", counts(1, 4, 3, 23_554, 0, 0, 0, 14)],
  ["code-butler", "019ab760-3d78-7fd0-9ea1-4c39e889b87b", counts(2, 13, 12, 136_313, 0, 0, 0, 42)],
  ["codemie", "019e1695-0522-7c83-8b39-0dd379793f80", counts(3, 20, 38, 0, 0, 0, 0, 98)],
  ["codexbar-fork", "child-session", counts(0, 22, 0, 15_309_178 - 13_398_113, 0, 0, 0, 0)],
  ["cyspbot", "019f36a0-739e-7221-b58d-2689c0e37d92", counts(1, 7, 14, 184_829 + 9_763, 1, 0, 0, 42)],
  // A sub-agent's own tokens are its last totals without those at the end of its copy of the parent.
  [
    "cyspbot",
    "019f5500-0feb-79c0-a61c-f45ef5610725",
    counts(2, 29, 26, 1_354_449 + 112_433 + (387_947 - 149_321) + (540_548 - 185_882), 3, 0, 0, 99),
  ],
  ["openprintkit", "c61729d4-da6d-46a4-9a29-ec2c614e5e23", counts(63, 456, 400, 63_117_293, 0, 0, 0, 1_030)],
  ["session-bridge", "019d6e7b-5640-7ca2-8d15-18981d778804", counts(6, 64, 108, 7_231_959, 0, 0, 0, 315)],
  ["session-bridge", "019d7372-a0bb-72c0-847d-5e4439ef5efd", counts(7, 121, 211, 14_667_268, 0, 0, 1, 588)],
  ["session-bridge", "019d7ecc-68b7-7783-b52d-6bb5efe46f26", counts(4, 94, 146, 12_701_900, 0, 1, 0, 402)],
];

/** Another program counted these, with sub-agents: failed calls and errors, the newest model, and the beginning of the last answer. */
const COUNTED: readonly [
  home: string,
  session: string,
  errors: number,
  model?: string | undefined,
  answer?: string,
][] = [
  [
    "code-butler",
    "019ab730-4906-7b12-8569-c53c5dde1150",
    0,
    "gpt-5.1-codex-max",
    "Read the OpenSpec instructions.",
  ],
  [
    "code-butler",
    "019ab760-3d78-7fd0-9ea1-4c39e889b87b",
    2,
    "gpt-5.1-codex-max",
    "Summary: Add detailed docstring",
  ],
  [
    "codemie",
    "019e1695-0522-7c83-8b39-0dd379793f80",
    1,
    undefined,
    "I couldn’t directly inspect your already-open",
  ],
  ["codexbar-fork", "child-session", 0, "fixture-model"],
  [
    "cyspbot",
    "019f36a0-739e-7221-b58d-2689c0e37d92",
    1,
    "gpt-5.5",
    "Updated from `origin/main`. Current state: -",
  ],
  [
    "cyspbot",
    "019f5500-0feb-79c0-a61c-f45ef5610725",
    0,
    "gpt-5.6-sol",
    "PR [#83](https://github.com/chikachow/",
  ],
  [
    "openprintkit",
    "c61729d4-da6d-46a4-9a29-ec2c614e5e23",
    27,
    undefined,
    "Done. I implemented all requested features",
  ],
  [
    "session-bridge",
    "019d6e7b-5640-7ca2-8d15-18981d778804",
    10,
    "gpt-5.4",
    "Initial checkpoint load now shows",
  ],
  [
    "session-bridge",
    "019d7372-a0bb-72c0-847d-5e4439ef5efd",
    9,
    "gpt-5.4",
    "Session details now start at the first real",
  ],
  [
    "session-bridge",
    "019d7ecc-68b7-7783-b52d-6bb5efe46f26",
    8 + 1,
    "gpt-5.4",
    "Updated the session detail path so historical",
  ],
];

describeShared("golden summaries of Codex", () => {
  it.each(CHECKED)("%s %s", async (home, session, summary) => {
    expect(await summarize(openHome(path.join(SHARED_DATA, "codex", home)), session)).toEqual(summary);
  });

  it.each(COUNTED)("%s %s: what failed, and what was said", async (home, session, errors, model, answer) => {
    const items = await openHome(path.join(SHARED_DATA, "codex", home)).listSessions();
    const item = items.find(({ sessionId }) => sessionId === session)!;
    expect(item.errors).toBe(errors);
    expect(item.model).toBe(model);
    expect(item.lastAnswer?.slice(0, answer?.length)).toBe(answer);
  });

  it("hold the figures of the fork's oracle: what the child copied is the parent's", async () => {
    const source = openHome(path.join(SHARED_DATA, "codex/codexbar-fork"));
    const items = await source.listSessions();
    const [, lastOfChild] = lastTotals(path.join(SHARED_DATA, "codex/codexbar-fork")).sort(
      ([a], [b]) => a - b,
    )[1]!;
    expect(items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(lastOfChild);
    const trace = await source.loadTraceEnvelopes("unknown", "child-session");
    expect(trace.find(({ event }) => event.type === "session.start")!.event.replayed).toBe(135);
  });
});

describe.each(allHomes())("tokens of $name", ({ folder }) => {
  it("are the last totals that Codex wrote, those of copies once", async () => {
    const items = await openHome(folder).listSessions();
    const listed = items.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(listed).toBe(lastTotals(folder).reduce((sum, [copied, last]) => sum + last - copied, 0));
  });
});

function counts(...figures: readonly number[]): Summary {
  const [turns, calls, tools, tokens, agents, errors, compactions, messages] = figures as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { turns, calls, tools, tokens, agents, errors, compactions, messages };
}

async function summarize(source: InspectorDataSource, session: string): Promise<Summary> {
  const { tenantId, turns, tokens } = (await source.listSessions()).find(
    ({ sessionId }) => sessionId === session,
  )!;
  const trace = await source.loadTraceEnvelopes(tenantId, session);
  const events = await source.loadOrchestrationEvents(tenantId, session);
  const own = trace.filter(({ event }) => event.agentId === undefined).map(({ event }) => event.type);
  const count = (type: string) => own.filter((one) => one === type).length;
  expect([count("llm.end"), count("tool.end")]).toEqual([count("llm.start"), count("tool.start")]);
  expect(count("turn.start")).toBe(turns);
  return {
    turns,
    calls: count("llm.start"),
    tools: count("tool.start"),
    tokens,
    agents: events.filter((one) => (one as { type: string }).type === "agent_spawned").length,
    errors: count("error"),
    compactions: count("compaction.end"),
    messages: (await source.loadMessages(tenantId, session)).length,
  };
}

/** Totals at the end of the copied part of each file, and at its end. A copy is a file whose first totals are in another file. */
/** Codex copied totals when it wrote these. */
function isMigrated(folder: string): boolean {
  return path.basename(folder).startsWith("migrated-");
}

function lastTotals(folder: string): [copied: number, last: number][] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /rollout-[^/\\]*\.jsonl$/.test(file))
    .map((file) => readFileSync(path.join(folder, file), "utf8").split("\n").filter(Boolean));
  const threads = files.map((lines) => {
    const records = lines.flatMap((line) => (line.endsWith("}") ? [JSON.parse(line)] : []));
    const totals = records.flatMap(({ payload }) => payload?.info?.total_token_usage?.total_tokens ?? []);
    const { id, forked_from_id, history_mode } = records[0].payload;
    const [first] = records.flatMap(({ payload }) => payload?.info ?? []);
    // The original thread counts its own totals; pages copy none.
    const before = first?.total_token_usage.total_tokens - first?.last_token_usage.total_tokens;
    return {
      id,
      forked_from_id,
      totals: totals as number[],
      before: history_mode === "paginated" && !isMigrated(folder) ? before : undefined,
    };
  });
  return threads.map(({ forked_from_id, totals, before }) => {
    if (before !== undefined) return [before, totals.at(-1) ?? 0];
    const parent = threads.find(({ id }) => id === forked_from_id)?.totals ?? [];
    let copied = 0;
    while (copied < parent.length && parent[copied] === totals[copied]) copied++;
    return [totals[copied - 1] ?? 0, totals.at(-1) ?? 0];
  });
}
