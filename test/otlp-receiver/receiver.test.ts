import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { SpanStore } from "../../src/application/ports/span-store.js";
import { createOtlpReceiver } from "../../src/otlp-receiver.js";
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
  spansIn,
  traceIdOf,
} from "./support/requests.js";

const json = (request: unknown) => JSON.stringify(request);

describe("a receiver of OTLP in protobuf", () => {
  it("writes a line of OTLP JSON for each span: digits for 64 bits, hexadecimal ids, numbers of enumerations", async () => {
    const { post, text } = receive();
    const resource = { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] };
    const span = {
      traceId: bytesOf(traceIdOf(1)),
      spanId: bytesOf(spanIdOf(1)),
      parentSpanId: bytesOf(spanIdOf(2)),
      name: "chat",
      kind: 3,
      flags: 257,
      startTimeUnixNano: "1700000000123456789",
      endTimeUnixNano: "18446744073709551615",
      status: { code: 2, message: "late" },
      links: [{ traceId: bytesOf(traceIdOf(3)), spanId: bytesOf(spanIdOf(3)) }],
      events: [{ timeUnixNano: "1700000000123456790", name: "e" }],
      attributes: [
        { key: "i", value: { intValue: "-9223372036854775808" } },
        { key: "zero", value: { intValue: 0 } },
        { key: "d", value: { doubleValue: Number.NaN } },
        { key: "empty", value: { stringValue: "" } },
        { key: "b", value: { bytesValue: Uint8Array.of(0xff, 0xfe) } },
        { key: "a", value: { arrayValue: { values: [{ boolValue: false }] } } },
      ],
    };
    const scopeSpans = [{ scope: { name: "py" }, schemaUrl: "https://schema/1", spans: [span] }];
    const answer = await post(protobufOf({ resourceSpans: [{ resource, scopeSpans, schemaUrl: "u" }] }), {
      "Content-Type": PROTOBUF,
    });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, PROTOBUF]);
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
    const written = {
      ...{ traceId: traceIdOf(1), spanId: spanIdOf(1), parentSpanId: spanIdOf(2), name: "chat", kind: 3 },
      ...{ flags: 257, startTimeUnixNano: "1700000000123456789", endTimeUnixNano: "18446744073709551615" },
      status: { code: 2, message: "late" },
      links: [{ traceId: traceIdOf(3), spanId: spanIdOf(3) }],
      events: [{ timeUnixNano: "1700000000123456790", name: "e" }],
      attributes: [
        { key: "i", value: { intValue: "-9223372036854775808" } },
        { key: "zero", value: { intValue: "0" } },
        { key: "d", value: { doubleValue: "NaN" } },
        { key: "empty", value: { stringValue: "" } },
        { key: "b", value: { bytesValue: "//4=" } },
        { key: "a", value: { arrayValue: { values: [{ boolValue: false }] } } },
      ],
    };
    expect(text().endsWith("\n")).toBe(true);
    expect(JSON.parse(text())).toEqual({
      resourceSpans: [
        {
          resource,
          schemaUrl: "u",
          scopeSpans: [{ scope: { name: "py" }, schemaUrl: "https://schema/1", spans: [written] }],
        },
      ],
    });
  });

  it("writes a line a span, in the order of the request, whatever resource and scope they are of", async () => {
    const { post, text } = receive();
    const of = (n: number) => ({ traceId: bytesOf(traceIdOf(n)), spanId: bytesOf(spanIdOf(n)) });
    const request = {
      resourceSpans: [
        { scopeSpans: [{ spans: [of(0), of(1)] }, { scope: { name: "b" }, spans: [of(2)] }] },
        { resource: {}, scopeSpans: [{ spans: [of(3)] }] },
        {},
      ],
    };
    expect((await post(protobufOf(request), { "Content-Type": PROTOBUF })).status).toBe(200);
    expect(spansIn(text()).map(({ spanId }) => spanId)).toEqual([0, 1, 2, 3].map(spanIdOf));
  });

  it("rejects spans without ids, and says how many in protobuf", async () => {
    const { post, spans } = receive();
    const good = { traceId: bytesOf(traceIdOf(7)), spanId: bytesOf(spanIdOf(7)) };
    const bad = [
      {},
      { ...good, spanId: new Uint8Array(8) },
      { ...good, traceId: bytesOf("ab") },
      { ...good, traceId: new Uint8Array(16) },
    ];
    const answer = await post(protobufOf(requestOf([...bad, good])), { "Content-Type": PROTOBUF });
    expect(answer.status).toBe(200);
    expect(await messageIn(answer)).toEqual({
      partialSuccess: { rejectedSpans: "4", errorMessage: expect.stringMatching(/traceId of 16 bytes/) },
    });
    expect(spans().map(({ spanId }) => spanId)).toEqual([spanIdOf(7)]);
  });

  it("answers 400 with a google.rpc.Status to what is none, and writes nothing of it", async () => {
    const { post, text, errors } = receive();
    const whole = protobufSpans([1, 2]);
    const torn = whole.slice(0, -3);
    const badText = protobufOf(requestOf([{ traceId: bytesOf(traceIdOf(1)), name: "XYZ" }]));
    badText[Buffer.from(badText).indexOf("XYZ")] = 0xff;
    for (const body of [torn, "{}", new Uint8Array([0x0a, 0xff]), badText]) {
      const answer = await post(body, { "Content-Type": PROTOBUF });
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([400, PROTOBUF]);
      expect(await messageIn(answer)).toEqual({
        code: 3,
        message: expect.stringMatching(/cannot be decoded/),
      });
    }
    expect(text()).toBe("");
    expect(errors).toEqual([]);
  });

  it("takes values that are nested, up to a depth, and answers 400 beyond it", async () => {
    const { post, spans, errors } = receive();
    const statuses: number[] = [];
    for (let depth = 1; depth < 120; depth++) {
      const body = spanWithValue(nestedValue(depth));
      statuses.push((await post(body, { "Content-Type": PROTOBUF })).status);
    }
    const deepest = statuses.indexOf(400);
    expect(deepest).toBeGreaterThan(30);
    expect(statuses).toEqual(statuses.map((_, i) => (i < deepest ? 200 : 400)));
    expect(spans()).toHaveLength(deepest);
    expect(errors).toEqual([]);
  });

  it("takes a request without spans", async () => {
    const { post, text } = receive();
    expect((await post(new Uint8Array(0), { "Content-Type": PROTOBUF })).status).toBe(200);
    expect((await post("{}")).status).toBe(200);
    expect(text()).toBe("");
  });
});

describe("a receiver of OTLP in JSON", () => {
  it("writes each span as it came, without losing digits or unknown members", async () => {
    const { post, text } = receive();
    const span = `{"traceId":"${traceIdOf(1).toUpperCase()}","spanId":"${spanIdOf(1)}","startTimeUnixNano":1700000000123456789,"neu":{"x":[1e400]}}`;
    const body = `{"resourceSpans":[{"a":1,"resource":{"attributes":[]},\n"scopeSpans" : [{"scope":{"name":"x\\n"},\n\n"spans":\n[ ${span} ],"z":0}],"y":2}],"other":true}`;
    const answer = await post(body);
    expect([answer.status, answer.headers.get("Content-Type"), await answer.json()]).toEqual([
      200,
      JSON_TYPE,
      {},
    ]);
    expect(text()).toBe(
      `{"resourceSpans":[{"a":1,"resource":{"attributes":[]}, "scopeSpans" : [{"scope":{"name":"x\\n"},  "spans": [${span} ],"z":0}],"y":2}]}\n`,
    );
  });

  it("rejects what is no span, counts it, and writes the others", async () => {
    const { post, spans } = receive();
    const answer = await post(
      json(
        requestOf([spanOf(0), 5, null, "x", [], {}, { traceId: 1 }, spanOf(1, { spanId: "zz" }), spanOf(2)]),
      ),
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      partialSuccess: {
        rejectedSpans: "7",
        errorMessage: expect.stringContaining("A span is a JSON object."),
      },
    });
    expect(spans().map(({ name }) => name)).toEqual(["span 0", "span 2"]);
  });

  it("warns where the names are not those of the standard, because nothing is recorded then", async () => {
    const { post, text } = receive();
    const answer = await post(json({ resource_spans: [{ scope_spans: [{ spans: [spanOf(0)] }] }] }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      partialSuccess: { rejectedSpans: "0", errorMessage: expect.stringContaining("no resourceSpans") },
    });
    expect(text()).toBe("");
  });

  it.each([
    ["", "no JSON"],
    ["[]", "no object"],
    ['{"resourceSpans":[}', "no JSON"],
    ['{"resourceSpans":{}}', "no array"],
    ['{"resourceSpans":[7]}', "no object"],
    ['{"resourceSpans":[{"scopeSpans":[{"spans":"x"}]}]}', "no array"],
    [Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), "UTF-8"],
  ])("answers 400 to %s", async (body, problem) => {
    const { post, text } = receive();
    const answer = await post(body);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([400, JSON_TYPE]);
    expect(await answer.json()).toEqual({ code: 3, message: expect.stringContaining(problem) });
    expect(text()).toBe("");
  });

  it("takes null for a list that is not there", async () => {
    expect((await receive().post('{"resourceSpans":null}')).status).toBe(200);
  });
});

describe("the body of a request", () => {
  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ])("is unpacked from %s", async (encoding, pack) => {
    const { post, spans } = receive();
    const headers = { "Content-Encoding": encoding };
    expect((await post(new Uint8Array(pack(json(requestOf([spanOf(0)])))), headers)).status).toBe(200);
    const bytes = new Uint8Array(pack(protobufSpans([1])));
    expect((await post(bytes, { ...headers, "Content-Type": PROTOBUF })).status).toBe(200);
    expect(spans().map(({ name }) => name)).toEqual(["span 0", "span 1"]);
  });

  it("is 400 where it cannot be unpacked, also where it is cut off", async () => {
    const { post } = receive();
    const packed = gzipSync(json(requestOf([spanOf(0)])));
    for (const body of [packed.subarray(0, -5), Buffer.from("no gzip")]) {
      const answer = await post(new Uint8Array(body), { "Content-Encoding": "gzip" });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ code: 3, message: expect.stringContaining("no complete gzip") });
    }
  });

  it("is 413 where it is larger than it may be as it is sent, with and without its length", async () => {
    const { post, text } = receive({ maxRequestBytes: 1_000 });
    const body = json(requestOf([spanOf(0, { pad: "x".repeat(1_000) })]));
    const pieces = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body));
        controller.close();
      },
    });
    const headers = { "Content-Length": String(body.length) };
    expect((await post(body, headers)).status).toBe(413);
    const answer = await post(pieces);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ code: 8, message: expect.stringContaining("1000 bytes") });
    expect(text()).toBe("");
  });

  it("is 413 where it is larger than it may be unpacked", async () => {
    const { post } = receive({ maxUnpackedBytes: 10_000 });
    const packed = new Uint8Array(gzipSync(json(requestOf([spanOf(0, { pad: " ".repeat(10_000) })]))));
    expect(packed.length).toBeLessThan(1_000);
    const answer = await post(packed, { "Content-Encoding": "gzip" });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { code: 8, message: expect.stringContaining("10000 bytes as it is unpacked") },
    ]);
  });

  it.each(["protobuf", "json"])(
    "is 413 where a resource that is repeated in each line of %s would take too much",
    async (encoding) => {
      const { post, text } = receive({ maxUnpackedBytes: 100_000, maxPendingBytes: 100_000 });
      const spans = Array.from({ length: 100 }, (_, n) => spanOf(n));
      const bytes = spans.map((_, n) => ({ traceId: bytesOf(traceIdOf(n)), spanId: bytesOf(spanIdOf(n)) }));
      const around = (items: readonly object[]) => {
        const resource = { attributes: [{ key: "k", value: { stringValue: "x".repeat(10_000) } }] };
        return { resourceSpans: [{ resource, scopeSpans: [{ spans: items }] }] };
      };
      const answer =
        encoding === "json"
          ? await post(json(around(spans)))
          : await post(protobufOf(around(bytes)), { "Content-Type": PROTOBUF });
      expect(answer.status).toBe(413);
      expect(text()).toBe("");
    },
  );

  it("is 415 in another type, or packed in another way, and says in which it may be", async () => {
    const { post } = receive();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/grpc"]) {
      const answer = await post("{}", { "Content-Type": type });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        { code: 3, message: expect.stringContaining(PROTOBUF) },
      ]);
    }
    const packed = await post("{}", { "Content-Encoding": "br" });
    expect([packed.status, packed.headers.get("Accept-Encoding")]).toEqual([415, "gzip, deflate"]);
  });

  it("may name a charset behind its type", async () => {
    const { post } = receive();
    expect((await post("{}", { "Content-Type": "Application/JSON; charset=utf-8" })).status).toBe(200);
  });
});

describe("whoever may not send", () => {
  it.each([
    ["Origin", "https://evil.example"],
    ["Origin", "null"],
    ["Origin", "http://localhost"],
    ["Sec-Fetch-Site", "cross-site"],
    ["Sec-Fetch-Site", "same-site"],
  ])("is a browser, which is known by %s: %s", async (name, value) => {
    const { post, text } = receive();
    const answer = await post(json(requestOf([spanOf(0)])), { [name]: value });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { code: 7, message: "Pages in a browser may not send spans." },
    ]);
    expect(text()).toBe("");
  });

  it("is allowed nothing by a preflight, and reads nothing", async () => {
    const { receiver } = receive();
    for (const method of ["OPTIONS", "GET", "PUT"]) {
      const answer = await receiver.app.request("/v1/traces", {
        method,
        headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
      });
      expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
    }
  });
});

function nestedValue(depth: number): Buffer {
  let value = field(1, Buffer.from("deep"));
  for (let i = 0; i < depth; i++) value = field(5, field(1, value));
  return value;
}

function spanWithValue(value: Buffer): Uint8Array<ArrayBuffer> {
  const ids = [field(1, Buffer.from(bytesOf(traceIdOf(1)))), field(2, Buffer.from(bytesOf(spanIdOf(1))))];
  const span = Buffer.concat([
    ...ids,
    field(9, Buffer.concat([field(1, Buffer.from("k")), field(2, value)])),
  ]);
  return new Uint8Array(field(1, field(2, field(2, span))));
}

function slowStore() {
  const waiting: (() => void)[] = [];
  const kept: Buffer[] = [];
  let held = 0;
  let mostHeld = 0;
  const store: SpanStore = {
    async append(lines) {
      held += lines.length;
      mostHeld = Math.max(mostHeld, held);
      await new Promise<void>((resolve) => waiting.push(resolve));
      kept.push(Buffer.from(lines));
      held -= lines.length;
    },
    close: async () => undefined,
  };
  const goOn = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return {
    store,
    goOn,
    waiting,
    spans: () => spansIn(Buffer.concat(kept).toString()),
    mostHeld: () => mostHeld,
  };
}

describe("a slow disk", () => {
  const MAX = 100_000;
  const limits = { maxPendingBytes: MAX, maxUnpackedBytes: MAX };
  const pad = "x".repeat(9_000);

  it("makes what does not fit 503 with Retry-After, holds no more than it may, and loses nothing that is acknowledged", async () => {
    const disk = slowStore();
    const { post } = receive({ store: disk.store, ...limits });
    const answers = Array.from({ length: 40 }, async (_, n) => {
      const answer = await post(protobufSpans([n], { name: pad }), { "Content-Type": PROTOBUF });
      return { n, answer };
    });
    const refused = answers.map((one) => one.then(({ answer }) => answer.status === 503 && answer));
    // Refusals do not wait for the disk.
    const first = await Promise.race(
      refused.map((one) => one.then((answer) => answer || new Promise<never>(() => {}))),
    );
    expect(first.headers.get("Retry-After")).toBe("1");
    expect(await messageIn(first)).toEqual({
      code: 14,
      message: expect.stringContaining("Send these again"),
    });
    await expect.poll(() => disk.waiting.length).toBeGreaterThan(5);
    const timer = setInterval(disk.goOn, 1);
    const all = await Promise.all(answers);
    clearInterval(timer);
    const taken = all.filter(({ answer }) => answer.status === 200).map(({ n }) => spanIdOf(n));
    expect(taken.length).toBeGreaterThan(5);
    expect(all.filter(({ answer }) => answer.status === 503)).toHaveLength(40 - taken.length);
    expect(
      disk
        .spans()
        .map(({ spanId }) => spanId)
        .sort(),
    ).toEqual(taken.sort());
    expect(disk.mostHeld()).toBeLessThanOrEqual(MAX);
  });

  it("has room again when something is written", async () => {
    const disk = slowStore();
    const { post } = receive({ store: disk.store, ...limits });
    const big = () => post(json(requestOf([spanOf(0, { pad: "x".repeat(60_000) })])));
    const first = big();
    await expect.poll(() => disk.waiting.length).toBe(1);
    expect((await big()).status).toBe(503);
    disk.goOn();
    expect((await first).status).toBe(200);
    const again = big();
    await expect.poll(() => disk.waiting.length).toBe(1);
    disk.goOn();
    expect((await again).status).toBe(200);
  });

  it("is not what bodies take their room for alone: those that are still on their way have theirs", async () => {
    const { post } = receive(limits);
    const body = json(requestOf([spanOf(0, { pad: "x".repeat(60_000) })]));
    let end = () => {};
    const coming = new ReadableStream({
      start: (controller) => {
        end = () => {
          controller.enqueue(Buffer.from(body));
          controller.close();
        };
      },
    });
    const slow = post(coming, { "Content-Length": String(body.length) });
    expect((await post(body, { "Content-Length": String(body.length) })).status).toBe(503);
    end();
    expect((await slow).status).toBe(200);
    expect((await post(body, { "Content-Length": String(body.length) })).status).toBe(200);
  });

  it("has its lines to itself until they are written; then their memory is freed", async () => {
    const given: Uint8Array[] = [];
    const store: SpanStore = {
      append: async (lines) => {
        await new Promise(setImmediate);
        expect(spansIn(Buffer.from(lines).toString())).toHaveLength(1);
        given.push(lines);
      },
      close: async () => undefined,
    };
    for (const threads of [false, 1] as const) {
      const { post } = receive({ store, threads });
      expect((await post(json(requestOf([spanOf(0)])))).status).toBe(200);
      expect((await post(protobufSpans([1]), { "Content-Type": PROTOBUF })).status).toBe(200);
    }
    expect(given.map((lines) => lines.byteLength)).toEqual([0, 0, 0, 0]);
  });

  it("is waited for when the receiver closes, and nothing more is taken", async () => {
    const disk = slowStore();
    const { post, receiver } = receive({ store: disk.store });
    const first = post(json(requestOf([spanOf(0)])));
    await expect.poll(() => disk.waiting.length).toBe(1);
    let isClosed = false;
    const closed = receiver.close().then(() => {
      isClosed = true;
    });
    expect((await post(json(requestOf([spanOf(1)])))).status).toBe(503);
    expect(isClosed).toBe(false);
    disk.goOn();
    await closed;
    expect((await first).status).toBe(200);
  });
});

describe("a disk that fails", () => {
  it("is 503, told to the host, and not to the sender", async () => {
    const failure = new Error("ENOSPC: /home/ada/spans is full");
    const store = { append: () => Promise.reject(failure), close: async () => undefined };
    const { post, errors } = receive({ store });
    const answer = await post(json(requestOf([spanOf(0)])));
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await answer.text()).not.toContain("ada");
    expect(errors).toEqual([failure]);
  });
});

describe("options of a receiver", () => {
  it("name a folder or a store, not both", () => {
    const store = slowStore().store;
    for (const options of [{}, { directory: "" }, { directory: "x", store }])
      expect(() => createOtlpReceiver(options)).toThrow("Name the `directory`");
  });

  it("are limits from 1 up, of which the larger is not less", () => {
    const directory = "x";
    for (const bytes of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => createOtlpReceiver({ directory, maxRequestBytes: bytes })).toThrow(RangeError);
    expect(() => createOtlpReceiver({ directory, maxPendingBytes: 5, maxUnpackedBytes: 6 })).toThrow(
      RangeError,
    );
  });
});
