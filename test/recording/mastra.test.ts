import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { type FrameworkOptions, InspectorExporter, type MastraTracingEvent } from "../../src/mastra.js";
import { RunRecorder } from "../../src/recording.js";
import { EXPECTED_SUMMARY, eventsOf, SCENARIO, summaryOf } from "../support/framework-scenario.js";

/**
 * Events of `@mastra/core` 1.71.0 with `@mastra/observability` 1.17.9 for the shared scenario, without chunks, updates, tool definitions
 * and stacks. The package (Node.js 22, 132 MB, 152 packages) runs in `test/docs/frameworks.integration.test.ts`.
 */
const TOLD = (await readFile(new URL("mastra-1.71.0.jsonl", import.meta.url), "utf8"))
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as MastraTracingEvent);

async function recorded(events: readonly MastraTracingEvent[], options: FrameworkOptions = {}) {
  const source = createInMemoryInspectorDataSource();
  const errors: unknown[] = [];
  const recorder = new RunRecorder(source.sessionStore, { onError: (error) => errors.push(error) });
  const exporter = new InspectorExporter(recorder, options);
  for (const event of events) await exporter.exportTracingEvent(event);
  await exporter.flush();
  return { source, errors, exporter };
}

describe("Mastra, through an exporter of its observability", () => {
  it("is recorded with its turns, calls, tokens, agents and errors, each once", async () => {
    const { source, errors } = await recorded(TOLD);
    expect(errors).toEqual([]);
    // Mastra merges the steps of a turn in the next turn: the conversation is replaced.
    const conversation = ["system", "user", "assistant", "tool", "assistant", "user"];
    expect(await summaryOf(source, "acme", "s1")).toEqual({ ...EXPECTED_SUMMARY, conversation });
  });

  it("has the whole conversation of a turn, with the ids of its calls", async () => {
    const [, traceId] = TOLD.map(({ exportedSpan }) => (exportedSpan as { traceId: string }).traceId);
    const first = TOLD.filter(
      ({ exportedSpan }) => (exportedSpan as { traceId: string }).traceId === traceId,
    );
    const { source } = await recorded(first);
    const messages = await source.loadMessages("acme", "s1");
    const roles = ["system", "user", "assistant", "tool", "tool", "assistant", "tool", "assistant"];
    expect(messages.map(({ role }) => role)).toEqual(roles);
    expect(JSON.stringify(messages[3])).toContain(SCENARIO.notes);
    const begun = (await eventsOf(source)).filter(({ type }) => type === "tool.start");
    expect(begun.map(({ toolCallId }) => toolCallId)).toEqual(["read_note-0", "delete_note-1", "delegate-0"]);
  });

  it("is of whoever `identify` says", async () => {
    const { source } = await recorded(TOLD, { identify: () => ({ sessionId: "other" }) });
    expect((await summaryOf(source, "acme", "other")).turns).toBe(2);
  });

  it("records what takes no time, which is told at its end alone, and no chunks", async () => {
    const first = TOLD[0]!.exportedSpan as { id: string; traceId: string };
    const within = { traceId: first.traceId, parentSpanId: first.id, isEvent: true };
    const ended = (id: string, type: string) => {
      return { type: "span_ended", exportedSpan: { ...within, id, type, name: `a ${type}` } };
    };
    const chunk = ended("1", "model_chunk");
    const { source, errors } = await recorded([TOLD[0]!, chunk, ended("2", "generic"), ...TOLD.slice(1)]);
    expect(errors).toEqual([]);
    const spans = (await eventsOf(source)).filter(({ type }) => type === "span");
    expect(spans.map(({ name }) => name)).toEqual(["a generic"]);
  });

  it("throws nothing into the agent, whatever it is told", async () => {
    const { exporter, errors } = await recorded([]);
    for (const type of ["span_started", "span_ended", "else"]) {
      for (const kind of ["agent_run", "model_inference", "model_generation", "tool_call", 1]) {
        const exportedSpan = {
          id: String(kind),
          type: kind,
          attributes: 1,
          input: { messages: [null] },
          startTime: "never",
        };
        await exporter.exportTracingEvent({ type, exportedSpan });
      }
    }
    await exporter.shutdown();
    expect(errors).toEqual([]);
    await exporter.exportTracingEvent({ type: "span_started", exportedSpan: null as never });
    expect(errors).toMatchObject([{ message: "Could not read what Mastra told." }]);
  });
});
