import { ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { describe, expect, it, vi } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { InspectorSpanProcessor, type InspectorSpanProcessorOptions } from "../../src/otel.js";
import { RunRecorder } from "../../src/recording.js";

function instrument(options: InspectorSpanProcessorOptions = {}) {
  const source = createInMemoryInspectorDataSource();
  const errors: string[] = [];
  const recorder = new RunRecorder(source.sessionStore, { onError: (error) => errors.push(error.message) });
  const provider = new BasicTracerProvider({
    spanProcessors: [new InspectorSpanProcessor(recorder, options)],
  });
  const tracer = provider.getTracer("test");
  const start = (operation: string, parent?: ReturnType<typeof tracer.startSpan>, attributes = {}) =>
    tracer.startSpan(
      operation,
      { attributes: { "gen_ai.operation.name": operation, ...attributes } },
      parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
    );
  const types = async (sessionId: string, tenantId = "default") =>
    (await source.loadTraceEnvelopes(tenantId, sessionId)).map(({ event }) => event.type);
  return { source, errors, provider, tracer, start, types };
}

describe("a span processor of OpenTelemetry's SDK", () => {
  it("records what starts while it is going on, without a flush", async () => {
    const { start, types } = instrument();
    const agent = start("invoke_agent");
    const tool = start("execute_tool", agent, { "gen_ai.tool.name": "look" });
    const sessionId = agent.spanContext().traceId;
    const become = (expected: readonly string[]) =>
      vi.waitFor(async () => expect(await types(sessionId)).toEqual(expected), 20_000);
    await become(["turn.start", "tool.start"]);
    tool.end();
    agent.end();
    await become(["turn.start", "tool.start", "tool.end", "turn.end"]);
  });

  it("keeps the instants, the tokens and the error of a span", async () => {
    const { start, provider, source } = instrument();
    const agent = start("invoke_agent");
    const call = start("chat", agent, { "gen_ai.request.model": "m1" });
    call.setAttributes({ "gen_ai.usage.input_tokens": 9, "gen_ai.usage.cache_read.input_tokens": 4 });
    call.recordException(new Error("too much"));
    call.setStatus({ code: SpanStatusCode.ERROR });
    const ended = Date.now() + 5_000;
    call.end(ended);
    agent.end(ended + 1_000);
    await provider.forceFlush();
    const sessionId = agent.spanContext().traceId;
    const envelopes = await source.loadTraceEnvelopes("default", sessionId);
    const end = envelopes.find(({ event }) => event.type === "llm.end");
    expect(end).toMatchObject({
      timestamp: new Date(ended).toISOString(),
      event: { usage: { inputTokens: 5, cacheReadTokens: 4 }, error: { type: "Error", message: "too much" } },
    });
    expect(await source.listSessions()).toMatchObject([{ status: "idle", turns: 1, tokens: 9 }]);
  });

  it("asks whose a span is where the span starts, and else reads it from the span", async () => {
    let tenantId: string | undefined = "acme";
    const { start, provider, source } = instrument({ identify: () => ({ tenantId, userId: undefined }) });
    const told = { "session.id": "s1", "user.id": "ada" };
    start("invoke_agent", undefined, told).end();
    tenantId = undefined;
    start("invoke_agent", undefined, told).end();
    await provider.forceFlush();
    const sessions = (await source.listSessions()).map(({ tenantId, sessionId, userId }) => [
      tenantId,
      sessionId,
      userId,
    ]);
    expect(sessions.sort()).toEqual([
      ["acme", "s1", "ada"],
      ["default", "s1", "ada"],
    ]);
  });

  it("does not wait for a parent in another process", async () => {
    const { tracer, provider, source } = instrument();
    const remote = trace.setSpanContext(ROOT_CONTEXT, {
      ...{ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" },
      ...{ traceFlags: TraceFlags.SAMPLED, isRemote: true },
    });
    tracer.startSpan("agent", { attributes: { "gen_ai.operation.name": "chat" } }, remote).end();
    await provider.forceFlush();
    expect(await source.listSessions()).toMatchObject([
      { sessionId: "0af7651916cd43dd8448eb211c80319c", turns: 1 },
    ]);
  });

  it("records with shutdown what is still open, and nothing after it", async () => {
    const { start, provider, source } = instrument();
    const agent = start("invoke_agent");
    start("chat", agent, { "gen_ai.usage.input_tokens": 3 }).end();
    await provider.shutdown();
    expect(await source.listSessions()).toMatchObject([{ turns: 1, tokens: 3 }]);
    agent.end();
    start("invoke_agent").end();
    await provider.forceFlush();
    expect(await source.listSessions()).toHaveLength(1);
  });

  it("loses nothing of many spans at once", async () => {
    const { start, provider, source } = instrument();
    const agent = start("invoke_agent");
    for (let i = 0; i < 3_000; i++) start("chat", agent, { "gen_ai.usage.output_tokens": 1 }).end();
    agent.end();
    await provider.forceFlush();
    expect(await source.listSessions()).toMatchObject([{ turns: 1, tokens: 3_000 }]);
  });

  it("never throws into the agent", async () => {
    const { start, provider, errors, types } = instrument({
      identify: () => {
        throw new Error("nobody");
      },
    });
    const agent = start("invoke_agent");
    agent.end();
    await provider.forceFlush();
    expect(errors).toEqual(["Could not identify a span."]);
    expect(await types(agent.spanContext().traceId)).toEqual(["turn.start", "turn.end"]);
  });
});
