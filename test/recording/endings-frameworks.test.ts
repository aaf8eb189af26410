import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { Agent, OpenAIProvider, Runner, setTraceProcessors, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { InspectorCallbackHandler } from "../../src/langchain.js";
import { InspectorExporter } from "../../src/mastra.js";
import { InspectorTraceProcessor } from "../../src/openai-agents.js";
import { answerOf, ScriptedModel } from "../support/agents/langgraph.js";
import {
  abortWhenHeard,
  endingsOf,
  IDENTIFIED,
  streamOfParts,
  untilAborted,
} from "../support/recorded-endings.js";
import type { Api } from "../support/scripted-openai.js";

const ABORTED = { ends: ["llm cancelled", "turn cancelled"], status: "idle", errors: 0 };

describe("the OpenAI Agents SDK", () => {
  beforeAll(() => setTracingDisabled(false));
  afterAll(() => {
    setTraceProcessors([]);
    setTracingDisabled(true);
  });

  const ended = (api: Api, answer: (signal: AbortSignal) => Promise<Response>, settings: object = {}) =>
    endingsOf(async (recorder) => {
      const processor = new InspectorTraceProcessor(recorder, IDENTIFIED);
      setTraceProcessors([processor]);
      const fetch = (_: unknown, init?: { signal?: unknown }) => answer(init?.signal as AbortSignal);
      const openAIClient = new OpenAI({ apiKey: "none", maxRetries: 0, fetch });
      const runner = new Runner({
        modelProvider: new OpenAIProvider({ openAIClient, useResponses: api === "responses" }),
      });
      const result = await runner.run(new Agent({ name: "helper", model: "main-model" }), "Hi", settings);
      await (result as { completed?: Promise<void> }).completed;
    });
  const begun = {
    responses: { type: "response.created", response: { id: "r1", output: [] } },
    chat: { id: "c1", choices: [{ index: 0, delta: { content: "Hel" } }] },
  };
  const streamOf = (api: Api, end: Parameters<typeof streamOfParts>[1]) => {
    const chunk = new TextEncoder().encode(`data: ${JSON.stringify(begun[api])}\n\n`);
    return new Response(streamOfParts([chunk], end), { headers: { "Content-Type": "text/event-stream" } });
  };

  it.each<Api>(["responses", "chat"])("tells of runs that are aborted as cancelled, by %s", async (api) => {
    for (const stream of [false, true]) {
      const { signal, abort } = abortWhenHeard();
      const answer = async (heard: AbortSignal) => {
        abort();
        return stream ? streamOf(api, heard) : untilAborted(heard);
      };
      expect(await ended(api, answer, { signal, stream })).toEqual(ABORTED);
    }
  });

  it.each<Api>(["responses", "chat"])("tells of a stream that breaks as failed, by %s", async (api) => {
    const breaking = async () => streamOf(api, new Error("socket hang up"));
    const { ends, status } = await ended(api, breaking, { stream: true });
    expect(ends).toEqual(["llm failed: Error: socket hang up", "turn failed: Error: socket hang up"]);
    expect(status).toBe("error");
  });

  it("tells of a stream that ends without an answer as failed", async () => {
    const { ends, status } = await ended("responses", async () => streamOf("responses", "close"), {
      stream: true,
    });
    const why = "ModelBehaviorError: Model did not produce a final response!";
    expect(ends).toEqual([`llm failed: ${why}`, `turn failed: ${why}`]);
    expect(status).toBe("error");
  });
});

describe("LangGraph", () => {
  const schema = z.object({ id: z.number() });
  const asking = new ScriptedModel((messages) =>
    messages.some((message) => message.getType() === "tool")
      ? answerOf("answer", "Fine")
      : answerOf("toolCalls", "", ["read_note", { id: 1 }], ["no_such_tool", {}]),
  );
  const ended = (
    llm: ScriptedModel,
    execute: (signal: AbortSignal | undefined) => Promise<string>,
    signal?: AbortSignal,
  ) =>
    endingsOf((recorder) => {
      const read = tool((_, config) => execute(config.signal), { name: "read_note", schema });
      const callbacks = [new InspectorCallbackHandler(recorder, IDENTIFIED)];
      const input = { messages: [{ role: "user", content: "Hi" }] };
      return createReactAgent({ llm, tools: [read] }).invoke(input, { callbacks, ...(signal && { signal }) });
    });

  class Hearing extends ScriptedModel {
    readonly #heard: () => void;

    constructor(heard: () => void) {
      super(() => new AIMessage(""));
      this.#heard = heard;
    }

    override async _generate(_: unknown, options?: { signal?: AbortSignal }) {
      this.#heard();
      return untilAborted(options?.signal);
    }
  }

  it("tells of a model call that is aborted, and of its turn, as cancelled, for whatever reason", async () => {
    for (const reason of [undefined, "no more", new Error("no more")]) {
      const { signal, abort } = abortWhenHeard(reason);
      expect(await ended(new Hearing(abort), async () => "", signal)).toEqual(ABORTED);
    }
  });

  it("tells of a run that took too long as failed", async () => {
    const { ends, status } = await ended(
      new Hearing(() => undefined),
      async () => "",
      AbortSignal.timeout(50),
    );
    expect(ends).toEqual([
      expect.stringMatching("llm failed: .*timeout"),
      expect.stringMatching("turn failed: .*timeout"),
    ]);
    expect(status).toBe("error");
  });

  it("tells of a tool that is aborted, and of its turn, as cancelled", async () => {
    const { signal, abort } = abortWhenHeard();
    const hearing = (heard: AbortSignal | undefined) => {
      abort();
      return untilAborted(heard);
    };
    const ends = ["llm completed", "read_note cancelled", "turn cancelled"];
    expect(await ended(asking, hearing, signal)).toEqual({ ends, status: "idle", errors: 0 });
  });

  it("shows the call of a tool that there is not as a call that failed", async () => {
    const { ends, errors } = await ended(asking, async () => "Water the plants.");
    expect(ends).toEqual([
      "llm completed",
      "read_note completed",
      expect.stringMatching('^no_such_tool failed: Error: Tool "no_such_tool" not found'),
      "llm completed",
      "turn completed",
    ]);
    expect(errors).toBe(1);
  });
});

describe("Mastra", () => {
  /** Spans of `@mastra/core` 1.71.0 with `@mastra/observability` 1.17.9, in the order of their starts and ends. */
  const told = (...spans: readonly (readonly [how: "started" | "ended", id: string, facts?: object])[]) =>
    endingsOf(async (recorder) => {
      const exporter = new InspectorExporter(recorder, IDENTIFIED);
      for (const [how, id, facts] of spans) {
        const exportedSpan = { id, traceId: "t", name: id, ...SPANS[id], ...facts };
        await exporter.exportTracingEvent({ type: `span_${how}`, exportedSpan });
      }
    });
  const SPANS: Readonly<Record<string, object>> = {
    agent: { type: "agent_run", entityName: "helper" },
    generation: { type: "model_generation", parentSpanId: "agent" },
    step: { type: "model_step", parentSpanId: "generation" },
    inference: { type: "model_inference", parentSpanId: "step" },
    tool: { type: "tool_call", entityName: "read_note", parentSpanId: "agent" },
  };
  const BEGUN = [
    ["started", "agent"],
    ["started", "generation"],
    ["started", "step"],
    ["started", "inference"],
  ] as const;
  const asked = { output: { text: "", toolCalls: [] }, attributes: { finishReason: "tool-calls" } };

  it("tells of a model call that is aborted, and of its turn, as cancelled", async () => {
    const ended = await told(
      ...BEGUN,
      ["ended", "generation", { output: { text: "Hel" }, attributes: { finishReason: "aborted" } }],
      ["ended", "inference"],
      ["ended", "step"],
      ["ended", "agent", { output: { status: "aborted", reason: "abort" } }],
    );
    expect(ended).toEqual(ABORTED);
  });

  it("tells of a tool that is aborted, and of its turn, as cancelled", async () => {
    const ended = await told(
      ...BEGUN,
      ["started", "tool"],
      ["ended", "tool", { errorInfo: { name: "AbortError", message: "This operation was aborted" } }],
      ["ended", "inference", asked],
      ["ended", "step", asked],
      ["ended", "generation", asked],
      ["ended", "agent"],
    );
    const ends = ["read_note cancelled", "llm completed", "turn cancelled"];
    expect(ended).toEqual({ ends, status: "idle", errors: 0 });
  });

  it("shows a tool call whose input is not valid as a call that failed", async () => {
    const output = { error: true, message: "Tool input validation failed for read_note." };
    const { ends, errors } = await told(
      ["started", "agent"],
      ["started", "tool"],
      ["ended", "tool", { output, attributes: { success: false } }],
      ["ended", "agent", { output: { text: "Fine" } }],
    );
    expect(ends).toEqual([expect.stringContaining("read_note failed"), "turn completed"]);
    expect(errors).toBe(1);
  });
});
