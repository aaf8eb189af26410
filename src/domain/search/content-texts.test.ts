import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContentText, textsOfEnvelope, textsOfMessage } from "./content-texts.js";
import { CONTENT_KINDS } from "./search-query.js";

/** In these records each text says the kind that it has to be of; types are names, and so `other`. */
function expectKinds(texts: Iterable<ContentText>): void {
  const matches = [...texts].filter(({ text }) => text !== "");
  const kinds = matches.map(({ kind, text }) => [kind, text]);
  expect(kinds).toEqual(matches.map(({ text }) => [text.endsWith("!") ? text.slice(0, -1) : "other", text]));
}

/** The record with a mark after each text, to separate types from texts. */
function marked(value: unknown): unknown {
  if (typeof value === "string") return KINDS.includes(value) ? `${value}!` : value;
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === "type" ? member : marked(member)]),
  );
}

const KINDS: readonly string[] = CONTENT_KINDS;

/** Nothing around an event is a text of it. */
const envelope = (event: unknown) => ({
  id: "e1",
  timestamp: "2026-01-01T00:00:00.000Z",
  sequence: 1,
  source: "runtime",
  traceId: "t1",
  event,
});

describe("textsOfEnvelope", () => {
  it.each<[string, object]>([
    [
      "a prompt",
      { type: "turn.start", turnIndex: 0, input: "text", record: { cwd: "other", content: "other" } },
    ],
    ["a prompt in parts", { type: "turn_start", input: [{ text: "text" }, { source: { data: "other" } }] }],
    ["a turn that failed", { type: "turn.end", outcome: "other", error: "error" }],
    [
      "a call of the model",
      { type: "llm.start", callId: "other", model: "other", input: [{ role: "other", content: "text" }] },
    ],
    [
      "what the model gave",
      { type: "llm.end", stopReason: "other", output: [{ text: "text" }], usage: { tier: "other" } },
    ],
    [
      "a tool call",
      {
        type: "tool.start",
        toolCallId: "other",
        toolName: "other",
        input: { path: "input", deep: [{ id: "input" }] },
      },
    ],
    [
      "a tool's output",
      { type: "tool.end", toolName: "other", output: { stdout: "output", list: [{ path: "output" }] } },
    ],
    [
      "a tool's output in parts",
      { type: "tool.end", output: [{ text: "output" }, { type: "image", source: { data: "other" } }] },
    ],
    [
      "a tool that failed",
      { type: "tool.end", isError: true, output: "error", record: { toolUseResult: "other" } },
    ],
    [
      "a tool of another spelling",
      { type: "tool_execution_end", name: "other", args: "input", result: { text: "output" } },
    ],
    [
      "an output that lies in the record only",
      { type: "tool.end", output: "", record: { cwd: "other", toolUseResult: { path: "output" } } },
    ],
    [
      "what was said",
      { type: "text", role: "other", text: "text", record: { message: { content: "other" } } },
    ],
    [
      "what lies in the record only",
      { type: "text", role: "other", record: { uuid: "other", message: { content: "text" } } },
    ],
    ["what was thought", { type: "thinking", thinking: "thinking", signature: "other" }],
    ["a compaction", { type: "compaction.end", trigger: "other", summary: "text" }],
    ["an error", { type: "error", error: { message: "error", stack: "error", code: "error" } }],
    ["an error of another form", { type: "error", message: "error" }],
    ["a question", { type: "input.waiting", prompt: "text" }],
    [
      "a sub-agent",
      { type: "agent_spawned", agent: { id: "other", role: "other", displayName: "text" }, runId: "other" },
    ],
    [
      "a sub-agent's task",
      { type: "agent_input_queued", input: { id: "other", agentId: "other", content: "text" } },
    ],
    [
      "a sub-agent's end",
      {
        type: "agent_job_completed",
        agentId: "other",
        job: { jobId: "other", outcome: "other", outputText: "text" },
      },
    ],
    ["a sub-agent that failed", { type: "agent_job_failed", job: { error: "error" } }],
    [
      "a run of Agentrail",
      { type: "run_started", initialTask: { id: "other", kind: "other", input: { sessionId: "other" } } },
    ],
    [
      "an event of an application",
      { type: "acme.retry", note: "text", deep: { why: ["text"], path: "other", createdAt: "other" } },
    ],
    [
      "a record of a tool's own",
      {
        type: "claude-code.system",
        subtype: "other",
        record: { type: "other", cwd: "other", content: "text" },
      },
    ],
    [
      "a hook, which its record tells of",
      {
        type: "claude-code.attachment",
        subtype: "other",
        bookkeeping: "hook",
        hook: { name: "PreToolUse", command: "check" },
        error: { message: "no" },
        record: { attachment: { command: "text", blockingError: "error", content: "text" } },
      },
    ],
    [
      "a hook of an application",
      { type: "acme.hook", bookkeeping: "hook", hook: { name: "other", command: "text" }, error: "error" },
    ],
    [
      "a record with a message",
      {
        type: "claude-code.progress",
        record: { data: { message: { content: [{ type: "other", id: "other", text: "text" }] } } },
      },
    ],
  ])("knows the texts of %s", (_, event) => {
    expectKinds(textsOfEnvelope(marked(envelope(event))));
  });

  it("gives every string of any value once, and no name of a member", () => {
    const names = fc.stringMatching(/^[a-z_]{0,6}$/).filter((name) => !LINK.test(name));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), tie("object"), fc.array(tie("value"))),
      object: fc.dictionary(names, tie("value")),
    }));
    fc.assert(
      fc.property(value, (event) => {
        const texts = [...textsOfEnvelope(envelope(event))].map(({ text }) => text);
        expect(texts.sort()).toEqual(stringsIn(event).sort());
        expect([...textsOfMessage(event)].map(({ text }) => text).sort()).toEqual(stringsIn(event).sort());
      }),
    );
  });

  it("reads what is nested deeper than calls can be", () => {
    const depth = 100_000;
    const event: unknown = JSON.parse(`${'{"a":['.repeat(depth)}"deep"${"]}".repeat(depth)}`);
    expect([...textsOfEnvelope({ event })]).toEqual([{ kind: "text", text: "deep" }]);
  });
});

describe("textsOfMessage", () => {
  it.each<[string, object]>([
    ["a text", { role: "other", content: "text" }],
    [
      "parts",
      {
        id: "other",
        model: "other",
        content: ["text", { type: "text", text: "text", cache_control: { type: "other" } }],
      },
    ],
    ["an OpenAI text", { type: "message", role: "other", content: [{ type: "input_text", text: "text" }] }],
    [
      "thinking",
      {
        content: [
          { type: "thinking", thinking: "thinking", signature: "other" },
          { type: "redacted_thinking", data: "other" },
        ],
      },
    ],
    ["reasoning", { reasoning_content: "thinking", content: [{ type: "reasoning", text: "thinking" }] }],
    ["Gemini's thought", { role: "other", parts: [{ text: "thinking", thought: true }, { text: "text" }] }],
    [
      "a call",
      {
        content: [{ type: "tool_use", id: "other", name: "other", input: { kind: "input", path: "input" } }],
      },
    ],
    [
      "a call of the AI SDK",
      { content: [{ type: "tool-call", toolCallId: "other", toolName: "other", args: { id: "input" } }] },
    ],
    [
      "a call of OpenAI",
      { tool_calls: [{ id: "other", type: "function", function: { name: "other", arguments: "input" } }] },
    ],
    ["a call of Gemini", { parts: [{ functionCall: { name: "other", args: { path: "input" } } }] }],
    ["a result", { content: [{ type: "tool_result", tool_use_id: "other", content: "output" }] }],
    [
      "a result in parts",
      {
        content: [
          {
            type: "tool_result",
            tool_use_id: "other",
            content: [
              { type: "text", text: "output" },
              { type: "image", source: { data: "other" } },
            ],
          },
        ],
      },
    ],
    [
      "a result that failed",
      { content: [{ type: "tool_result", is_error: true, content: [{ type: "text", text: "error" }] }] },
    ],
    [
      "a result of the AI SDK",
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "other",
            toolName: "other",
            output: { type: "text", value: "output" },
          },
        ],
      },
    ],
    [
      "a failed result of the AI SDK",
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "other", output: { type: "error-text", value: "error" } },
        ],
      },
    ],
    ["a result of OpenAI", { role: "tool", tool_call_id: "other", content: "output" }],
    [
      "a result of Gemini",
      { parts: [{ functionResponse: { name: "other", response: { path: "output" } } }] },
    ],
    ["an image", { content: [{ type: "image_url", image_url: { url: "other" } }] }],
  ])("knows the texts of %s", (_, message) => {
    expectKinds(textsOfMessage(marked(message)));
  });
});

/** Members that link records are not texts. */
const LINK = /(^|_)(ids?|uuids?|type|outcome|at|timestamp)$/;

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
