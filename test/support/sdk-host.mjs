// Uses a vendor's client in ways that go wrong, and prints the host's observations. Arguments: `anthropic` or `openai`, then `bare` or
// `recorded`.
import { setTimeout as nextTimer, setImmediate as nextTurn } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { createInMemoryInspectorDataSource } from "../../dist/src/advanced.js";
import { recordAnthropic } from "../../dist/src/anthropic.js";
import { recordOpenAI } from "../../dist/src/openai.js";
import { SessionRecorder } from "../../dist/src/recording.js";

const [vendor, kind] = process.argv.slice(2);

/** Without a network, a call is over after some turns of the event loop. */
const answers = {
  fails: () => Response.json({ error: { message: "out of order" } }, { status: 500 }),
  "is no JSON": () => new Response("{", { headers: { "content-type": "application/json" } }),
  answers: () => Response.json(VENDORS[vendor].answer),
  streams: () => streamed(VENDORS[vendor].events),
  "is torn": () => streamed(VENDORS[vendor].events.slice(0, 3), new TypeError("terminated")),
  hangs: () => new Promise(() => {}),
};

function streamed(events, error) {
  const lines = events.map(
    (event) => `${event.type ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
  );
  const body = new ReadableStream({
    pull(controller) {
      const line = lines.shift();
      if (line !== undefined) controller.enqueue(new TextEncoder().encode(line));
      else if (error === undefined) controller.close();
      else controller.error(error);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function fetchOf(how) {
  return (_, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      resolve(answers[how]());
    });
}

const usage = { input_tokens: 3, output_tokens: 2 };
const message = { id: "m1", type: "message", role: "assistant", model: "some", content: [], usage };
const chunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: "some" };
const choice = (delta, finish_reason = null) => ({ ...chunk, choices: [{ index: 0, delta, finish_reason }] });
const messages = [{ role: "user", content: "Hi" }];

const VENDORS = {
  anthropic: {
    answer: { ...message, content: [{ type: "text", text: "Hello" }], stop_reason: "end_turn" },
    events: [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
      { type: "message_stop" },
    ],
    make: (fetch) => new Anthropic({ apiKey: "none", authToken: null, maxRetries: 0, fetch }),
    record: recordAnthropic,
    create: (client, body, options) =>
      client.messages.create({ model: "some", max_tokens: 9, messages, ...body }, options),
    helper: (client, options) => client.messages.stream({ model: "some", max_tokens: 9, messages }, options),
    parse: (client) => client.messages.parse({ model: "some", max_tokens: 9, messages }),
  },
  openai: {
    answer: {
      ...chunk,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
    },
    events: [choice({ role: "assistant", content: "" }), choice({ content: "Hello" }), choice({}, "stop")],
    make: (fetch) => new OpenAI({ apiKey: "none", maxRetries: 0, fetch }),
    record: recordOpenAI,
    create: (client, body, options) =>
      client.chat.completions.create({ model: "some", messages, ...body }, options),
    helper: (client, options) => client.chat.completions.stream({ model: "some", messages }, options),
    parse: (client) => client.chat.completions.parse({ model: "some", messages }),
  },
};

const { make, record, create, helper, parse } = VENDORS[vendor];
const stream = { stream: true };
const ignore = () => {};
const nameOf = (error) => `${error?.constructor?.name}: ${error?.message}`;

async function readAll(iterable) {
  const read = [];
  for await (const event of iterable) read.push(event);
  return read;
}

/** Use, vendor's answer, and call of the client. The test compares the results. */
const USES = [
  ["a call that nobody awaits", "fails", (client) => void create(client)],
  ["a call with `then` alone", "fails", (client) => void create(client).then(ignore)],
  ["a call with `finally` alone", "fails", (client) => void create(client).finally(ignore)],
  ["a call that is caught", "fails", (client) => create(client).catch(nameOf)],
  [
    "a call that is caught twice",
    "fails",
    async (client) => {
      const call = create(client);
      return [await call.catch(nameOf), await call.catch(nameOf)];
    },
  ],
  [
    "a call that is caught late",
    "fails",
    async (client) => {
      const call = create(client);
      await turns();
      return call.catch(nameOf);
    },
  ],
  ["`parse()` that nobody awaits", "fails", (client) => void create(client).parse()],
  ["`withResponse()` that nobody awaits", "fails", (client) => void create(client).withResponse()],
  ["`withResponse()` that is caught", "fails", (client) => create(client).withResponse().catch(nameOf)],
  ["`asResponse()` that nobody awaits", "fails", (client) => void create(client).asResponse()],
  ["`asResponse()` that is caught", "fails", (client) => create(client).asResponse().catch(nameOf)],
  [
    "`asResponse()` and the answer",
    "answers",
    async (client) => {
      const call = create(client);
      return [(await call.asResponse()).status, (await call.parse()).id];
    },
  ],
  ["an answer that nobody reads", "is no JSON", (client) => void create(client)],
  ["an answer that is read", "is no JSON", (client) => void create(client).then(ignore)],
  ["an answer that is caught", "is no JSON", (client) => create(client).catch(nameOf)],
  ["the helper that parses, caught", "is no JSON", (client) => parse(client).catch(nameOf)],
  ["the helper that parses, not awaited", "fails", (client) => void parse(client)],
  ["the helper that parses", "answers", async (client) => (await parse(client)).id],
  [
    "a call that is aborted",
    "hangs",
    (client) => {
      const controller = new AbortController();
      create(client, {}, { signal: controller.signal });
      controller.abort();
    },
  ],
  [
    "a call that is aborted and caught",
    "hangs",
    (client) => {
      const controller = new AbortController();
      const call = create(client, {}, { signal: controller.signal });
      controller.abort();
      return call.catch(nameOf);
    },
  ],
  ["a stream that fails and nobody awaits", "fails", (client) => void create(client, stream)],
  ["a stream that fails and is caught", "fails", (client) => create(client, stream).catch(nameOf)],
  ["a stream that nobody reads", "is torn", async (client) => void (await create(client, stream))],
  ["a torn stream", "is torn", async (client) => readAll(await create(client, stream)).catch(nameOf)],
  [
    "a torn stream that nobody awaits",
    "is torn",
    async (client) => void readAll(await create(client, stream)),
  ],
  [
    "a torn stream whose events nobody awaits",
    "is torn",
    async (client) => {
      const iterator = (await create(client, stream))[Symbol.asyncIterator]();
      for (let i = 0; i < 5; i++) iterator.next();
    },
  ],
  ["a stream", "streams", async (client) => readAll(await create(client, stream))],
  [
    "a stream that is read twice",
    "streams",
    async (client) => {
      const opened = await create(client, stream);
      const [first, second] = [opened[Symbol.asyncIterator](), opened[Symbol.asyncIterator]()];
      return [await first.next(), await second.next().catch(nameOf), await readAll(first)];
    },
  ],
  [
    "a stream that is left early",
    "streams",
    async (client) => {
      const opened = await create(client, stream);
      for await (const _ of opened) break;
      return [opened.controller.signal.aborted, await readAll(opened).catch(nameOf)];
    },
  ],
  [
    "a stream whose reader throws",
    "streams",
    async (client) => {
      const opened = await create(client, stream);
      try {
        for await (const _ of opened) throw new Error("of the reader");
      } catch (error) {
        return [nameOf(error), opened.controller.signal.aborted];
      }
    },
  ],
  [
    "an iterator that is returned before it is read",
    "streams",
    async (client) => {
      const opened = await create(client, stream);
      const iterator = opened[Symbol.asyncIterator]();
      return [await iterator.return("early"), await iterator.next(), opened.controller.signal.aborted];
    },
  ],
  [
    "an iterator that is thrown into",
    "streams",
    async (client) => {
      const iterator = (await create(client, stream))[Symbol.asyncIterator]();
      await iterator.next();
      return [await iterator.throw(new Error("into it")).catch(nameOf), await iterator.next()];
    },
  ],
  [
    "an iterator",
    "streams",
    async (client) => {
      const iterator = (await create(client, stream))[Symbol.asyncIterator]();
      const isItself = iterator[Symbol.asyncIterator]() === iterator;
      return [String(iterator), isItself, iterator.next() instanceof Promise, typeof iterator.return];
    },
  ],
  [
    "a stream that is aborted",
    "streams",
    async (client) => {
      const opened = await create(client, stream);
      const read = [];
      for await (const event of opened) {
        read.push(event);
        opened.controller.abort();
      }
      return read;
    },
  ],
  [
    "a stream for two readers",
    "streams",
    async (client) => {
      const [left, right] = (await create(client, stream)).tee();
      return [await readAll(left), await readAll(right)];
    },
  ],
  [
    "a stream as bytes",
    "streams",
    async (client) => {
      return (await create(client, stream)).toReadableStream().getReader().read();
    },
  ],
  ["a helper that fails", "fails", (client) => void helper(client)],
  [
    "a helper that fails, with a listener",
    "fails",
    (client) => {
      return new Promise((resolve) => helper(client).on("error", (error) => resolve(nameOf(error))));
    },
  ],
  ["a helper that fails, awaited", "fails", (client) => helper(client).done().catch(nameOf)],
  ["a helper that fails, read", "fails", (client) => readAll(helper(client)).catch(nameOf)],
  ["a helper that is torn", "is torn", (client) => void helper(client)],
  ["a helper that is torn, awaited", "is torn", (client) => helper(client).done().catch(nameOf)],
  ["a helper that is aborted", "hangs", (client) => void helper(client).abort()],
  [
    "a helper that is aborted, with a listener",
    "hangs",
    (client) => {
      return new Promise((resolve) => {
        helper(client)
          .on("abort", (error) => resolve(nameOf(error)))
          .abort();
      });
    },
  ],
  [
    "a helper that is left early",
    "streams",
    async (client) => {
      const opened = helper(client);
      for await (const _ of opened) break;
      return opened.controller.signal.aborted;
    },
  ],
  [
    "a helper",
    "streams",
    async (client) => {
      const names = [];
      const opened = helper(client);
      for (const name of ["connect", "text", "content", "message", "finalMessage", "error", "abort", "end"])
        opened.on(name, () => names.push(name));
      await opened.done();
      return names;
    },
  ],
];

/** More turns of the event loop, and of its timers, than any answer without a network takes. */
async function turns() {
  for (let i = 0; i < 50; i++) {
    if (i % 10 === 0) await nextTimer(1);
    await nextTurn();
  }
}

const observed = {};
let unhandled = [];
let late = 0;
process.on("unhandledRejection", (reason) => unhandled.push(nameOf(reason)));
process.on("rejectionHandled", () => late++);

for (const [name, how, use] of USES) {
  unhandled = [];
  late = 0;
  const recorder = new SessionRecorder(createInMemoryInspectorDataSource().sessionStore, { onError: ignore });
  const bare = make(fetchOf(how));
  const client = kind === "bare" ? bare : record(bare, await recorder.open());
  let result;
  try {
    result = await use(client);
  } catch (error) {
    result = `threw ${nameOf(error)}`;
  }
  await turns();
  observed[name] = { result, unhandled, late };
}
process.stdout.write(JSON.stringify(observed));
process.exit();
