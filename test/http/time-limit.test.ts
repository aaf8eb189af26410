import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createInspectorRoute } from "../../src/advanced.js";
import type { InspectorAccess, InspectorDataSource, RecordStream } from "../../src/index.js";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { streamingSource } from "../support/streams.js";

const LIMIT_MS = 60_000;
const MESSAGES = "/sessions/s1/messages";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.restoreAllMocks(); // before the timers, or a later restore would bring the fakes back
  vi.useRealTimers();
});

function inspect(source: InspectorDataSource, timeoutMs?: number) {
  const failures: unknown[] = [];
  const route = createInspectorRoute(source, { timeoutMs, onError: (error) => failures.push(error) });
  return { failures, ask: async (path: string, init?: RequestInit) => route.request(path, init) };
}

function silentSource() {
  const seen: { signal?: AbortSignal | undefined; answer?: () => void } = {};
  const source = handMadeSource({
    loadMessages: (_tenantId, _sessionId, { signal } = {}) =>
      new Promise((resolve) => {
        seen.signal = signal;
        seen.answer = () => resolve([]);
      }),
  });
  return { source, seen };
}

/** The third batch waits until `letGo`. */
function stallingSource() {
  const { source, log } = streamingSource({ batches: 5 });
  let letGo = () => {};
  const stall = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const stalling = (stream: RecordStream): RecordStream => ({
    ...stream,
    async *read(selection, options) {
      let batches = 0;
      for await (const batch of stream.read(selection, options)) {
        if (batches++ === 2) await stall;
        yield batch;
      }
    },
  });
  const openSession = async () =>
    handMadeSnapshot({
      messages: async () => {
        const session = await source.openSession?.("default", "s1");
        return stalling(await session!.messages());
      },
    });
  return { source: handMadeSource({ openSession }), log, letGo: () => letGo() };
}

describe("A source that does not answer", () => {
  it("is 503 after a minute, and is told to stop", async () => {
    const { source, seen } = silentSource();
    const { ask, failures } = inspect(source);
    const answer = ask(MESSAGES);
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(seen.signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const response = await answer;
    expect([response.status, response.headers.get("content-type")]).toStrictEqual([
      503,
      "application/problem+json; charset=utf-8",
    ]);
    const detail = "The data source did not answer within 60 s. Ask again later.";
    expect(await response.json()).toMatchObject({ status: 503, detail });
    expect(failures).toMatchObject([{ name: "SourceUnavailableError", message: detail }]);
    expect(seen.signal).toMatchObject({ aborted: true, reason: failures[0] });
    seen.answer?.(); // too late: it changes nothing
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is 503 after the time that the host sets", async () => {
    const answer = inspect(silentSource().source, 1_500).ask(MESSAGES);
    await vi.advanceTimersByTimeAsync(1_500);
    expect((await answer).status).toBe(503);
  });

  it("is waited for without end where the host says so", async () => {
    const { source, seen } = silentSource();
    const answer = inspect(source, Number.POSITIVE_INFINITY).ask(MESSAGES);
    await vi.waitFor(() => expect(seen.signal).toBeDefined());
    expect(vi.getTimerCount()).toBe(0);
    seen.answer?.();
    expect((await answer).status).toBe(200);
  });

  it("is of no interest to the host where the client has gone meanwhile", async () => {
    const client = new AbortController();
    const { ask, failures } = inspect(silentSource().source);
    const answer = ask(MESSAGES, { signal: client.signal });
    client.abort();
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    await answer;
    expect(failures).toStrictEqual([]);
  });

  it("does not keep the process alive", async () => {
    const started = vi.spyOn(globalThis, "setTimeout");
    const { source, seen } = silentSource();
    const answer = inspect(source).ask(MESSAGES);
    await vi.waitFor(() => expect(seen.signal).toBeDefined());
    expect(started.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toStrictEqual([
      false,
    ]);
    seen.answer?.();
    await answer;
  });

  it("breaks the answer off after the first byte, and is ended when it goes on", async () => {
    const { source, log, letGo } = stallingSource();
    const { ask, failures } = inspect(source);
    const response = await ask(MESSAGES);
    const text = expect(response.text()).rejects.toThrow("in the middle of an answer");
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    await text;
    expect(failures).toMatchObject([{ name: "SourceUnavailableError" }]);
    expect(log.isEnded).toBe(false);
    letGo();
    await vi.waitFor(() => expect(log.isEnded).toBe(true));
    expect(log.batches).toBe(3);
  });

  it("has the whole time again for each batch that a slow client asks for", async () => {
    const { source } = streamingSource({ batches: 5 });
    const reader = (await inspect(source).ask(MESSAGES)).body!.getReader();
    let batches = 0;
    while (!(await reader.read()).done) {
      batches++;
      await vi.advanceTimersByTimeAsync(LIMIT_MS * 2);
    }
    expect(batches).toBe(6);
  });
});

describe("An `access` that does not decide", () => {
  function waiting(timeoutMs?: number) {
    const failures: unknown[] = [];
    let decide: (decision: InspectorAccess) => void = () => {};
    let refuse: (reason: unknown) => void = () => {};
    const access = () =>
      new Promise<InspectorAccess>((resolve, reject) => {
        decide = resolve;
        refuse = reject;
      });
    const onError = (error: unknown) => failures.push(error);
    const route = createInspectorRoute(handMadeSource({}), { access, timeoutMs, onError });
    return {
      failures,
      ask: async (path: string) => route.request(path),
      decide: () => decide({ tenants: "all" }),
      refuse: () => refuse(new Error("too late")),
    };
  }

  it.each(["/sessions", "/sessions/s1/trace", "/health", "/nowhere"])(
    "is 503 after the limit, for %s, and the source is not asked",
    async (path) => {
      const { ask, failures, decide } = waiting(1_500);
      const answer = ask(path);
      await vi.advanceTimersByTimeAsync(1_500);
      const response = await answer;
      expect([response.status, response.headers.get("content-type")]).toStrictEqual([
        503,
        "application/problem+json; charset=utf-8",
      ]);
      expect(await response.json()).toMatchObject({
        detail: "The application did not decide in time what may be read, so nothing is. Try again later.",
      });
      expect(failures).toMatchObject([
        {
          message: "`access` did not decide within 1.5 s. Find out what it waits for, or raise `timeoutMs`.",
        },
      ]);
      decide(); // too late: it changes nothing
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("is waited for a minute, unless the host says otherwise", async () => {
    const { ask, decide } = waiting();
    const answer = ask("/health");
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    decide();
    expect((await answer).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
    const forever = waiting(Number.POSITIVE_INFINITY);
    const late = forever.ask("/health");
    await Promise.resolve();
    expect(vi.getTimerCount()).toBe(0);
    forever.decide();
    expect((await late).status).toBe(200);
  });

  it("leaves no unhandled rejection where it rejects after the limit", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const { ask, failures, refuse } = waiting();
    const answer = ask("/sessions");
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    expect((await answer).status).toBe(503);
    refuse();
    await new Promise(setImmediate);
    expect(unhandled).toStrictEqual([]);
    expect(failures).toHaveLength(1);
  });
});

describe("No timer is left", () => {
  it.each(["/sessions/s1/messages", "/sessions/s1/trace", "/sessions/s1/orchestration", "/sessions?limit=0"])(
    "behind an answer to %s",
    async (path) => {
      const { source } = streamingSource({ batches: 5 });
      await (await inspect(source).ask(path)).text();
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("behind a body that is cancelled", async () => {
    const { source } = streamingSource({ batches: 5 });
    await (await inspect(source).ask(MESSAGES)).body?.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it.each([0, -1, Number.NaN, 2 ** 31])("A time limit of %s is refused", (timeoutMs) => {
  const create = () => createInspectorRoute(handMadeSource({}), { timeoutMs });
  expect(create).toThrow(RangeError);
  expect(create).toThrow(
    `timeoutMs is ${timeoutMs}: it has to be a number of milliseconds from 1 to 2147483647`,
  );
});
