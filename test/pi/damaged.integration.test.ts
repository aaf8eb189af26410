import { rm } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { damagedLines } from "../support/damaged-records.js";
import { runs } from "../support/soak.js";
import {
  called,
  entry,
  fileOf,
  header,
  lines,
  message,
  newSessions,
  openOne,
  openSessions,
  result,
  said,
  TENANT,
  usage,
  user,
  writeFiles,
} from "./support/sessions.js";

const WHOLE: readonly object[] = [
  entry("model_change", "e1", null, 1, { provider: "acme", modelId: "m-1" }),
  user("e2", "e1", 2, "Count the books."),
  called("e3", "e2", 3, "c1"),
  result("e4", "e3", 4, "c1", "7", { usage: usage(1, 1) }),
  said("e5", "e4", 5, "Seven."),
  message("e6", "e5", 6, { role: "bashExecution", command: "ls", output: "a", exitCode: 0 }),
  said("e7", "e6", 7, "", { stopReason: "error", errorMessage: "503" }),
  entry("context_edit", "e8", "e7", 8, { targetId: "e7", replacement: null }),
  entry("compaction", "e9", "e8", 9, { summary: "S", firstKeptEntryId: "e5", tokensBefore: 9 }),
  entry("branch_summary", "e10", "e4", 10, { fromId: "e9", summary: "B" }),
  entry("custom_message", "e11", "e10", 11, { customType: "x", content: "N" }),
  said("e12", "e11", 12, "Eight.", { stopReason: "aborted" }),
  entry("session_info", "e13", "e12", 13, { name: "Books" }),
];

const odd = fc.oneof(
  fc.json(),
  fc
    .record({
      type: fc.oneof(fc.constantFrom(...WHOLE.map((one) => (one as { type: string }).type)), fc.jsonValue()),
      id: fc.oneof(fc.constantFrom("e3", "e9"), fc.jsonValue()),
      parentId: fc.oneof(fc.constantFrom("e1", "e9", null), fc.jsonValue()),
      timestamp: fc.jsonValue(),
      summary: fc.jsonValue(),
      usage: fc.jsonValue(),
      message: fc.oneof(
        fc.jsonValue(),
        fc.record({
          role: fc.oneof(fc.constantFrom("user", "assistant", "toolResult", "system"), fc.jsonValue()),
          content: fc.oneof(
            fc.jsonValue(),
            fc.array(
              fc.record({
                type: fc.constantFrom("text", "toolCall"),
                id: fc.jsonValue(),
                name: fc.jsonValue(),
                text: fc.jsonValue(),
              }),
            ),
          ),
          stopReason: fc.jsonValue(),
          usage: fc.jsonValue(),
          timestamp: fc.jsonValue(),
        }),
      ),
    })
    .map((record) => JSON.stringify(record)),
  fc.string().map((text) => text.replaceAll("\n", " ")),
);

const damaged = damagedLines(
  lines(header("s1"), ...WHOLE)
    .trimEnd()
    .split("\n"),
  odd,
);

describe("A damaged session", () => {
  it("loses nothing: each line is an envelope, a replay or a warning", { timeout: 120_000 }, async () => {
    const root = await newSessions();
    await fc.assert(
      fc.asyncProperty(damaged, damaged, async (own, forked) => {
        await rm(path.join(root, "--srv-shop--"), { recursive: true, force: true });
        const fork = lines(header("s2", { parentSession: path.basename(fileOf("s1")) })) + forked;
        await writeFiles(root, { [fileOf("s1")]: own, [fileOf("s2", 9)]: fork });
        const source = await openSessions(root);
        let accounted = 0;
        const sessions = await source.listSessions();
        for (const { tenantId, sessionId } of sessions) {
          const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
          const { warnings } = await (await source.openSession!(tenantId, sessionId))!.trace();
          const shown = new Set(trace.map(({ event: { stored } }) => JSON.stringify(stored)));
          const replayed = trace.reduce((sum, { event }) => sum + Number(event.replayed ?? 0), 0);
          const isReplay = replayed > 0 && trace.length === 1;
          const unshown = warnings.filter(({ file, line }) => !shown.has(JSON.stringify({ file, line })));
          accounted += shown.size - Number(isReplay) + replayed + unshown.length;
          expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
          expect(new Set(trace.map(({ sequence }) => sequence)).size).toBe(trace.length);
          await source.loadMessages(tenantId, sessionId);
        }
        expect(sessions).toHaveLength(2);
        expect(accounted).toBe((own + fork).split("\n").filter((line) => line.trim() !== "").length);
        await source.close?.();
      }),
      { numRuns: runs(200) },
    );
  });

  it("is whole but for what is damaged", async () => {
    const { item, of, source } = await openOne(
      user("e1", null, 1, "Count."),
      { type: "message", id: "e2", parentId: "e1", message: "none" },
      {
        type: "message",
        id: 5,
        parentId: {},
        timestamp: "never",
        message: { role: "assistant", content: { a: 1 }, usage: 7 },
      },
      said("e4", "e2", 4, "Seven.", { usage: { input: -5, output: 1.5, cost: { total: "much" } } }),
    );
    expect(item).toMatchObject({ turns: 1, tokens: 1, warnings: 1, lastAnswer: "Seven." });
    expect(of("llm.end")).toHaveLength(2);
    expect(of("pi.message")).toHaveLength(1);
    expect(await source.loadMessages(TENANT, "s1")).toHaveLength(3);
  });

  it("that is cut in the middle of a line is there up to that, and goes on where the line does", async () => {
    const text = lines(header("s1"), user("e1", null, 1, "Count."), said("e2", "e1", 2, "Seven."));
    const root = await newSessions({ [fileOf("s1")]: text.slice(0, -40) });
    const source = await openSessions(root);
    expect(await source.loadMessages(TENANT, "s1")).toHaveLength(1);
    await writeFiles(root, { [fileOf("s1")]: text });
    expect(await source.loadMessages(TENANT, "s1")).toHaveLength(2);
  });
});
