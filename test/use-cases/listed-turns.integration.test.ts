import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openArchive } from "../../src/adapters/archive/archive-source.js";
import { placesOf } from "../../src/adapters/cli/opening/place-sources.js";
import { atifWriter } from "../../src/adapters/exports/atif/atif-writer.js";
import { writeOtlp } from "../../src/adapters/exports/otlp/otlp-writer.js";
import { MemoryDataSource } from "../../src/adapters/memory/memory-data-source.js";
import { MemorySessionStore } from "../../src/adapters/memory/memory-session-store.js";
import { MemoryState } from "../../src/adapters/memory/memory-state.js";
import { InProcessPool } from "../../src/advanced.js";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { supportedSources } from "../../src/composition/command-line-parts.js";
import { writeDemo } from "../../src/demo/write-demo.js";
import { openHistories } from "../../src/histories.js";
import type { InspectorDataSource } from "../../src/index.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { exported, folderWith, PRICING } from "../exports/support/round-trip.js";
import { archiveOf, linesOf } from "../support/archive.js";
import { temporaryFolder } from "../support/data-directory.js";
import { inspect } from "../support/inspector.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { allHistories, inTurn } from "../support/shared-histories.js";
import { describeShared } from "../support/shared-suites.js";
import { runs } from "../support/soak.js";

const OPTIONS = { threads: false } as const;

/** Places that `allHistories` does not list. */
const OTHERS = HAS_SHARED_DATA
  ? (
      await Promise.all(
        ["reports", "synthetic"].map(async (name) =>
          placesOf(path.join(SHARED_DATA, name), supportedSources()),
        ),
      )
    ).flatMap(({ histories }) => histories)
  : [];

describe("turns in the list of histories", () => {
  it.each(inTurn(allHistories(), ({ folder }) => folder))(
    "are those of the summary, also of their exports: $name",
    async ({ open }) => expectAlsoExported(await open()),
  );
});

describeShared("turns in the list of reported and generated histories", () => {
  it.each(inTurn(OTHERS, ({ folder }) => folder))(
    "are those of the summary, also of their exports: $folder",
    async ({ kind, folder }) => expectAlsoExported(await kind.open(folder, { pool: new InProcessPool() })),
  );
});

async function turnsOf(source: InspectorDataSource) {
  const inspector = inspect(source);
  const listed: Record<string, number> = {};
  const counted: Record<string, unknown> = {};
  for (const { tenantId, sessionId, turns } of await source.listSessions()) {
    const key = `${tenantId} ${sessionId}`;
    const tenant = encodeURIComponent(tenantId);
    const { body } = await inspector.ask(
      `/sessions/${encodeURIComponent(sessionId)}/summary?tenantId=${tenant}`,
    );
    listed[key] = turns;
    counted[key] = (body.counts as { turns: number } | undefined)?.turns;
  }
  return { listed, counted };
}

async function expectSameTurns(source: InspectorDataSource): Promise<readonly number[]> {
  const { listed, counted } = await turnsOf(source);
  await source.close?.();
  expect(listed).toEqual(counted);
  return Object.values(listed);
}

async function expectAlsoExported(source: InspectorDataSource): Promise<void> {
  const { source: archive } = await openArchive(linesOf(await archiveOf(source)));
  const [newest] = await source.listSessions();
  if (newest !== undefined) {
    const { sessionId } = newest;
    const trajectory = await exported(source, [sessionId], atifWriter(PRICING));
    await expectSameTurns(await openHistories("atif", await folderWith("t.json", trajectory), OPTIONS));
    const spans = await exported(source, [sessionId], writeOtlp);
    await expectSameTurns(
      createOtlpDataSource({ directory: await folderWith("s.jsonl", spans), ...OPTIONS }),
    );
  }
  const turns = await expectSameTurns(source);
  expect(await expectSameTurns(archive)).toEqual(turns);
}

describe("turns without a person's prompt", () => {
  it("do not count where a trajectory continues an open turn", async () => {
    const folder = await temporaryFolder();
    const step = (step_id: number, source: string, message: string) => ({
      step_id,
      source,
      message,
      timestamp: `2026-05-01T09:00:0${step_id}Z`,
    });
    const about = { schema_version: "ATIF-v1.7", session_id: "s", agent: { name: "a", version: "1" } };
    await writeFile(
      path.join(folder, "t.json"),
      JSON.stringify({
        ...about,
        continued_trajectory_ref: "t2.json",
        steps: [step(1, "user", "Go."), step(2, "agent", "Yes.")],
      }),
    );
    await writeFile(
      path.join(folder, "t2.json"),
      JSON.stringify({ ...about, steps: [step(3, "agent", "Done.")] }),
    );
    expect(await expectSameTurns(await openHistories("atif", folder, OPTIONS))).toEqual([1]);
  });
});

describe("turns in the list of recorded sessions", () => {
  it("are those of the summary, in every session of the demo", async () => {
    const state = new MemoryState();
    const store = new MemorySessionStore(state);
    await writeDemo((clock) => new SessionRecorder(store, { clock }), Date.parse("2026-06-01T12:00:00.000Z"));
    await expectSameTurns(asDataSource(new MemoryDataSource(state)));
  });

  it("are those of the summary, whatever begins and ends before the last end", async () => {
    const step = fc.record({
      type: fc.constantFrom("turn.start", "turn.end", "turn_start", "turn_end"),
      asked: fc.constantFrom(undefined, true, false),
      bookkeeping: fc.constantFrom(undefined, undefined, "record"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const state = new MemoryState();
        const recorder = new SessionRecorder(new MemorySessionStore(state));
        const session = await recorder.open({ tenantId: "t", sessionId: "s" });
        const trace = session.startTrace("main");
        for (const [at, event] of [...steps, { type: "turn.end" }].entries())
          trace.record({ ...event, turnIndex: 0 } as never, { at: Date.UTC(2026, 5, 1) + at });
        await recorder.flush();
        await expectSameTurns(asDataSource(new MemoryDataSource(state)));
      }),
      { numRuns: runs(200) },
    );
  });
});
