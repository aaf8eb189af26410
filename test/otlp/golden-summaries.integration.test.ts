import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { requestSpans } from "../../src/adapters/otlp/request-spans.js";
import type { JsonObject } from "../../src/domain/json/json.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { summaryOf } from "../support/framework-scenario.js";
import { describeShared } from "../support/shared-suites.js";
import { DATA, realFiles } from "./support/otlp-files.js";

/**
 * A program without this project's code counted distinct spans (trace and span id) in the files, by `gen_ai.operation.name`,
 * `openinference.span.kind`, `span.type` or `ai.operationId`. Turns are topmost agents, or traces with calls and no agent; tokens are
 * those of model calls, and `undefined` without any; errors are spans without an error below them, but not requests inside of a
 * successful call.
 */
const COUNTED: readonly [
  file: string,
  session: string,
  turns: number,
  calls: number,
  tools: number,
  input: number | undefined,
  output: number | undefined,
  errors: number,
][] = [
  ["clew/dump_otlp.json", "0de52b97723dafd08524feeecd38a1e2", 1, 2, 0, undefined, undefined, 0],
  ["genai-interlingua/openllmetry.json", "77d66be22a4ffc8149309684b3a319f7", 1, 1, 0, 412, 27, 0],
  ["kagua/openllmetry-langchain.json", "02822f807e5f5a1e003a0f9c533949d2", 1, 0, 1, undefined, undefined, 0],
  ["litellm/claude_agent_sdk_simple.json", "0e5bb47c-6b08-4a1b-bde4-9ab142589572", 1, 1, 0, 323, 671, 0],
  ["litellm/google_adk_retry.json", "debug_session_id", 1, 1, 0, 29, 206, 0],
  ["litellm/langgraph_simple.json", "af9e61052268f1da3133f29cace994e7", 1, 1, 0, 12, 195, 0],
  ["litellm/pydantic_ai_simple.json", "01a100ad-392b-750b-9c31-2560ada06282", 1, 1, 0, 12, 228, 0],
  ["litellm/strands_simple.json", "d59ddcb97fb9bced94931df97e06d02f", 1, 1, 0, 109, 158, 0],
  ["litellm/vercel_ai_sdk_simple.json", "756a6944dc8714d12988990063667f2c", 1, 1, 0, 12, 209, 0],
  ["sideseat/crewai-error.jsonl", "crewai-error-f53559bd", 1, 0, 0, undefined, undefined, 1],
  [
    "sideseat/crewai-mcp-structured.jsonl",
    "977fb89d5cf14b46ea93e7c51ff499c1",
    1,
    0,
    2,
    undefined,
    undefined,
    0,
  ],
  ["sideseat/crewai-tools.jsonl", "crewai-tool_use-5d2a7e55", 4, 0, 8, undefined, undefined, 0],
  ["sideseat/vercel-ai-sdk-1.jsonl", "c252b1079e84aa1f34e47ed0271eb11a", 1, 1, 0, undefined, undefined, 1],
  ["sideseat/vercel-ai-sdk-1.jsonl", "948ef38076b8c5fcfb5f5632f1b6a2f8", 1, 2, 3, 3_085, 571, 0],
  ["sideseat/vercel-ai-sdk-2.jsonl", "9c77e7eb5c7a067ab6a6a6ed8c4a12cd", 1, 3, 2, 2_361, 263, 0],
  ["sideseat/vercel-ai-sdk-2.jsonl", "bcd132f8c3713188187960cf33ce61d1", 1, 1, 0, 36, 0, 0],
];

/** A trace of two services: an agent in Python ran Claude Code, and the calls belong to that one. */
const TENANTS: Readonly<Record<string, string>> = { "litellm/claude_agent_sdk_simple.json": "claude-code" };

/** Sessions by tenant: those that spans name, and traces with an agent or a call that name none. */
const SESSIONS: Readonly<Record<string, number>> = {
  "litellm/claude_agent_sdk_simple.json": 2,
  "kagua/openllmetry-langchain.json": 9,
  "sideseat/crewai-error.jsonl": 2,
  "sideseat/crewai-mcp-structured.jsonl": 3,
  "sideseat/vercel-ai-sdk-1.jsonl": 5,
  "sideseat/vercel-ai-sdk-2.jsonl": 18,
};

/** The first text of a person in a span: the description of a crew's task, or the prompt of a model. */
const TITLES: readonly [file: string, title: string][] = [
  ["sideseat/crewai-error.jsonl", "What is 2 + 2?"],
  ["sideseat/crewai-mcp-structured.jsonl", "Calculate an expression for me: What is 12345 plus 6789?"],
  ["sideseat/crewai-tools.jsonl", "Provide a 3-day weather forecast for New York City."],
  ["clew/dump_otlp.json", "주제: 테스트 주제"],
];

async function withFile<T>(
  file: string,
  work: (source: ReturnType<typeof createOtlpDataSource>) => Promise<T>,
): Promise<T> {
  const source = createOtlpDataSource({ directory: path.join(DATA, file), threads: false });
  try {
    return await work(source);
  } finally {
    await source.close?.();
  }
}

describeShared("golden summaries of OTLP exports", () => {
  it.each(COUNTED)("%s %s", (file, session, turns, calls, tools, input, output, errors) =>
    withFile(file, async (source) => {
      const sessions = (await source.listSessions()).filter(({ sessionId }) => sessionId === session);
      const tenantId = TENANTS[file] ?? sessions[0]!.tenantId;
      const summary = await summaryOf(source, tenantId, session);
      const { tokens } = summary;
      expect({
        turns: [summary.turns, summary.rootTurns],
        calls: summary.modelCalls,
        tools: summary.toolCalls.length,
        agents: summary.agents,
        input: tokens && tokens.inputTokens + tokens.cacheReadTokens,
        output: tokens?.outputTokens,
        errors: summary.errors,
      }).toEqual({ turns: [turns, turns], calls, tools, agents: [], input, output, errors });
    }),
  );

  it.each(realFiles())("%s has the sessions that were counted", (file) =>
    withFile(file, async (source) => {
      const page = await source.findSessions!({});
      expect(page.warnings).toEqual([]);
      expect(page.items.length).toBe(SESSIONS[file] ?? 1);
    }),
  );

  it.each(TITLES)("%s is called by what was asked: %s", (file, title) =>
    withFile(file, async (source) => {
      const titles = (await source.listSessions()).map((session) => session.title);
      expect(titles).toContain(title);
      if (file.includes("crewai")) expect(titles).not.toContain(undefined);
    }),
  );

  it("a trace that lies in two files is one session", () =>
    withFile("sideseat", async (source) => {
      const trace = await source.loadTraceEnvelopes("crewAI-telemetry", "crewai-mcp_tools-00ceca6c");
      const names = trace.filter(({ event }) => event.type === "span").map(({ event }) => event.name);
      // The creation is in crewai-tools.jsonl, the rest in crewai-mcp-structured.jsonl.
      expect(names.sort()).toEqual([
        "Calculator",
        "Crew Created",
        "Task Created",
        "Task Execution",
        "Tool Usage",
        "crewai.session",
      ]);
    }));

  it.each(realFiles())("%s keeps the attributes of spans, but for what was said", (file) =>
    withFile(file, async (source) => {
      const kept = new Map<string, Set<string>>();
      for (const { tenantId, sessionId } of await source.listSessions()) {
        for (const envelope of await source.loadTraceEnvelopes(tenantId, sessionId)) {
          const { type, attributes } = envelope.event;
          const names = Object.keys(attributes ?? {});
          for (const name of names) kept.set(name, (kept.get(name) ?? new Set()).add(type));
        }
      }
      const text = readFileSync(path.join(DATA, file), "utf8");
      const told = new Set([...text.matchAll(/"key":\s*"([^"]+)"/g)].map(([, name]) => name!));
      const lost = [...told].filter(
        (name) => !kept.has(name) && !SAID.test(name) && !isOfResource(text, name),
      );
      expect(lost).toEqual(file.startsWith("assay/") ? OF_NO_AGENT : []);
    }),
  );
});

/** Of the span of the harness, whose trace has no agent and no call. */
const OF_NO_AGENT = ["assay.measurement.boundary", "gen_ai.provider.name"];

/** Inputs and outputs of models, tools and agents. */
const SAID =
  /^(gen_ai\.((in|out)put\.messages|system_instructions|(prompt|completion)|tool\.call\.(arguments|result))|llm\.((in|out)put_messages|prompts)|(in|out)put\.value|ai\.(prompt|response\.(text|object|toolCalls|reasoning)|toolCall\.(args|result))|traceloop\.entity\.(in|out)put|user_prompt|new_context|response\.model_output|gcp\.vertex\.agent\.llm_(request|response)|tool_(arguments|response)|final_result|tool\.parameters)/;

/** Attributes of resources and of span events are not attributes of a span. */
function isOfResource(text: string, name: string): boolean {
  return !spanAttributes(text).has(name);
}

function spanAttributes(text: string): Set<string> {
  const requests = text
    .trim()
    .split(/\n(?=\{"resourceSpans)/)
    .map((one) => JSON.parse(one) as JsonObject);
  return new Set(
    requests.flatMap((one) => requestSpans(one)).flatMap(({ attributes }) => Object.keys(attributes)),
  );
}
