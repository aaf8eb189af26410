import OpenAI from "openai";
import { SCENARIO } from "./framework-scenario.js";

export type Api = "responses" | "chat";

type Move = keyof typeof SCENARIO.usage;
interface Answer {
  readonly move: Move;
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, input: object])[];
}

/** OpenAI's client without a network: the shared scenario answers. */
export function scriptedOpenAi(): OpenAI {
  const fetch = async (url: unknown, init?: { readonly body?: unknown }) => {
    const request = JSON.parse(String(init?.body)) as Request;
    const api = String(url).endsWith("/responses") ? "responses" : "chat";
    const list = api === "responses" ? request.input : request.messages;
    const answer = answerTo(request.model, Array.isArray(list) ? list : [{ role: "user" }]);
    if (answer === undefined)
      return Response.json({ error: { message: SCENARIO.modelError } }, { status: 400 });
    if (request.stream === true) return streamOf(responseOf(request, answer));
    return Response.json(api === "responses" ? responseOf(request, answer) : completionOf(request, answer));
  };
  return new OpenAI({ apiKey: "none", baseURL: "http://scripted.test", maxRetries: 0, fetch });
}

interface Item {
  readonly type?: string;
  readonly role?: string;
}
interface Request {
  readonly model: string;
  readonly instructions?: string;
  readonly stream?: boolean;
  readonly input?: readonly Item[] | string;
  readonly messages?: readonly Item[];
}

function answerTo(model: string, list: readonly Item[]): Answer | undefined {
  if (model === "sub-model") return { move: "subAgent", text: SCENARIO.subAgent.answer };
  if (model === "handing-over") return { move: "toolCalls", calls: [["transfer_to_second", {}]] };
  if (list.filter(({ role }) => role === "user").length > 1) return undefined;
  const { good, bad, delegate } = SCENARIO.tools;
  const results = list.filter(({ role, type }) => role === "tool" || type === "function_call_output").length;
  if (results === 0)
    return {
      move: "toolCalls",
      calls: [
        [good, { id: 1 }],
        [bad, { id: 1 }],
      ],
    };
  if (results === 2) return { move: "delegation", calls: [[delegate, { input: SCENARIO.subAgent.task }]] };
  return { move: "answer", text: SCENARIO.answer };
}

function responseOf({ model, instructions }: Request, { move, text, calls = [] }: Answer) {
  const { input, cached, output } = SCENARIO.usage[move];
  return {
    id: `response-${move}`,
    object: "response",
    created_at: 1,
    status: "completed",
    model,
    instructions: instructions ?? null,
    output: [
      ...calls.map(([name, input]) => {
        return {
          type: "function_call",
          id: `fc-${name}`,
          call_id: `call-${name}`,
          name,
          arguments: JSON.stringify(input),
          status: "completed",
        };
      }),
      ...(text === undefined
        ? []
        : [
            {
              type: "message",
              id: "m1",
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text, annotations: [] }],
            },
          ]),
    ],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function completionOf({ model }: Request, { move, text = null as never, calls = [] }: Answer) {
  const { input, cached, output } = SCENARIO.usage[move];
  const tool_calls = calls.map(([name, input]) => {
    return { id: `call-${name}`, type: "function", function: { name, arguments: JSON.stringify(input) } };
  });
  const message = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls } : {}) };
  return {
    id: `completion-${move}`,
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    },
  };
}

function streamOf(response: object): Response {
  const event = { type: "response.completed", sequence_number: 0, response };
  const headers = { "Content-Type": "text/event-stream" };
  return new Response(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, { headers });
}
