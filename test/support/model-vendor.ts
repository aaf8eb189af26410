import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type VendorAnswer =
  | { readonly json: object; readonly status?: number }
  /** After its events it stays `open`, breaks off (`torn`) or ends. */
  | { readonly events: readonly object[]; readonly after?: "end" | "open" | "torn" }
  | { readonly status: number; readonly error: object }
  /** Not JSON, although its content type is. */
  | { readonly text: string };

export interface ModelVendor {
  readonly url: string;
  readonly requests: { readonly path: string; readonly body: { readonly [name: string]: unknown } }[];
}

export async function modelVendor(answers: readonly VendorAnswer[]): Promise<ModelVendor> {
  const requests: ModelVendor["requests"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = answers[requests.length];
    requests.push({ path: request.url ?? "", body: JSON.parse(Buffer.concat(chunks).toString()) });
    if (answer === undefined) throw new Error("The vendor was asked more often than it has answers.");
    give(response, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function give(response: ServerResponse, answer: VendorAnswer): void {
  response.setHeader("request-id", "req_1").setHeader("x-request-id", "req_1");
  if ("events" in answer) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of answer.events) {
      const type = "type" in event ? `event: ${event.type}\n` : "";
      response.write(`${type}data: ${JSON.stringify(event)}\n\n`);
    }
    if (answer.after === "torn")
      setTimeout(() => response.destroy(), 20); // flushes earlier chunks first
    else if (answer.after !== "open") response.end();
    return;
  }
  const status = "status" in answer ? answer.status : 200;
  response.writeHead(status ?? 200, { "content-type": "application/json", "retry-after-ms": "1" });
  if ("text" in answer) response.end(answer.text);
  else response.end(JSON.stringify("error" in answer ? answer.error : answer.json));
}

type Block = { readonly type: string; readonly [name: string]: unknown };

export function anthropicMessage(content: readonly Block[], stop_reason = "end_turn") {
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    cache_creation_input_tokens: 4,
    cache_read_input_tokens: 100,
    cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 3 },
  };
  const base = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-opus-4-5",
    stop_sequence: null,
  };
  return { ...base, content, stop_reason, usage };
}

export function anthropicEvents(content: readonly Block[], stop_reason = "end_turn"): readonly object[] {
  const message = anthropicMessage(content, stop_reason);
  const { output_tokens, ...usage } = message.usage;
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  return [
    { type: "message_start", message: start },
    { type: "ping" },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: emptyBlock(block) },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: "message_stop" },
  ];
}

function emptyBlock(block: Block): object {
  if (block.type === "tool_use") return { ...block, input: {} };
  return block.type === "thinking"
    ? { type: "thinking", thinking: "", signature: "" }
    : { type: "text", text: "" };
}

function deltasOf(block: Block): readonly object[] {
  if (block.type === "tool_use") {
    const text = JSON.stringify(block.input);
    return [text.slice(0, 5), text.slice(5)].map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
  }
  if (block.type === "thinking")
    return [
      { type: "thinking_delta", thinking: block.thinking },
      { type: "signature_delta", signature: block.signature },
    ];
  const text = String(block.text);
  return [text.slice(0, 3), text.slice(3)].map((part) => ({ type: "text_delta", text: part }));
}

const CHAT_USAGE = {
  prompt_tokens: 110,
  completion_tokens: 5,
  total_tokens: 115,
  prompt_tokens_details: { cached_tokens: 100 },
};

export function chatCompletion(message: object, finish_reason = "stop") {
  const choices = [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }];
  return { id: "c1", object: "chat.completion", created: 1, model: "gpt-4o", choices, usage: CHAT_USAGE };
}

export function chatChunks(deltas: readonly object[], finish_reason = "stop"): readonly object[] {
  const base = { id: "c1", object: "chat.completion.chunk", created: 1, model: "gpt-4o" };
  const chunk = (delta: object, end: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: end }],
    usage: null,
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, finish_reason),
    { ...base, choices: [], usage: CHAT_USAGE },
  ];
}

export function openAiResponse(output: readonly object[], more: object = {}) {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "gpt-4o",
    output,
    usage: {
      input_tokens: 110,
      input_tokens_details: { cached_tokens: 100 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 115,
    },
    ...more,
  };
}

export const outputText = (text: string) => ({
  type: "message",
  id: "m1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
