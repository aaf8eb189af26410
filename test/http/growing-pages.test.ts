import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import type { InspectorDataSource, WorkflowTraceEventEnvelope } from "../../src/index.js";
import { askAllPages, inspect } from "../support/inspector.js";
import { at, envelope, SAMPLE } from "../support/sample.js";
import { appendLines, filesystemSource, fiveMethods, writeDataDir } from "../support/sources.js";

const TRACE = "/sessions/s1/trace?tenantId=acme";
const MESSAGES = "/sessions/s1/messages?tenantId=acme";

describe("Pages of what grows while it is read", () => {
  const growing: readonly (readonly [string, () => Promise<[InspectorDataSource, Grow]>])[] = [
    [
      "the memory source",
      async () => {
        const source = createInMemoryInspectorDataSource(SAMPLE);
        const session = { tenantId: "acme", sessionId: "s1" };
        return [source, (...records) => source.sessionStore.appendTraceEnvelopes(session, records)];
      },
    ],
    [
      "five methods",
      async () => {
        const source = createInMemoryInspectorDataSource(SAMPLE);
        const session = { tenantId: "acme", sessionId: "s1" };
        return [
          fiveMethods(source),
          (...records) => source.sessionStore.appendTraceEnvelopes(session, records),
        ];
      },
    ],
    [
      "the filesystem source",
      async () => {
        const dataDir = await writeDataDir(SAMPLE);
        return [
          filesystemSource(dataDir),
          (...records) =>
            appendLines(
              dataDir,
              "acme",
              "s1",
              "trace/events.jsonl",
              records.map((record) => JSON.stringify(record)),
            ),
        ];
      },
    ],
  ];
  type Grow = (...records: WorkflowTraceEventEnvelope[]) => Promise<void>;

  it.each(growing)("give each record of %s once, in sequence order", async (_, open) => {
    const [source, grow] = await open();
    const inspector = inspect(source);
    const before = (await inspector.ask(TRACE)).body.envelopes as WorkflowTraceEventEnvelope[];
    const pages = (await askAllPages(inspector, TRACE, "envelopes", 2, (page) =>
      page === 0 ? grow(envelope(4), envelope(5)) : undefined,
    )) as WorkflowTraceEventEnvelope[];
    const ids = pages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toStrictEqual([...ids.slice(0, 4), "t1-4", "t1-5", ...before.slice(4).map(({ id }) => id)]);
    expect(pages.map(({ sequence }) => sequence)).toStrictEqual(pages.map((_, i) => i));
  });

  it.each(growing)("lose nothing of %s that was there, when it grows behind the page", async (_, open) => {
    const [source, grow] = await open();
    const inspector = inspect(source);
    const before = (await inspector.ask(TRACE)).body.envelopes as WorkflowTraceEventEnvelope[];
    const pages = (await askAllPages(inspector, TRACE, "envelopes", 5, () =>
      grow(envelope(4, { timestamp: at(60) })),
    )) as WorkflowTraceEventEnvelope[];
    expect(pages.map(({ id }) => id)).toStrictEqual(before.map(({ id }) => id));
    const sequences = pages.map(({ sequence }) => sequence);
    expect(sequences).toStrictEqual([...new Set(sequences)].sort((a, b) => a - b));
  });

  it("give messages that were added in a later page", async () => {
    const source = createInMemoryInspectorDataSource(SAMPLE);
    const inspector = inspect(source);
    const pages = await askAllPages(inspector, MESSAGES, "messages", 1, (page) =>
      page === 0
        ? source.sessionStore.appendMessages({ tenantId: "acme", sessionId: "s1" }, [
            { role: "user", content: "more" },
          ])
        : undefined,
    );
    expect(pages).toStrictEqual([...(SAMPLE[0]?.messages ?? []), { role: "user", content: "more" }]);
  });

  it("give orchestration events that were added in a later page", async () => {
    const source = createInMemoryInspectorDataSource(SAMPLE);
    const inspector = inspect(source);
    const added = { eventId: "event-9", occurredAt: at(200), type: "run_completed" };
    const pages = (await askAllPages(inspector, TRACE, "envelopes", 3, (page) =>
      page === 1
        ? source.sessionStore.appendOrchestrationEvents({ tenantId: "acme", sessionId: "s1" }, [added])
        : undefined,
    )) as WorkflowTraceEventEnvelope[];
    expect(pages.map(({ id }) => id).slice(4)).toStrictEqual(["event-1", "event-2", "event-3", "event-9"]);
  });
});
