import { assistant, log, model, sample, span, tool, user } from "../../inspect/support/logs.js";
import { type InventedHistory, STORY } from "./history.js";

const calling = (id: string, name: string) =>
  assistant("", { tool_calls: [{ id, type: "function", function: name, arguments: { cmd: "ls" } }] });
const toolMessage = (id: string, content: string) => ({ role: "tool", content, tool_call_id: id });

const [FIRST, CALL, RESULT] = [user(STORY.first), calling("c1", "bash"), toolMessage("c1", "1 2 3 4 5 6 7")];
const [SEVEN, LOOK, NONE] = [
  assistant(STORY.seven),
  calling("c2", "bash"),
  toolMessage("c2", "No such file"),
];

const COUNT = sample(
  "count",
  [
    model(1, [FIRST], CALL),
    tool(3, "c1", "1 2 3 4 5 6 7"),
    model(9, [FIRST, CALL, RESULT], SEVEN),
    5,
    model(12, [FIRST, CALL, RESULT, SEVEN], LOOK),
    tool(14, "c2", "", { error: { type: "file_not_found", message: "No such file" } }),
    model(20, [FIRST, CALL, RESULT, SEVEN, LOOK, NONE], assistant(STORY.none)),
  ],
  { input: STORY.first, scores: { match: { value: "C" } } },
);

const ASKED = user(STORY.delegated);

const DELEGATE = sample(
  "delegate",
  [
    span(1, "lead", "agent", "lead"),
    model(1, [ASKED], calling("c3", "ask"), { span_id: "lead" }),
    tool(4, "c3", STORY.three, { function: "ask", agent_span_id: "pens", span_id: "lead" }),
    span(4, "c3", "tool", "ask", "lead"),
    span(4, "pens", "agent", "helper", "c3"),
    model(5, [user(STORY.task)], assistant(STORY.three), { span_id: "pens" }),
    model(12, [ASKED, calling("c3", "ask"), toolMessage("c3", STORY.three)], assistant(STORY.three), {
      span_id: "lead",
    }),
  ],
  { input: STORY.delegated },
);

export const INSPECT: InventedHistory = {
  kind: "inspect",
  files: { "one.eval": log([COUNT]), "two.eval": log([DELEGATE]) },
  sessions: [
    {
      tenantId: "one",
      sessionId: "count",
      title: "counting count: C",
      model: "openai/gpt-x",
      lastAnswer: STORY.none,
      turns: ["completed"],
      // Each call reads 100 tokens, 40 of them cached, and writes 10.
      calls: 4,
      tokens: [240, 40, 160, 0],
      tools: { bash: 2 },
      failedTools: 1,
      errors: 1,
      // The last answer is the eighth. An element of `events` that is no object gives no warning.
      messages: 7,
    },
    {
      tenantId: "two",
      sessionId: "delegate",
      title: "counting delegate",
      model: "openai/gpt-x",
      lastAnswer: STORY.three,
      turns: ["completed"],
      // Two of the session, and one of its sub-agent.
      calls: 3,
      tokens: [180, 30, 120, 0],
      tools: { ask: 1 },
      failedTools: 0,
      errors: 0,
      agents: ["agent helper"],
      messages: 4,
    },
  ],
};
