import { agent, call, jsonLines, requestFrom, span, tool, traceId } from "../../otlp/support/spans.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const messages = (role: string, text: string) =>
  JSON.stringify([{ role, parts: [{ type: "text", content: text }] }]);
const spoken = (prompt: string, answer: string) => ({
  "gen_ai.input.messages": messages("user", prompt),
  "gen_ai.output.messages": messages("assistant", answer),
});

const USED = {
  "gen_ai.usage.input_tokens": 100,
  "gen_ai.usage.cache_read.input_tokens": 40,
  "gen_ai.usage.output_tokens": 10,
};
const OWN = { "gen_ai.conversation.id": "count" };

/** The agent comes last, as its span ends last. */
function turn(trace: number, from: number, prompt: string, answer: string, error?: string): object[] {
  const parent = from * 10;
  const attributes = { ...OWN, ...USED };
  const failure = error === undefined ? {} : { error };
  return [
    call({
      trace,
      parent,
      id: parent + 1,
      from: from + 1,
      to: from + 2,
      attributes: { ...attributes, ...spoken(prompt, "I look.") },
    }),
    tool({ trace, parent, id: parent + 2, from: from + 3, to: from + 4, attributes: OWN, ...failure }),
    call({
      trace,
      parent,
      id: parent + 3,
      from: from + 5,
      to: from + 6,
      attributes: { ...attributes, ...spoken(prompt, answer) },
    }),
    agent({ trace, id: parent, from, to: from + 7, attributes: { ...OWN, ...spoken(prompt, answer) } }),
  ];
}

const sent = (spans: readonly object[]) =>
  jsonLines(...spans.map((one) => requestFrom({ "service.name": "shop" }, one)));

const PENS = span({
  trace: 3,
  id: 99,
  name: "chat m",
  from: 30,
  to: 33,
  attributes: {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    ...USED,
    ...spoken(STORY.task, STORY.three),
  },
});

export const OTLP: InventedHistory = {
  kind: "otlp",
  files: {
    "traces.jsonl":
      sent(turn(1, 1, STORY.first, STORY.seven)) +
      TORN +
      sent(turn(2, 11, STORY.second, STORY.none, "No such file")),
    "pens.json": JSON.stringify(requestFrom({ "service.name": "shop" }, PENS)),
  },
  // The line that is cut off names no session.
  problems: 1,
  sessions: [
    {
      tenantId: "shop",
      sessionId: "count",
      title: STORY.first,
      model: "m",
      lastAnswer: STORY.none,
      turns: ["completed", "completed"],
      // Each call reads 100 tokens, 40 of them cached, and writes 10.
      calls: 4,
      tokens: [240, 40, 160, 0],
      tools: { look: 2 },
      failedTools: 1,
      errors: 1,
      // Of each turn the prompt, and the answers of two calls.
      messages: 6,
    },
    {
      tenantId: "shop",
      sessionId: traceId(3),
      title: STORY.task,
      model: "m",
      lastAnswer: STORY.three,
      // A trace with calls and no agent is a turn.
      turns: ["completed"],
      calls: 1,
      tokens: [60, 10, 40, 0],
      tools: {},
      failedTools: 0,
      errors: 0,
      messages: 2,
    },
  ],
};
