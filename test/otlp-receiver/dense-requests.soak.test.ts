import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { MAX_VALUES } from "../../src/adapters/otlp-receiver/protobuf-spans.js";
import { MAX_PARTS } from "../../src/adapters/otlp-receiver/span-lines.js";
import { receive } from "./support/receive.js";
import {
  bytesOf,
  field,
  JSON_TYPE,
  messageIn,
  PROTOBUF,
  protobufOf,
  protobufSpans,
  requestOf,
  spanIdOf,
  spanOf,
  traceIdOf,
} from "./support/requests.js";

const EMPTY = Buffer.alloc(0);
const ids = Buffer.concat([
  field(1, Buffer.from(bytesOf(traceIdOf(0)))),
  field(2, Buffer.from(bytesOf(spanIdOf(0)))),
]);

function repeated(unit: Buffer, count: number): Buffer {
  return Buffer.alloc(unit.length * count, unit);
}

function spanWith(fields: Buffer): Buffer {
  return field(1, field(2, field(2, Buffer.concat([ids, fields]))));
}

function around(resource: Buffer, scope: Buffer): Buffer {
  const scopeSpans = field(2, Buffer.concat([field(1, scope), field(2, ids)]));
  return field(1, Buffer.concat([field(1, resource), scopeSpans]));
}

const listOf = (type: "array" | "kvlist", values: Buffer) =>
  field(9, field(2, field(type === "array" ? 5 : 6, values)));

const OF_VALUES: Record<string, (count: number) => Buffer> = {
  "attributes of a span": (count) => spanWith(repeated(field(9, EMPTY), count)),
  "events of a span": (count) => spanWith(repeated(field(11, EMPTY), count)),
  "links of a span": (count) => spanWith(repeated(field(13, EMPTY), count)),
  "elements of an array": (count) => spanWith(listOf("array", repeated(field(1, EMPTY), count - 3))),
  "elements of a list of keys and values": (count) =>
    spanWith(listOf("kvlist", repeated(field(1, EMPTY), count - 3))),
  "attributes of an event": (count) => spanWith(field(11, repeated(field(3, EMPTY), count - 1))),
  "attributes of a resource": (count) => around(repeated(field(1, EMPTY), count - 1), EMPTY),
  "texts of a resource's entity": (count) => around(field(3, repeated(field(3, EMPTY), count - 2)), EMPTY),
  "attributes of a scope": (count) => around(EMPTY, repeated(field(3, EMPTY), count - 1)),
};

/** Values of the ids, which count as well. */
const BESIDE = { span: 2, other: 0 };

it.each(Object.entries(OF_VALUES))("%s are taken up to a number, and are 413 beyond it", async (name, of) => {
  const { post, spans, text, errors } = receive();
  const send = (count: number) =>
    post(new Uint8Array(gzipSync(of(count))), { "Content-Type": PROTOBUF, "Content-Encoding": "gzip" });
  const most = MAX_VALUES - (/resource|scope/.test(name) ? BESIDE.other : BESIDE.span);
  const refused = await send(most + 1);
  expect([refused.status, await messageIn(refused)]).toEqual([
    413,
    { code: 8, message: expect.stringContaining(`at most ${MAX_VALUES} messages and texts`) },
  ]);
  expect(text()).toBe("");
  expect((await send(most)).status).toBe(200);
  expect(spans()).toHaveLength(1);
  expect(errors).toEqual([]);
});

const OF_PARTS: Record<string, (count: number) => [body: Buffer | string, type: string]> = {
  "resources in protobuf": (count) => [repeated(field(1, EMPTY), count), PROTOBUF],
  "scopes in protobuf": (count) => [field(1, repeated(field(2, EMPTY), count - 1)), PROTOBUF],
  "spans in protobuf": (count) => [field(1, field(2, repeated(field(2, EMPTY), count - 2))), PROTOBUF],
  "resources in JSON": (count) => [`{"resourceSpans":[${objects(count)}]}`, JSON_TYPE],
  "scopes in JSON": (count) => [`{"resourceSpans":[{"scopeSpans":[${objects(count - 1)}]}]}`, JSON_TYPE],
  "spans in JSON": (count) => [
    `{"resourceSpans":[{"scopeSpans":[{"spans":[${objects(count - 2)}]}]}]}`,
    JSON_TYPE,
  ],
};

const objects = (count: number) => Array.from({ length: count }, () => "{}").join();

it.each(Object.entries(OF_PARTS))("%s are taken up to a number, and are 413 beyond it", async (_, of) => {
  const { post, text, errors } = receive();
  const send = (count: number) => {
    const [body, type] = of(count);
    const headers = { "Content-Type": type, "Content-Encoding": "gzip" };
    return post(new Uint8Array(gzipSync(body)), headers);
  };
  const refused = await send(MAX_PARTS + 1);
  const problem = refused.headers.get("Content-Type") === PROTOBUF ? messageIn(refused) : refused.json();
  expect([refused.status, await problem]).toEqual([
    413,
    { code: 8, message: expect.stringContaining(`at most ${MAX_PARTS} resources, scopes and spans`) },
  ]);
  expect((await send(MAX_PARTS)).status).toBe(200);
  expect(text()).toBe("");
  expect(errors).toEqual([]);
});

it("Fields that the protocol does not have are passed over, however many", async () => {
  const { post, spans } = receive();
  const field200 = Buffer.of(0xc2, 0x0c, 0);
  const fields = repeated(field200, 2 * MAX_VALUES);
  expect((await post(new Uint8Array(spanWith(fields)), { "Content-Type": PROTOBUF })).status).toBe(200);
  expect(spans()).toEqual([{ traceId: traceIdOf(0), spanId: spanIdOf(0) }]);
});

it("A span that reaches each of the SDKs' default limits is taken", async () => {
  const { post, spans } = receive();
  const attributes = Array.from({ length: 128 }, (_, n) => ({
    key: `key ${n}`,
    value: { stringValue: `value ${n}` },
  }));
  const link = { traceId: bytesOf(traceIdOf(1)), spanId: bytesOf(spanIdOf(1)), attributes };
  const links = Array.from({ length: 128 }, () => link);
  const events = Array.from({ length: 128 }, (_, n) => ({ name: `event ${n}`, attributes }));
  const body = protobufSpans([0], { attributes, events, links });
  expect((await post(body, { "Content-Type": PROTOBUF })).status).toBe(200);
  expect(spans()[0]!.events).toHaveLength(128);
});

it.each(["protobuf", "json"])("A batch of 500 spans with long messages is taken in %s", async (encoding) => {
  const { post, spans } = receive();
  const messages = JSON.stringify([
    { role: "user", parts: [{ type: "text", content: "Why? ".repeat(4_000) }] },
  ]);
  const attributes = [{ key: "gen_ai.input.messages", value: { stringValue: messages } }];
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  const answer =
    encoding === "json"
      ? await post(JSON.stringify(requestOf(numbers.map((n) => spanOf(n, { attributes })))))
      : await post(protobufSpans(numbers, { attributes }), { "Content-Type": PROTOBUF });
  expect(answer.status).toBe(200);
  expect(spans()).toHaveLength(500);
  expect(spans()[499]!.attributes).toEqual(attributes);
});

it("A long resource is written with each span, whatever scopes they are in", async () => {
  const { post, spans } = receive();
  const resource = { attributes: [{ key: "k", value: { stringValue: "x".repeat(10_000) } }] };
  const scopeSpans = [1, 2].map((n) => ({
    scope: { name: `scope ${n}` },
    spans: [{ traceId: bytesOf(traceIdOf(n)), spanId: bytesOf(spanIdOf(n)) }],
  }));
  const answer = await post(protobufOf({ resourceSpans: [{ resource, scopeSpans }] }), {
    "Content-Type": PROTOBUF,
  });
  expect(answer.status).toBe(200);
  expect(spans().map(({ spanId }) => spanId)).toEqual([1, 2].map(spanIdOf));
});
