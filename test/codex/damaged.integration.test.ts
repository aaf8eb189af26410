import { rm } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { damagedLines } from "../support/damaged-records.js";
import { runs } from "../support/soak.js";
import {
  answered,
  called,
  completed,
  counted,
  event,
  item,
  lines,
  meta,
  newHome,
  openHome,
  prompted,
  type Rec,
  rolloutOf,
  said,
  started,
  writeFiles,
} from "./support/homes.js";

const WHOLE: readonly Rec[] = [
  started("t1"),
  ["turn_context", { model: "gpt-test" }],
  ...prompted("Count the books"),
  event("agent_reasoning", { text: "Counting" }),
  item("reasoning", { summary: [{ type: "summary_text", text: "Counting" }] }),
  called("c1", "spawn_agent", { message: "Count" }),
  event("sub_agent_activity", { event_id: "c1", agent_thread_id: "child", kind: "started" }),
  answered("c1", '{"agent_id":"child"}'),
  counted(100, 60, 10),
  called("c2", "exec_command", { cmd: "ls" }),
  event("exec_command_end", { call_id: "c2", exit_code: 0, duration: { secs: 0, nanos: 5 } }),
  answered("c2", "Exit code: 0\nWall time: 1 seconds\nOutput:\n"),
  item("web_search_call", { action: { query: "x" } }),
  ["compacted", { message: "all", replacement_history: [] }],
  event("context_compacted"),
  event("error", { message: "no" }),
  said("assistant", "Seven."),
  counted(300, 200, 30),
  completed("t1"),
  event("turn_aborted", { reason: "interrupted" }),
];

const odd = fc.oneof(
  fc.json(),
  fc
    .record({
      timestamp: fc.oneof(
        fc.string(),
        fc.constant(undefined),
        fc.date({ noInvalidDate: true }).map((one) => one.toISOString()),
      ),
      type: fc.oneof(
        fc.constantFrom("response_item", "event_msg", "compacted", "session_meta", "turn_context", "future"),
        fc.string(),
      ),
      payload: fc.oneof(
        fc.jsonValue(),
        fc.record({
          type: fc.constantFrom(...WHOLE.map(([, payload]) => String((payload as { type?: string }).type))),
          content: fc.jsonValue(),
          message: fc.jsonValue(),
          output: fc.jsonValue(),
          info: fc.jsonValue(),
          call_id: fc.jsonValue(),
          replacement_history: fc.jsonValue(),
          name: fc.jsonValue(),
        }),
      ),
    })
    .map((record) => JSON.stringify(record)),
  fc.string().map((text) => text.replaceAll("\n", " ")),
);

const damaged = damagedLines(
  lines([meta("one"), ...WHOLE])
    .trimEnd()
    .split("\n"),
  odd,
);

describe("a damaged rollout", () => {
  it("loses nothing: each line is an envelope, a replay or a warning", { timeout: 120_000 }, async () => {
    const home = await newHome();
    await fc.assert(
      fc.asyncProperty(damaged, damaged, async (own, childs) => {
        await rm(path.join(home, "sessions"), { recursive: true, force: true });
        const child = lines([meta("child", { parent_thread_id: "one", forked_from_id: "one" })]) + childs;
        await writeFiles(home, { [rolloutOf("one")]: own, [rolloutOf("child")]: child });
        const source = openHome(home);
        let accounted = 0;
        for (const { tenantId, sessionId } of await source.listSessions()) {
          const opened = (await source.openSession!(tenantId, sessionId))!;
          const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
          const { warnings } = await opened.trace();
          const shown = new Set(trace.map(({ event: { stored } }) => JSON.stringify(stored)));
          const isShown = ({ file, line }: { file: string; line: number }) =>
            shown.has(JSON.stringify({ file, line }));
          accounted += shown.size + warnings.filter((one) => !isShown(one)).length;
          accounted += trace.reduce((sum, { event }) => sum + Number(event.replayed ?? 0), 0);
          expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
          await source.loadMessages(tenantId, sessionId);
          await source.loadOrchestrationState(tenantId, sessionId);
        }
        const written = (own + child).split("\n").filter((line) => line.trim() !== "");
        expect(accounted).toBe(written.length);
        await source.close?.();
      }),
      { numRuns: runs(150) },
    );
  });

  it("keeps its session, whatever its first line is", async () => {
    const source = openHome(await newHome({ [rolloutOf("one")]: `{"broken\n${lines(WHOLE)}` }));
    expect(await source.listSessions()).toMatchObject([
      { tenantId: "unknown", sessionId: "one", warnings: 1 },
    ]);
  });
});
