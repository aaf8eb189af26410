import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createInMemoryInspectorDataSource, RecordingError, SessionRecorder } from "../../src/advanced.js";
import type { RecordedSession, RecorderOptions, SessionStore } from "../../src/index.js";

const DISK_FULL = new Error("disk full");

/** Every call fails: with a rejection, or synchronously. */
function brokenStore(fail: () => Promise<never>): SessionStore {
  return new Proxy({} as SessionStore, { get: () => fail });
}

const rejecting = () => brokenStore(() => Promise.reject(DISK_FULL));
const throwing = () =>
  brokenStore(() => {
    throw DISK_FULL;
  });

function recordAll(session: RecordedSession): Promise<void>[] {
  return [
    session.startTrace().record({ type: "turn.start", turnIndex: 0 }),
    session.appendMessages([{ role: "user", content: "hello" }]),
    session.compactMessages([]),
    session.recordTurn(),
    session.recordOrchestration({ type: "run_started" }),
    session.setTitle("A title"),
  ];
}

function reporting(store: SessionStore, options: Partial<RecorderOptions> = {}) {
  const onError = vi.fn();
  return { onError, recorder: new SessionRecorder(store, { onError, ...options }) };
}

function unhandledRejections(): unknown[] {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", listener);
  onTestFinished(() => void process.off("unhandledRejection", listener));
  return unhandled;
}

describe("A recorder with `onError`", () => {
  it.each([
    ["rejects", rejecting],
    ["throws", throwing],
  ])("resolves every call of a store that %s, and reports each", async (_, store) => {
    const { recorder, onError } = reporting(store());
    const session = await recorder.open({ sessionId: "s1" });
    expect(await Promise.all(recordAll(session))).toEqual(Array(6).fill(undefined));
    expect(await recorder.flush()).toEqual({ lost: 7, waiting: 0 });
    expect(onError).toHaveBeenCalledTimes(7);
    for (const [error] of onError.mock.calls) {
      expect(error).toBeInstanceOf(RecordingError);
      expect(error).toMatchObject({ message: expect.stringContaining('session "s1"'), cause: DISK_FULL });
    }
  });

  it("records on in a session that could not be opened", async () => {
    const { sessionStore } = createInMemoryInspectorDataSource();
    const { recorder } = reporting(sessionStore);
    vi.spyOn(sessionStore, "openSession").mockRejectedValueOnce(DISK_FULL);
    const session = await recorder.open({ sessionId: "s1" });
    await recorder.open({ sessionId: "s1" });
    await session.recordTurn();
    expect((await recorder.open({ sessionId: "s1" })).turns).toBe(1);
  });

  it("gives the store nothing of a session whose id is a path, and reports each call", async () => {
    const call = vi.fn(async () => ({ turns: 0 }));
    const { recorder, onError } = reporting(brokenStore(call as never));
    const session = await recorder.open({ sessionId: "../s1" });
    await Promise.all(recordAll(session));
    expect(await recorder.flush()).toEqual({ lost: 7, waiting: 0 });
    expect(call).not.toHaveBeenCalled();
    expect(onError).toHaveBeenCalledTimes(7);
  });

  it("resolves calls with what cannot be recorded", async () => {
    const source = createInMemoryInspectorDataSource();
    const { recorder, onError } = reporting(source.sessionStore);
    const session = await recorder.open({ sessionId: "s1" });
    const trace = session.startTrace();
    await trace.record({ type: "x", big: 1n } as never);
    await trace.record(
      {
        get type(): string {
          throw DISK_FULL;
        },
      },
      { at: Number.NaN },
    );
    await session.setTitle("A title", { at: new Date("no date") });
    await session.recordOrchestration(undefined as never, { at: 9e15 });
    expect(onError).toHaveBeenCalledTimes(4);
    expect(session.turns).toBe(0);
    await trace.record({ type: "y" });
    await recorder.flush();
    expect(await source.loadTraceEnvelopes("default", "s1")).toMatchObject([{ event: { type: "y" } }]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no log");
      },
    ],
    ["rejects", async () => Promise.reject(new Error("no log"))],
  ])("is not disturbed by one that %s", async (_, onError) => {
    const unhandled = unhandledRejections();
    const { recorder } = reporting(rejecting(), { onError });
    await Promise.all(recordAll(await recorder.open()));
    await setImmediate();
    expect(unhandled).toEqual([]);
  });
});

describe("A recorder without `onError`", () => {
  it("rejects with what the store could not do", async () => {
    const { sessionStore } = createInMemoryInspectorDataSource();
    const session = await new SessionRecorder(sessionStore).open({ sessionId: "s1" });
    vi.spyOn(sessionStore, "appendMessages").mockRejectedValueOnce(DISK_FULL);
    await expect(session.appendMessages([])).rejects.toMatchObject({
      name: "RecordingError",
      message: 'The session store could not append messages of session "s1".',
      cause: DISK_FULL,
    });
  });

  it("leaves no unhandled rejection where nobody awaits the calls", async () => {
    const unhandled = unhandledRejections();
    const source = createInMemoryInspectorDataSource();
    const session = await new SessionRecorder(source.sessionStore).open();
    const broken = new SessionRecorder(rejecting());
    void broken.open();
    vi.spyOn(source.sessionStore, "appendTurn").mockRejectedValue(DISK_FULL);
    void session.recordTurn();
    await broken.flush();
    await setImmediate();
    expect(unhandled).toEqual([]);
  });
});

describe("Wrong options of a recorder, its sessions and traces", () => {
  it.each([
    ["with `onError`", { onError: () => expect.unreachable() }],
    ["without `onError`", {}],
  ])("throw at once, and record nothing, %s", async (_, options) => {
    const source = createInMemoryInspectorDataSource();
    const recorder = new SessionRecorder(source.sessionStore, options);
    const session = await recorder.open({ tenantId: "acme", sessionId: "s1", title: "First" });
    const trace = session.startTrace();
    const wrong: readonly (readonly [options: object | null, message: string])[] = [
      [{ att: 1 }, "Unknown option 'att'. Did you mean 'at'?"],
      [{ updatedAt: 1 }, "Unknown option 'updatedAt'. The options are at."],
      [
        { at: "2026-01-15" },
        "`at` must be a Date, or milliseconds since the epoch, but it is of type string.",
      ],
      [null, "`options` must be an object, but it is null."],
    ];
    for (const [given, message] of wrong) {
      for (const call of [
        () => trace.record({ type: "turn.start", turnIndex: 0 }, given as never),
        () => session.recordTurn({ inputTokens: 1 }, given as never),
        () => session.recordOrchestration({ type: "run_started" }, given as never),
        () => session.setTitle("Second", given as never),
        () => session.setFirstTitle("Second", given as never),
      ]) {
        expect(call).toThrow(TypeError);
        expect(call).toThrow(message);
      }
    }
    for (const [given, message] of [
      [{ tenentId: "acme" }, "Unknown option 'tenentId'. Did you mean 'tenantId'?"],
      [{ session: "s2" }, "Unknown option 'session'. Did you mean 'sessionId'?"],
      [{ tenantId: 1 }, "`tenantId` must be a text, but it is of type number."],
      [{ title: null }, "`title` must be a text, but it is null."],
      ["acme", "`options` must be an object, but it is of type string."],
    ] as const) {
      expect(() => recorder.open(given as never)).toThrow(new TypeError(message));
    }
    expect(() => recorder.flush({ timeout: 1 } as never)).toThrow("Did you mean 'timeoutMs'?");
    expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
    expect([session.turns, await source.loadTraceEnvelopes("acme", "s1")]).toEqual([0, []]);
    expect(await source.listSessions()).toMatchObject([{ tenantId: "acme", title: "First", turns: 0 }]);
  });

  it("do not include events and messages, whose further members are stored", async () => {
    const source = createInMemoryInspectorDataSource();
    const session = await new SessionRecorder(source.sessionStore).open({ sessionId: "s1" });
    await session.startTrace().record({ type: "acme.step", tenentId: "x" });
    await session.appendMessages([{ role: "user", content: "a", own: 1 }]);
    expect(await source.loadTraceEnvelopes("default", "s1")).toMatchObject([{ event: { tenentId: "x" } }]);
    expect(await source.loadMessages("default", "s1")).toMatchObject([{ own: 1 }]);
  });
});

describe("flush", () => {
  it("waits until what nobody awaited is stored or reported, in all sessions", async () => {
    const { sessionStore } = createInMemoryInspectorDataSource();
    const ends: (() => void)[] = [];
    vi.spyOn(sessionStore, "appendTurn").mockImplementation(
      () => new Promise((resolve) => ends.push(resolve)),
    );
    vi.spyOn(sessionStore, "updateSession").mockImplementation(
      () => new Promise((_, reject) => ends.push(() => reject(DISK_FULL))),
    );
    const { recorder, onError } = reporting(sessionStore);
    void (await recorder.open()).recordTurn();
    void (await recorder.open()).setTitle("A title");
    const flushed = vi.fn();
    const flush = recorder.flush().then(flushed);
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    ends[0]!();
    await setImmediate();
    expect(flushed).not.toHaveBeenCalled();
    ends[1]!();
    await flush;
    expect(onError).toHaveBeenCalledTimes(1);
  });
});

describe("`at`", () => {
  it("is the instant of whatever has one", async () => {
    const source = createInMemoryInspectorDataSource();
    const recorder = new SessionRecorder(source.sessionStore);
    const [created, happened] = ["2020-01-01T00:00:00.000Z", "2020-01-01T00:00:01.500Z"] as const;
    const at = Date.parse(happened);
    const session = await recorder.open({ sessionId: "s1", at: new Date(created) });
    await session.startTrace().record({ type: "turn.start", turnIndex: 0 }, { at: new Date(at) });
    await session.recordOrchestration({ type: "run_started" }, { at });
    await session.recordTurn({ inputTokens: 1 }, { at });
    await session.setTitle("A title", { at });
    expect(await source.listSessions()).toMatchObject([{ createdAt: created, lastActive: happened }]);
    expect(await source.loadTraceEnvelopes("default", "s1")).toMatchObject([{ timestamp: happened }]);
    expect(await source.loadOrchestrationEvents("default", "s1")).toMatchObject([{ occurredAt: happened }]);
  });
});
