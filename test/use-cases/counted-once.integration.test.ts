import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FilesystemSessionStore } from "../../src/adapters/data-directory/filesystem-session-store.js";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { createInMemoryInspectorDataSource, describeSession } from "../../src/advanced.js";
import type { SessionRecord } from "../../src/application/recording/describe-session.js";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import { NO_USAGE } from "../../src/domain/usage/token-usage.js";
import type { InspectorSessionItem } from "../../src/index.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { RunRecorder } from "../../src/recording.js";
import { agent, call, jsonLines, request, tool } from "../otlp/support/spans.js";
import { CollectingStore } from "../support/collecting-store.js";
import { appendLines, makeFolders, temporaryFolder } from "../support/data-directory.js";
import {
  BEGIN,
  expectSameUse,
  listedUse,
  type OverlappingTurn,
  overlappingTurns,
  type RunningSpan,
  summedUse,
  tell,
  toldOf,
  usedBy,
} from "../support/overlapping-runs.js";
import { runs } from "../support/soak.js";
import { filesystemSource } from "../support/sources.js";

const KEY = { tenantId: "shop", sessionId: "s1" };

async function recording() {
  const memory = createInMemoryInspectorDataSource();
  const dataDir = await temporaryFolder();
  const directory = filesystemSource(dataDir);
  const store = new CollectingStore(memory.sessionStore, new FilesystemSessionStore(dataDir));
  const list = async () => [
    ...(await memory.listSessions()),
    ...(await directory.listSessions()),
    describeSession(store.recordsOf(KEY)),
  ];
  return { store, sources: [memory, directory], list };
}

/** Older logs: only turns state the usage of model calls, or no record does. */
function olderLog(log: readonly SessionRecord[], isSaidByTurns: boolean): SessionRecord[] {
  let used: NonNullable<Extract<SessionRecord, { type: "turn" }>["usageByModel"]> = [];
  return log.map((record) => {
    if (record.type === "init") return record;
    const { usageByModel = [], ...others } = record;
    used = [...used, ...usageByModel];
    if (others.type === "update") return others;
    const said = isSaidByTurns && used.length > 0 ? { usageByModel: used } : {};
    used = [];
    return { ...others, ...said };
  });
}

async function listedOf(log: readonly SessionRecord[], envelopes: readonly object[]) {
  const dataDir = await temporaryFolder();
  const files = sessionFiles(dataDir, KEY.tenantId, KEY.sessionId);
  await makeFolders(files);
  for (const [file, records] of [
    [files.session, log],
    [files.trace, envelopes],
  ] as const) {
    await appendLines(
      file,
      records.map((record) => JSON.stringify(record)),
    );
  }
  const [item] = await filesystemSource(dataDir).listSessions();
  return item!;
}

describe("What the list says that a session used, whatever ends behind the end of what it lies in", () => {
  it("is at each moment the sum of the model calls that have ended, and in the end what its summary says", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingTurns, async (turns) => {
        const { store, sources, list } = await recording();
        const recorders = [new RunRecorder(store), new RunRecorder(store)];
        const ended: RunningSpan[] = [];
        for (const told of toldOf(turns)) {
          const recorder = recorders[told.recorder]!;
          tell(recorder, KEY, told);
          await recorder.flush();
          if (!told.isEnd) continue;
          ended.push(told.span);
          for (const item of await list()) expectSameUse(await listedUse(item), await usedBy(ended));
        }
        for (const source of sources) expectSameUse(await summedUse(source, KEY), await usedBy(ended));
      }),
      { numRuns: runs(25) },
    );
  });

  it("is that of spans of OpenTelemetry, too", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingTurns, async (turns) => {
        const directory = await temporaryFolder();
        await writeFile(path.join(directory, "spans.jsonl"), jsonLines(request(...turns.flatMap(spansOf))));
        const source = createOtlpDataSource({ directory, threads: false });
        const used = await usedBy(turns.flatMap(({ spans }) => spans));
        const [item] = await source.listSessions();
        expectSameUse(await listedUse(item!), used);
        expectSameUse(await summedUse(source, KEY), used);
        await source.close?.();
      }),
      { numRuns: runs(20) },
    );
  });

  it("is counted once where a turn is recorded before or behind its call, which need not tell it", async () => {
    const calls = fc.array(
      fc.record({
        lasts: fc.constantFrom(0, 1, 400_000),
        outputTokens: fc.integer({ min: 1, max: 9 }),
        isTelling: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(calls, fc.boolean(), async (turns, isToldFirst) => {
        const { store, list } = await recording();
        let now = BEGIN;
        const session = await new SessionRecorder(store, {
          clock: { now: () => now, newId: () => crypto.randomUUID() },
        }).open(KEY);
        const trace = session.startTrace();
        let tokens = 0;
        const expectListed = async (expected: object) => {
          for (const item of await list()) expect(item).toMatchObject(expected);
        };
        for (const [turnIndex, { lasts, outputTokens, isTelling }] of turns.entries()) {
          const callId = `c${turnIndex}`;
          now++;
          await trace.record({ type: "turn.start", turnIndex });
          await trace.record({ type: "llm.start", callId, model: "gpt-4o" });
          if (isToldFirst) await session.recordTurn({ outputTokens });
          now += lasts;
          const usage = isTelling ? { outputTokens } : undefined;
          await trace.record({ type: "llm.end", callId, usage });
          if (isToldFirst || isTelling) await expectListed({ tokens: tokens + outputTokens });
          if (!isToldFirst) await session.recordTurn({ outputTokens });
          await trace.record({ type: "turn.end", turnIndex, outcome: "completed" });
          tokens += outputTokens;
          await expectListed({ tokens, turns: turnIndex + 1 });
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it.each([Number.NaN, 1_768_478])("counts a call once beside a turn at %s", async (updatedAt) => {
    const { store, list } = await recording();
    await store.openSession({ ...KEY, userId: "ada", createdAt: BEGIN });
    const turn = { outputTokens: 7, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    await store.appendTurn(KEY, { turnIndex: 0, ...turn, updatedAt });
    for (const [sequence, type] of ["llm.start", "llm.end"].entries()) {
      const envelope = { id: type, traceId: "t1", sequence, source: "runtime" as const, ...KEY };
      const event = { type, callId: "c1", usage: { outputTokens: 7 } };
      await store.appendTraceEnvelopes(KEY, [
        { ...envelope, timestamp: new Date(BEGIN).toISOString(), event },
      ]);
    }
    expect((await list()).map(({ tokens }) => tokens)).toEqual([7, 7, 7]);
  });

  it("is what its calls tell in the trace, where the records of its turns tell no tokens", async () => {
    const { store, list } = await recording();
    const session = await new SessionRecorder(store).open(KEY);
    const trace = session.startTrace();
    await trace.record({ type: "turn.start", turnIndex: 0 });
    await trace.record({ type: "llm.end", callId: "c1", model: "gpt-4o", usage: { outputTokens: 7 } });
    await session.recordTurn({});
    for (const item of await list()) expect(item).toMatchObject({ turns: 1, tokens: 7 });
    // The log of a store without usage by model, and an older log.
    const log = olderLog(store.log, false);
    const told = [describeSession({ ...store.recordsOf(KEY), log }), await listedOf(log, store.envelopes)];
    for (const item of told) {
      expect(item).toMatchObject({ turns: 1, tokens: 7, usageByModel: [{ model: "gpt-4o", calls: 1 }] });
    }
  });

  it.each([
    ["said what models used with each turn", true],
    ["said nothing of models", false],
  ])("is never more, and right in the end, of a recorder that %s", async (_, isSaidByTurns) => {
    await fc.assert(
      fc.asyncProperty(overlappingTurns, async (given) => {
        const turns = given.map((turn) => ({ ...turn, recorder: 0, until: Number.POSITIVE_INFINITY }));
        // A call after the end of its turn looks the same as one of a turn that still runs.
        fc.pre(isSaidByTurns || turns.every(({ spans }) => spans.every(({ from }) => from <= spans[0]!.to)));
        const store = new CollectingStore(createInMemoryInspectorDataSource().sessionStore);
        const recorder = new RunRecorder(store);
        const ended: RunningSpan[] = [];
        let item: InspectorSessionItem | undefined;
        for (const told of toldOf(turns)) {
          tell(recorder, KEY, told);
          if (!told.isEnd) continue;
          ended.push(told.span);
          await recorder.flush();
          item = describeSession({ ...store.recordsOf(KEY), log: olderLog(store.log, isSaidByTurns) });
          expect(item.tokens).toBeLessThanOrEqual((await usedBy(ended)).tokens);
        }
        const { tokens } = await usedBy(ended);
        expect(item!.tokens).toBe(tokens);
        expect((await listedOf(olderLog(store.log, isSaidByTurns), store.envelopes)).tokens).toBe(tokens);
      }),
      { numRuns: runs(20) },
    );
  });
});

function spansOf({ spans }: OverlappingTurn): object[] {
  const seconds = (at: number) => (at - Date.UTC(2026, 0, 1)) / 1_000;
  return spans.map(({ id, parent, kind, from, to, model, usage }) => {
    const facts = {
      id,
      trace: spans[0]!.id,
      ...(parent === undefined ? {} : { parent: parent.id }),
      from: seconds(from),
      to: seconds(to),
    };
    const { inputTokens, outputTokens, cacheReadTokens: read, cacheWriteTokens: written } = usage ?? NO_USAGE;
    const attributes = {
      "gen_ai.conversation.id": KEY.sessionId,
      ...(kind === "model" ? { "gen_ai.request.model": model } : {}),
      ...(usage === undefined
        ? {}
        : {
            "gen_ai.usage.input_tokens": inputTokens + read + written,
            "gen_ai.usage.output_tokens": outputTokens,
            "gen_ai.usage.cache_read.input_tokens": read,
            "gen_ai.usage.cache_creation.input_tokens": written,
          }),
    };
    return { agent, model: call, tool }[kind]({ ...facts, attributes });
  });
}
