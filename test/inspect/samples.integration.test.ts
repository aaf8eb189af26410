import { describe, expect, it } from "vitest";
import { assistant, at, log, model, openFiles, sample, span, tool, user } from "./support/logs.js";

const ASKED = user("How many?");

async function read(events: readonly unknown[], more: object = {}) {
  const source = await openFiles({ "log.eval": log([sample("a", events, more)]) });
  const [item] = await source.listSessions();
  const trace = await source.loadTraceEnvelopes("log", "a");
  const session = (await source.openSession!("log", "a"))!;
  const of = (type: string) => trace.filter(({ event }) => event.type === type).map(({ event }) => event);
  return { source, item: item!, trace, session, of };
}

describe("a sample", () => {
  it("is a turn with its model calls, tool calls and what these did in a sandbox, each as long as it took", async () => {
    const called = assistant("Looking.", { tool_calls: [{ id: "t", function: "bash", arguments: {} }] });
    const events = [
      model(1, [{ role: "system", content: "Count." }, ASKED], called),
      tool(4, "t", "3 apples"),
      { event: "sandbox", timestamp: at(5), action: "exec", cmd: "ls", result: 0 },
      model(
        10,
        [
          { role: "system", content: "Count." },
          ASKED,
          called,
          { role: "tool", content: "3 apples", tool_call_id: "t" },
        ],
        assistant([
          { type: "reasoning", reasoning: "3." },
          { type: "text", text: "Three." },
        ]),
      ),
      { event: "score", timestamp: at(13), score: { value: "C", answer: "Three." }, scorer: "match" },
    ];
    const { item, trace, of, session } = await read(events, { scores: { match: { value: "C" } } });
    expect(item).toMatchObject({
      title: "counting a: C",
      prompt: "How many?",
      lastAnswer: "Three.",
      turns: 1,
      tokens: 220,
    });
    const seen = trace.filter(({ event }) => event.bookkeeping === undefined);
    expect(seen.map(({ event, timestamp }) => [event.type, timestamp.slice(17, 19)]).sort()).toEqual(
      [
        ["session.start", "01"],
        ["text", "01"],
        ["turn.start", "01"],
        ["llm.start", "01"],
        ["text", "03"],
        ["llm.end", "03"],
        ["tool.start", "04"],
        ["tool.end", "09"],
        ["llm.start", "10"],
        ["thinking", "12"],
        ["text", "12"],
        ["llm.end", "12"],
        ["turn.end", "13"],
        ["inspect.score", "13"],
      ].sort(),
    );
    expect(of("llm.end")[0]).toMatchObject({ model: "openai/gpt-x", stopReason: "stop" });
    expect(of("inspect.sandbox")).toMatchObject([{ toolCallId: "t", record: { cmd: "ls" } }]);
    expect(of("tool.end")).toMatchObject([{ output: "3 apples", toolName: "bash", isError: false }]);
    expect((await session.messages()).size).toBe(5);
  });

  it("counts what a cache served apart, whether a provider counts it among the input or beside it", async () => {
    const usage = {
      input_tokens: 100,
      output_tokens: 10,
      input_tokens_cache_read: 40,
      input_tokens_cache_write: 5,
    };
    const answer = (more: object) => ({
      output: { choices: [{ message: assistant("3") }], usage: { ...usage, ...more } },
    });
    const within = await read([model(1, [ASKED], assistant("3"), answer({ total_tokens: 110 }))]);
    expect(within.item.usage).toEqual({
      inputTokens: 55,
      outputTokens: 10,
      cacheReadTokens: 40,
      cacheWriteTokens: 5,
    });
    const beside = await read([
      model(1, [ASKED], assistant("3"), answer({ total_tokens: 155, total_cost: 0.5 })),
    ]);
    expect(beside.item.usage).toEqual({
      inputTokens: 100,
      outputTokens: 10,
      cacheReadTokens: 40,
      cacheWriteTokens: 5,
    });
    expect(beside.of("llm.end")).toMatchObject([{ costUSD: 0.5 }]);
    const cached = await read([model(1, [ASKED], assistant("3"), { cache: "read" })]);
    expect([cached.item.tokens, cached.of("llm.end")[0]?.cache]).toEqual([0, "read"]);
  });

  it("that failed says why, once, and tells of the tries before", async () => {
    const error = { message: "The sandbox is gone.", traceback: "…" };
    const failing = [model(1, [ASKED], assistant("3")), { event: "error", timestamp: at(4), error }];
    const { item, of } = await read(failing, { error, error_retries: [{ message: "Too slow." }] });
    expect([item.status, item.errors, item.title]).toEqual(["error", 2, "counting a"]);
    expect(of("error").map((event) => event.error)).toEqual([{ message: "Too slow." }, error]);
    expect(of("turn.end")).toMatchObject([{ outcome: "failed" }]);
  });

  it("that ran into a limit was cancelled, and says by which", async () => {
    const limit = { type: "token", limit: 1000 };
    const { of, item } = await read(
      [model(1, [ASKED], assistant("3")), { event: "sample_limit", type: "token" }],
      { limit },
    );
    expect(of("turn.end")).toMatchObject([{ outcome: "cancelled", limit }]);
    expect([of("inspect.sample_limit").length, item.errors]).toEqual([1, 0]);
  });

  it("shows tools that failed, or were not allowed, and requests that failed", async () => {
    const { item, of } = await read([
      model(1, [ASKED], assistant(""), { error: "Overloaded", output: { choices: [] } }),
      model(3, [ASKED], assistant("")),
      tool(6, "a", "", { error: { type: "timeout", message: "Too long." } }),
      tool(7, "b", "", { error: { type: "approval", message: "No." } }),
      model(15, [ASKED], assistant("3")),
    ]);
    expect(item.errors).toBe(2);
    expect(of("error")).toMatchObject([{ error: { message: "Overloaded" } }]);
    expect(of("tool.end").map(({ toolCallId, refused, error }) => [toolCallId, refused, error])).toEqual([
      ["a", undefined, { type: "timeout", message: "Too long." }],
      ["b", true, { type: "approval", message: "No." }],
    ]);
    expect(of("turn.end")).toMatchObject([{ outcome: "completed" }]);
  });

  it("has sub-agents, by spans: those that another agent or a tool called, and scorers that ask models", async () => {
    const { of, source, session } = await read([
      span(1, "lead", "agent", "lead"),
      model(1, [ASKED], assistant("", { tool_calls: [] }), { span_id: "lead" }),
      tool(4, "t", "Three.", { function: "ask", agent_span_id: "helper", span_id: "lead" }),
      span(4, "tool", "tool", "ask", "lead"),
      span(4, "helper", "agent", "helper", "tool"),
      model(5, [user("Count.")], assistant("Three."), { span_id: "helper" }),
      model(12, [ASKED], assistant("3"), { span_id: "lead" }),
      span(15, "scorer", "scorer", "graded"),
      model(15, [user("Is it 3?")], assistant("Yes."), { span_id: "scorer" }),
      { event: "score", timestamp: at(18), span_id: "scorer", score: { value: "C" } },
    ]);
    const { agents } = (await source.loadOrchestrationState("log", "a"))!.snapshot;
    expect(Object.values(agents).map(({ id, role, displayName }) => [id, role, displayName])).toEqual([
      ["agent helper", "agent", "ask"],
      ["scorer graded", "scorer", "graded"],
    ]);
    const calls = of("llm.end").map(({ agentId }) => agentId);
    expect(calls.sort()).toEqual(["agent helper", "scorer graded", undefined, undefined]);
    expect(of("inspect.score")).toMatchObject([{ name: "graded", value: "C" }]);
    expect(of("inspect.score")[0]?.agentId).toBeUndefined();
    expect((await session.messages("agent helper")).size).toBe(2);
    expect((await session.messages()).size).toBe(3);
  });

  it("says what each request held: messages that were left out, put in another order, or said twice", async () => {
    const again = user("Go on.");
    const { session } = await read([
      model(1, [ASKED], assistant("One.")),
      model(4, [ASKED, assistant("One."), again], assistant("Two.")),
      model(8, [ASKED, again, again], assistant("Three.")),
      model(12, [ASKED, assistant("One."), again, assistant("Two.")], assistant("Four.")),
    ]);
    const { outline, size } = await session.messages();
    expect(size).toBe(7);
    expect(outline?.calls.map(({ at: place }) => place)).toEqual([1, 3, 5, 6]);
    expect(outline?.removals.map(({ at: place, messages }) => [place, messages])).toEqual([
      [
        5,
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [6, [[4, 6]]],
    ]);
  });

  it("has the texts that stand for attachments, wherever they are named, and keeps the names of those that are gone", async () => {
    const attachments = { aa: "A long text.", bb: "attachment://aa" };
    const events = [
      model(1, [user("attachment://aa")], assistant([{ type: "text", text: "attachment://bb" }])),
      tool(4, "t", "attachment://gone"),
    ];
    const { of, item } = await read(events, { attachments });
    expect(item.prompt).toBe("A long text.");
    expect(of("turn.start")).toMatchObject([{ input: "A long text." }]);
    expect(of("tool.end")).toMatchObject([{ output: "attachment://gone" }]);
  });

  it("keeps what events of wrong types hold, and passes unknown ones through", async () => {
    const odd = [
      5,
      null,
      {},
      { event: "model" },
      { event: "tool", id: 3 },
      { event: "score", score: null },
      { event: 7 },
    ];
    const { trace, of, item } = await read([
      ...odd,
      { event: "brand_new", data: 1 },
      model(1, [ASKED], assistant("3")),
    ]);
    expect(item).toMatchObject({ turns: 1, tokens: 110 });
    expect(of("inspect.odd").map(({ record }) => (record as { value: unknown }).value)).toEqual([5, null]);
    expect(of("inspect.brand_new")).toMatchObject([{ record: { data: 1 } }]);
    expect(trace.filter(({ event }) => String(event.type).endsWith(".fault"))).toEqual([]);
  });

  it("that asked no model has what was asked, and the conversation as it was at the end", async () => {
    const { of, session } = await read([], {
      messages: [ASKED, assistant("3")],
      scores: { m: { value: "I" } },
    });
    expect(of("turn.start")).toMatchObject([{ input: "How many?" }]);
    expect((await session.messages()).size).toBe(2);
    expect(of("inspect.score")).toMatchObject([{ name: "m", value: "I" }]);
  });
});
