import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createInMemoryInspectorDataSource, SessionRecorder } from "../../src/advanced.js";
import type { SessionStore } from "../../src/index.js";
import { RunRecorder } from "../../src/recording.js";
import { BEGIN, overlappingTurns, type Told, toldOf } from "../support/overlapping-runs.js";
import {
  delays,
  expectRecorded,
  outages,
  recordings,
  recordSteps,
  storeWithDelays,
} from "../support/random-recordings.js";
import { describeBursts } from "../support/recorded-burst.js";
import { runs } from "../support/soak.js";

// A recorder retries after a delay: the tests advance the time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Advances the time until the work is done. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) {
    await new Promise(setImmediate);
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
  }
  return work;
}

describe("What a recorder records", () => {
  it.each([
    ["with `onError`", { onError: () => undefined }, outages],
    ["without `onError`", {}, delays],
  ])(
    "is what the list and the records show, whatever calls of the store wait for, %s",
    async (_, options, waits) => {
      await fc.assert(
        fc.asyncProperty(recordings, waits, async (steps, list) => {
          const source = createInMemoryInspectorDataSource();
          const recorder = new SessionRecorder(storeWithDelays(source.sessionStore, list), options);
          await expectRecorded(source, "acme", await inTime(recordSteps(recorder, "acme", steps)));
        }),
        { numRuns: runs(500) },
      );
    },
  );
});

const KEY = { tenantId: "acme", sessionId: "s1" };
const CLOCK = { now: () => BEGIN, newId: () => crypto.randomUUID() };

function tell(recorder: RunRecorder, { span, isEnd, at }: Told): void {
  const { id: number, parent, kind, model, usage } = span;
  const id = String(number);
  const said = { role: "user", content: `Question ${id}` };
  if (!isEnd)
    recorder.start({
      ...KEY,
      id,
      parentId: parent && String(parent.id),
      kind,
      name: kind,
      model,
      at,
      messages: [said],
    });
  else
    recorder.end(id, {
      at,
      usage,
      answer: [{ role: "assistant", content: `Answer ${id}` }],
      error: number % 3 === 0 ? { message: "overloaded" } : undefined,
    });
}

function immediateStore(inner: SessionStore): SessionStore {
  return new Proxy(inner, {
    get(target, name: keyof SessionStore) {
      const member = target[name];
      if (name === "isImmediate") return true;
      return typeof member === "function" ? (member as () => unknown).bind(target) : member;
    },
  });
}

/** Without the ids that a recorder generates. */
async function shownOf(
  store: SessionStore,
  source: ReturnType<typeof createInMemoryInspectorDataSource>,
  told: readonly Told[],
) {
  const recorder = new RunRecorder(store, { onError: () => undefined, clock: CLOCK });
  for (const one of told) tell(recorder, one);
  expect(await inTime(recorder.close())).toEqual({ lost: 0, waiting: 0 });
  const envelopes = await source.loadTraceEnvelopes(KEY.tenantId, KEY.sessionId);
  const events = await source.loadOrchestrationEvents(KEY.tenantId, KEY.sessionId);
  return {
    list: await source.listSessions(),
    trace: envelopes.map(({ id: _, ...envelope }) => envelope),
    orchestration: events.map((event) => ({ ...(event as object), eventId: undefined })),
    messages: await source.loadMessages(KEY.tenantId, KEY.sessionId),
  };
}

describe("What a recorder of runs records", () => {
  it("is the same whatever calls of the store wait for", async () => {
    await fc.assert(
      fc.asyncProperty(overlappingTurns, outages, async (turns, list) => {
        const told = toldOf(turns);
        const [immediate, delayed] = [
          createInMemoryInspectorDataSource(),
          createInMemoryInspectorDataSource(),
        ];
        const expected = await shownOf(immediate.sessionStore, immediate, told);
        const store = storeWithDelays(delayed.sessionStore, list);
        expect(await shownOf(store, delayed, told)).toEqual(expected);
        // Each call is done when it returns, as in the store for files of spans.
        const unbuffered = createInMemoryInspectorDataSource();
        expect(await shownOf(immediateStore(unbuffered.sessionStore), unbuffered, told)).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("The store in memory", () => {
  describeBursts(() => {
    const source = createInMemoryInspectorDataSource();
    return { store: source.sessionStore, source };
  });

  describe("with calls that take a while", () => {
    describeBursts(() => {
      const source = createInMemoryInspectorDataSource();
      return { store: storeWithDelays(source.sessionStore, [{ before: 2, after: 1 }]), source };
    });
  });
});
