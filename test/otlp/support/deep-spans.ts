import { agent, call, request, span, tool } from "./spans.js";

const DEPTH = 10_000;

function nested(before: string, after: string, inmost = '"inmost"'): string {
  return before.repeat(DEPTH) + inmost + after.repeat(DEPTH);
}

const text = (value: string) => JSON.stringify({ stringValue: value });
const ARRAY = nested('{"arrayValue":{"values":[', "]}}", text("inmost"));
const LIST = nested('{"kvlistValue":{"values":[{"key":"k","value":', "}]}}", text("inmost"));
const json = (before: string, after: string) => text(nested(before, after));
const indexes = (name: string) => name + ".0".repeat(DEPTH);
const RESULTS = nested('[{"type":"tool_result","content":', "}]");

export const DEEP_ATTRIBUTES: readonly (readonly [
  kind: string,
  attributes: Readonly<Record<string, string>>,
])[] = [
  ["an array", { "gen_ai.input.messages": ARRAY, "input.value": ARRAY, own: ARRAY }],
  ["a list of keys", { "gen_ai.input.messages": LIST, "output.value": LIST, own: LIST }],
  [
    "an array where a number belongs",
    { "gen_ai.usage.input_tokens": `{"intValue":${nested("[", "]")}}`, own: ARRAY },
  ],
  [
    "JSON",
    { "gen_ai.input.messages": json("[", "]"), "input.value": json("[", "]"), metadata: json('{"a":', "}") },
  ],
  [
    "a prompt in prompts",
    { "input.value": json('{"prompt":', "}"), "gen_ai.prompt": json('{"input":', "}") },
  ],
  ["a result in results", { "gen_ai.input.messages": text(`[{"role":"user","content":${RESULTS}}]`) }],
  ["a path of indexes", { [indexes("gen_ai.prompt")]: text("x") }],
  ["a path of parts", { [indexes("llm.input_messages.0.message.contents")]: text("x") }],
];

export function deepRequest(trace: number, attributes: Readonly<Record<string, string>>): string {
  const marked = { mark: "hostile" };
  const spans = [
    agent({ trace, from: 20, to: 29, attributes: marked }),
    span({ id: 2, parent: 1, trace, name: "step", from: 21, to: 22, attributes: marked }),
    call({ id: 3, trace, from: 23, to: 24, attributes: { ...marked, "gen_ai.input.messages": "" } }),
    tool({ id: 4, trace, from: 25, to: 26, attributes: marked }),
  ];
  const more = Object.entries(attributes).map(
    ([key, value]) => `,{"key":${JSON.stringify(key)},"value":${value}}`,
  );
  const mark = JSON.stringify({ key: "mark", value: { stringValue: "hostile" } });
  const event = `"events":[{"name":"gen_ai.choice","attributes":[${mark}${more.join("")}]}]`;
  return JSON.stringify(request(...spans))
    .replaceAll(mark, mark + more.join(""))
    .replaceAll('"status":{}', `"status":{},${event}`);
}
