import { appendFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import type { JsonObject } from "../../src/domain/json/json.js";
import type { InspectorSessionItem } from "../../src/domain/session/session.js";
import {
  EMPTY_END,
  followEnvelope,
  followOrchestrationEvent,
} from "../../src/domain/session/session-activity.js";
import { EMPTY_LOG, sessionItem } from "../../src/domain/session/session-log.js";
import { emptySession } from "../support/data-directory.js";
import { naiveJsonLines } from "../support/naive-json-lines.js";
import { runs } from "../support/soak.js";

const NOW = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const pool = new InProcessPool();

interface Logs {
  readonly trace: string;
  readonly orchestration?: string;
}

async function listed({ trace, orchestration = "" }: Logs, now = NOW): Promise<InspectorSessionItem> {
  const files = await emptySession();
  await writeFile(files.trace, trace);
  if (orchestration !== "") await writeFile(files.orchestration, orchestration);
  const source = createFilesystemInspectorDataSource(files.dataDir, { pool, now: () => now });
  const [item] = await source.listSessions();
  return item!;
}

const pick = ({ status, waitingFor }: InspectorSessionItem) => ({ status, waitingFor });

function expected({ trace, orchestration = "" }: Logs, now = NOW): InspectorSessionItem {
  const recordsOf = (text: string) =>
    naiveJsonLines(Buffer.from(text)).records.map((json) => JSON.parse(json) as JsonObject);
  const ends = [
    recordsOf(trace).reduce(followEnvelope, EMPTY_END),
    recordsOf(orchestration).reduce(followOrchestrationEvent, EMPTY_END),
  ];
  return sessionItem({ tenantId: "acme", sessionId: "s1" }, { log: EMPTY_LOG, ends }, 0, now);
}

const BOUNDARIES = ["turn.start", "turn_end", "run.start", "run_completed", "session_end", "error"];

const anyEvent = fc.record({
  type: fc.constantFrom(...BOUNDARIES, "tool.end", "vendor.event", "session.start"),
  more: fc.constantFrom(
    {},
    { outcome: "failed" },
    { outcome: "completed" },
    { error: { code: 1 } },
    { isError: false },
    { content: [{ type: "error", text: '"type":"turn.end"' }] },
  ),
  traceId: fc.constantFrom("t1", "t2"),
  length: fc.constantFrom(0, 0, 700, 1_500, 5_000),
  form: fc.constantFrom("plain", "plain", "escaped", "spaced", "corrupt", "no instant"),
  gap: fc.constantFrom(1, 1_000, 4 * MINUTE),
});
type AnyEvent = typeof anyEvent extends fc.Arbitrary<infer T> ? T : never;

function logOf(
  events: readonly AnyEvent[],
  toRecord: (event: JsonObject, at: AnyEvent, timestamp: string | undefined) => object,
): string {
  let instant = NOW - events.reduce((sum, { gap }) => sum + gap, 0);
  return events
    .map((given) => {
      instant += given.gap;
      const isBoundary = BOUNDARIES.includes(given.type);
      const timestamp =
        given.form === "no instant" && !isBoundary ? undefined : new Date(instant).toISOString();
      const event = { type: given.type, ...given.more, text: "x".repeat(given.length) };
      const json = JSON.stringify(toRecord(event, given, timestamp));
      switch (given.form) {
        case "escaped":
          return json
            .replace('"type":"', '"\\u0074ype":"')
            .replace(given.type, given.type.replace(/[._]/, escapeOf));
        case "spaced":
          return ` ${json.replace('"type":', '"type" :\t')}\r`;
        case "corrupt":
          return isBoundary ? json : json.slice(0, -1);
        default:
          return json;
      }
    })
    .map((line) => `${line}\n`)
    .join("");
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const traceOf = (events: readonly AnyEvent[]) =>
  logOf(events, (event, { traceId }, timestamp) => ({ traceId, timestamp, event }));
const orchestrationOf = (events: readonly AnyEvent[]) =>
  logOf(events, (event, { traceId }, timestamp) => ({ ...event, runId: traceId, occurredAt: timestamp }));

describe("the status and the last activity of a session equal those of a fold over all of its records", () => {
  it("for logs that are searched whole, of any length up to 64 KiB", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { maxLength: 40 }),
        fc.array(anyEvent, { maxLength: 6 }),
        fc.constantFrom(0, 1, 5, 6, 100),
        async (traceEvents, orchestrationEvents, minutesLater) => {
          const logs = { trace: traceOf(traceEvents), orchestration: orchestrationOf(orchestrationEvents) };
          fc.pre(logs.trace.length <= 64 * 1024);
          const now = NOW + minutesLater * MINUTE;
          const [item, naive] = [await listed(logs, now), expected(logs, now)];
          expect(item.status).toBe(naive.status);
          if (naive.lastActive > "1971") expect(item.lastActive).toBe(naive.lastActive);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("for logs of one trace in which people are asked", async () => {
    const asking = {
      type: "tool.start",
      more: { toolCallId: "c1", toolName: "ask_user", input: { question: "?" } },
    };
    const asked = fc.constantFrom(
      { type: "input.waiting", more: { prompt: "?" } },
      asking,
      { type: "tool.end", more: { toolCallId: "c1" } },
      { type: "llm.start", more: {} },
    );
    const event = fc
      .tuple(anyEvent, fc.option(asked))
      .map(([any, question]) => ({ ...any, ...question, traceId: "t1" }) as AnyEvent);
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 30 }),
        fc.constantFrom(0, 6),
        async (events, minutesLater) => {
          const logs = { trace: traceOf(events) };
          fc.pre(logs.trace.length <= 64 * 1024);
          const now = NOW + minutesLater * MINUTE;
          expect(pick(await listed(logs, now))).toEqual(pick(expected(logs, now)));
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("for short logs also where clocks stepped back", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ event: anyEvent, second: fc.nat({ max: 900 }) }), {
          minLength: 1,
          maxLength: 12,
        }),
        async (entries) => {
          const trace = entries
            .map(({ event: { type, more, traceId }, second }) => {
              const timestamp = new Date(NOW - second * 1_000).toISOString();
              return `${JSON.stringify({ traceId, timestamp, event: { type, ...more } })}\n`;
            })
            .join("");
          const { status, lastActive } = expected({ trace });
          expect(await listed({ trace })).toMatchObject({ status, lastActive });
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it("for a log that grows past what is parsed and what is searched", async () => {
    const files = await emptySession();
    const source = createFilesystemInspectorDataSource(files.dataDir, { pool, now: () => NOW });
    let trace = "";
    for (let i = 0; i < 60; i++) {
      const type = ["turn.start", "tool.end", "tool.end", "turn.end"][i % 4]!;
      const event = { type, ...(i % 8 === 7 ? { outcome: "failed" } : {}), text: "x".repeat(2_000) };
      const timestamp = new Date(NOW - (60 - i) * 1_000).toISOString();
      const line = `${JSON.stringify({ traceId: "t1", timestamp, event })}\n`;
      trace += line;
      await appendFile(files.trace, line);
      const { status, lastActive } = expected({ trace });
      expect((await source.listSessions())[0]).toMatchObject({ status, lastActive });
    }
  });
});

/** `second`: seconds before now. */
function line(type: string, second: number, more: JsonObject = {}): string {
  const { traceId = "t1", ...event } = more;
  const timestamp = new Date(NOW - second * 1_000).toISOString();
  return `${JSON.stringify({ traceId, timestamp, event: { type, ...event } })}\n`;
}

const tools = (bytes: number, second = 1) =>
  line("tool.end", second, { output: "x".repeat(600) }).repeat(Math.ceil(bytes / 700));

const LONG = 100 * 1024;

describe("the status of a session whose log is long", () => {
  const later = NOW + 10 * MINUTE;

  it("is running where a run goes on without a boundary in the last part, and idle when it was still for five minutes", async () => {
    const trace = line("run.start", 100) + tools(LONG);
    expect((await listed({ trace })).status).toBe("running");
    expect((await listed({ trace }, later)).status).toBe("idle");
  });

  it("is running between two turns of a run that began in front of it", async () => {
    const turn = line("turn.start", 3) + tools(5_000) + line("turn.end", 1);
    const trace = line("agent_start", 100) + tools(LONG, 50) + turn;
    expect((await listed({ trace })).status).toBe("running");
    expect((await listed({ trace }, later)).status).toBe("idle");
    expect((await listed({ trace: trace + line("agent_end", 1) })).status).toBe("idle");
    expect((await listed({ trace: trace + line("session.end", 1) })).status).toBe("idle");
  });

  it("is idle behind the last turn of a log without runs", async () => {
    const turn = line("turn.start", 3) + tools(LONG) + line("turn.end", 1);
    expect((await listed({ trace: turn })).status).toBe("idle");
    expect((await listed({ trace: turn.repeat(2) })).status).toBe("idle");
  });

  it("is that of the newest end, however it began", async () => {
    const begin = line("run.start", 100) + line("turn.start", 90) + tools(LONG, 50);
    expect((await listed({ trace: begin + line("turn.end", 1, { outcome: "failed" }) })).status).toBe(
      "error",
    );
    const failed = begin + line("error", 9) + tools(20_000);
    expect((await listed({ trace: failed }, later)).status).toBe("error");
    expect(
      (await listed({ trace: failed + line("turn.end", 1, { outcome: "completed" }) }, later)).status,
    ).toBe("idle");
    expect((await listed({ trace: failed + line("turn.end", 1) }, later)).status).toBe("error");
    expect((await listed({ trace: failed + line("turn.start", 1) })).status).toBe("running");
  });

  it("comes from the newer of its two logs", async () => {
    const trace = line("run.start", 100) + line("turn.start", 90) + tools(LONG, 50) + line("turn.end", 40);
    const event = (type: string, second: number, more: JsonObject) =>
      `${JSON.stringify({ type, runId: "r1", occurredAt: new Date(NOW - second * 1_000).toISOString(), ...more })}\n`;
    const orchestration = event("run_started", 100, {}) + event("x", 60, { text: "x".repeat(LONG) });
    const failed = orchestration + event("run_completed", 30, { status: "failed" });
    expect((await listed({ trace, orchestration: failed }, later)).status).toBe("error");
    const newer = trace + line("turn.start", 20) + line("turn.end", 10);
    expect((await listed({ trace: newer, orchestration: failed }, later)).status).toBe("idle");
  });

  it("and its last activity come from the last record that is whole, however long the last lines are", async () => {
    for (const length of [70_000, 300_000, 3_000_000]) {
      const huge = line("turn.end", 1, { text: "x".repeat(length), outcome: "failed" });
      const trace = line("turn.start", 100) + huge;
      expect(await listed({ trace }, later)).toMatchObject({
        status: "error",
        lastActive: "2026-01-15T11:59:59.000Z",
      });
      const torn = line("turn.start", 100) + line("turn.end", 50) + huge.slice(0, -50);
      expect(await listed({ trace: torn }, later)).toMatchObject({
        status: "idle",
        lastActive: "2026-01-15T11:59:10.000Z",
      });
    }
  });

  it("is idle for a log that holds no record at all", async () => {
    expect((await listed({ trace: "oops ".repeat(50_000) })).status).toBe("idle");
    expect((await listed({ trace: "oops\n".repeat(50_000) })).status).toBe("idle");
  });
});
