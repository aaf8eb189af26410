import { rm } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { damagedLines } from "../support/damaged-records.js";
import { runs } from "../support/soak.js";
import {
  answered,
  asking,
  begun,
  ended,
  eventsOf,
  happens,
  lines,
  newHome,
  openHome,
  prompted,
  shutDown,
  sourceOf,
  started,
  writeFiles,
} from "./support/homes.js";

const WHOLE = lines(
  started("s1"),
  prompted(1, "Count."),
  happens(2, "system.message", { content: "Be brief." }),
  answered(5, "c1", "Let me see.", {
    reasoningText: "Books.",
    ...asking("t1", "task", { prompt: "Count." }),
  }),
  begun(6, "t1", "task", { prompt: "Count.", mode: "background" }),
  happens(7, "subagent.started", { toolCallId: "t1", executionMode: "background" }, "a1"),
  ended(8, "t1", "Started."),
  prompted(8, "Count.", { source: "agent-s1" }, "a1"),
  answered(11, "c2", "Seven.", {}, undefined, "a1"),
  happens(12, "subagent.failed", { toolCallId: "t1", error: "no" }, "a1"),
  answered(14, "c3", "Seven.", { outputTokens: 9 }, null),
  happens(15, "session.error", { message: "no" }),
  happens(16, "session.compaction_complete", {
    success: true,
    summaryContent: "All.",
    compactionTokensUsed: { inputTokens: 5, outputTokens: 1 },
  }),
  shutDown(17, { "gpt-a": { inputTokens: 900, outputTokens: 90 }, "gpt-b": { inputTokens: 1 } }),
  happens(18, "abort", { reason: "user_initiated" }),
)
  .trimEnd()
  .split("\n");

const TYPES = [...new Set(WHOLE.map((line) => (JSON.parse(line) as { type: string }).type))];
const MEMBERS = [
  ...new Set(WHOLE.flatMap((line) => Object.keys((JSON.parse(line) as { data: object }).data))),
];

/** A record of a supported type whose members are of any other kind. */
const odd = fc.oneof(
  fc.json(),
  fc
    .record({
      type: fc.oneof(fc.constantFrom(...TYPES), fc.string(), fc.jsonValue()),
      data: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...MEMBERS), fc.jsonValue())),
      id: fc.jsonValue(),
      timestamp: fc.oneof(fc.jsonValue(), fc.constant("2026-05-01T09:00:00.000Z")),
      parentId: fc.constant(null),
      agentId: fc.oneof(fc.jsonValue(), fc.constantFrom("a1", "t1", "")),
    })
    .map((record) => JSON.stringify(record)),
  fc.string().map((text) => text.replaceAll("\n", " ")),
);

const damaged = damagedLines(WHOLE, odd);

describe("A damaged session of Copilot CLI", () => {
  it("loses nothing: each line is an envelope or a warning, and others stay as they are", {
    timeout: 120_000,
  }, async () => {
    const home = await newHome();
    await fc.assert(
      fc.asyncProperty(damaged, async (text) => {
        await rm(path.join(home, "session-state"), { recursive: true, force: true });
        await writeFiles(home, { [eventsOf("s1")]: text, [eventsOf("s2")]: `${WHOLE.join("\n")}\n` });
        const source = sourceOf(home);
        const items = await source.listSessions();
        expect(items.map(({ sessionId }) => sessionId).sort()).toEqual(["s1", "s2"]);
        for (const { tenantId, sessionId } of items) {
          const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
          const { warnings } = await (await source.openSession!(tenantId, sessionId))!.trace();
          const shown = new Set(trace.map(({ event }) => (event.stored as { line: number }).line));
          const unshown = warnings.filter(({ line }) => !shown.has(line));
          expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
          expect(trace.filter(({ event }) => event.type === "copilot-cli.fault")).toEqual([]);
          await source.loadMessages(tenantId, sessionId);
          await source.loadOrchestrationState(tenantId, sessionId);
          const written = (sessionId === "s1" ? text : WHOLE.join("\n")).split("\n");
          expect(shown.size + unshown.length).toBe(written.filter((line) => line.trim() !== "").length);
        }
        await source.close?.();
      }),
      { numRuns: runs(150) },
    );
  });

  it("costs a bad record itself alone", async () => {
    const bad = [
      '{"type":"assistant.message","data":{"content":"cut',
      '{"type":5,"data":[]}',
      "[1]",
      "7",
      "{}",
    ];
    const texts = { whole: WHOLE, damaged: WHOLE.flatMap((line) => [...bad, line]) };
    const counted: unknown[] = [];
    for (const text of Object.values(texts)) {
      const source = openHome(await newHome({ [eventsOf("s1")]: `${text.join("\n")}\n` }));
      const [item] = await source.listSessions();
      const { turns, tokens, errors, title, model, lastAnswer, usageByModel } = item!;
      counted.push({ turns, tokens, errors, title, model, lastAnswer, usageByModel });
    }
    expect(counted[1]).toEqual(counted[0]);
  });

  it("is listed with what its file says so far, also where its last line is being written", async () => {
    const text = WHOLE.slice(0, 8).join("\n");
    const home = await newHome({ [eventsOf("s1")]: text.slice(0, -40), [eventsOf("s2")]: "" });
    expect(await openHome(home).listSessions()).toMatchObject([{ sessionId: "s1", turns: 1, tokens: 110 }]);
  });
});
