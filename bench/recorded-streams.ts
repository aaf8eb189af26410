import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { createInMemoryInspectorDataSource } from "../src/advanced.js";
import { recordAnthropic } from "../src/anthropic.js";
import { recordOpenAI } from "../src/openai.js";
import { type RecordedSession, SessionRecorder } from "../src/recording.js";
import { type Figure, figure, repeated, spreadOf, within } from "./figures.js";

const EVENTS = 100_000;
/** Streams of each client for one figure. They alternate, so that a busy machine slows both down. */
const TURNS = 3;

type Events = AsyncIterable<unknown>;

interface Streamed {
  readonly name: string;
  readonly open: (session: RecordedSession | undefined) => Promise<Events>;
}

/** Processor time of a recorded stream ÷ the bare client. */
export async function recordedStreams(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const streamed of STREAMED) {
    await overhead(streamed); // warms the compiler up
    const { ratio } = await repeated(1, async () => ({ ratio: await overhead(streamed) }));
    const name = `A stream of ${EVENTS} events, recorded ÷ bare client: ${streamed.name}`;
    figures.push(figure(name, "ratio", ratio, within(1.1)));
  }
  return figures;
}

async function overhead({ open }: Streamed): Promise<number> {
  const bare: number[] = [];
  const recorded: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    bare.push(await processorTime(async () => readAll(await open(undefined))));
    const recorder = new SessionRecorder(createInMemoryInspectorDataSource().sessionStore, {
      onError: console.error,
    });
    const session = await recorder.open();
    recorded.push(
      await processorTime(async () => {
        await readAll(await open(session));
        await session.recordTurn();
        await recorder.flush();
      }),
    );
  }
  return spreadOf(recorded).median / spreadOf(bare).median;
}

async function processorTime(work: () => Promise<void>): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

async function readAll(events: Events): Promise<void> {
  let count = 0;
  for await (const _ of events) count++;
  if (count < EVENTS) throw new Error(`The stream ended after ${count} events.`);
}

const asked = { model: "bench-model", messages: [{ role: "user" as const, content: "Hello" }] };
const TEXT = "word ";

const STREAMED: readonly Streamed[] = [
  {
    name: "Anthropic",
    open: (session) => {
      const bare = new Anthropic({ apiKey: "none", fetch: answering(anthropicEvents()) });
      const client = session === undefined ? bare : recordAnthropic(bare, session);
      return client.messages.create({ ...asked, max_tokens: 1, stream: true });
    },
  },
  {
    name: "OpenAI, chat completions",
    open: (session) => {
      const bare = new OpenAI({ apiKey: "none", fetch: answering(chatChunks()) });
      const client = session === undefined ? bare : recordOpenAI(bare, session);
      return client.chat.completions.create({ ...asked, stream: true });
    },
  },
  {
    name: "OpenAI, responses",
    open: (session) => {
      const bare = new OpenAI({ apiKey: "none", fetch: answering(responseEvents()) });
      const client = session === undefined ? bare : recordOpenAI(bare, session);
      return client.responses.create({ model: "bench-model", input: "Hello", stream: true });
    },
  },
];

/** One event in each chunk, as the servers of vendors send them. */
function answering(events: Iterable<object>): () => Promise<Response> {
  const bytes = new TextEncoder();
  const iterator = events[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const { value, done } = iterator.next();
      if (done === true) return controller.close();
      const type = "type" in value ? `event: ${value.type}\n` : "";
      controller.enqueue(bytes.encode(`${type}data: ${JSON.stringify(value)}\n\n`));
    },
  });
  const headers = { "content-type": "text/event-stream" };
  return async () => new Response(body, { headers });
}

function* anthropicEvents(): Generator<object> {
  const message = { id: "m1", type: "message", role: "assistant", model: "bench-model", content: [] };
  yield { type: "message_start", message: { ...message, usage: { input_tokens: 10, output_tokens: 1 } } };
  yield { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
  for (let i = 0; i < EVENTS; i++)
    yield { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: TEXT } };
  yield { type: "content_block_stop", index: 0 };
  yield { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: EVENTS } };
  yield { type: "message_stop" };
}

function* chatChunks(): Generator<object> {
  const chunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: "bench-model" };
  const choice = (delta: object, finish_reason: string | null) => ({ index: 0, delta, finish_reason });
  yield { ...chunk, choices: [choice({ role: "assistant", content: "" }, null)] };
  for (let i = 0; i < EVENTS; i++) yield { ...chunk, choices: [choice({ content: TEXT }, null)] };
  yield { ...chunk, choices: [choice({}, "stop")] };
  yield { ...chunk, choices: [], usage: { prompt_tokens: 10, completion_tokens: EVENTS } };
}

function* responseEvents(): Generator<object> {
  const response = { id: "r1", object: "response", model: "bench-model", output: [] };
  yield { type: "response.created", response: { ...response, status: "in_progress" } };
  const position = { item_id: "i1", output_index: 0, content_index: 0 };
  for (let i = 0; i < EVENTS; i++) yield { type: "response.output_text.delta", ...position, delta: TEXT };
  const content = [{ type: "output_text", text: TEXT.repeat(EVENTS), annotations: [] }];
  const output = [{ type: "message", id: "i1", role: "assistant", status: "completed", content }];
  yield { type: "response.output_item.done", output_index: 0, item: output[0] };
  const usage = { input_tokens: 10, output_tokens: EVENTS };
  yield { type: "response.completed", response: { ...response, status: "completed", output, usage } };
}
