import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOtlpReceiver, type OtlpReceiverOptions } from "../../src/otlp-receiver.js";
import { serveApp } from "../support/real-server.js";
import { sized } from "../support/soak.js";
import { JSON_TYPE, protobufSpans, requestOf, spanOf, spansIn } from "./support/requests.js";

/** A processor exports them in four batches. */
const SPANS = sized(240, 2_000);

async function serveReceiver(options: OtlpReceiverOptions = {}) {
  const directory = await mkdtemp(path.join(tmpdir(), "otlp-exporters-"));
  const receiver = createOtlpReceiver({ directory, access: () => ({ tenants: "all" }), ...options });
  const app = new Hono();
  app.get("/", (c) => c.text("agent"));
  app.route("/otel", receiver.app);
  const port = await serveApp(app);
  onTestFinished(async () => {
    await receiver.close();
    await rm(directory, { recursive: true, force: true });
  });
  const written = async () => {
    const names = (await readdir(directory)).sort();
    return (await Promise.all(names.map((name) => readFile(path.join(directory, name), "utf8")))).join("");
  };
  return { port, url: `http://127.0.0.1:${port}/otel/v1/traces`, written, receiver };
}

function expectedOf(span: ReadableSpan) {
  const nanoseconds = ([seconds, nanos]: readonly [number, number]) =>
    (BigInt(seconds) * 1_000_000_000n + BigInt(nanos)).toString();
  return {
    traceId: span.spanContext().traceId,
    spanId: span.spanContext().spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    name: span.name,
    start: nanoseconds(span.startTime),
    end: nanoseconds(span.endTime),
    status: span.status.code,
    attributes: Object.entries(span.attributes),
    events: span.events.map(({ name, time }) => [name, nanoseconds(time)]),
    links: span.links.map(({ context }) => context.spanId),
  };
}

interface Value {
  stringValue?: string;
  intValue?: string | number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
}

function plain(value: Value): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(plain);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue;
}

// biome-ignore lint/suspicious/noExplicitAny: a line of a file, whose shape is what is tested
function writtenSpan(span: any): ReturnType<typeof expectedOf> {
  return {
    ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId || undefined },
    name: span.name,
    start: String(span.startTimeUnixNano),
    end: String(span.endTimeUnixNano),
    status: span.status?.code ?? 0,
    attributes: (span.attributes ?? []).map(({ key, value }: { key: string; value: Value }) => [
      key,
      plain(value),
    ]),
    events: (span.events ?? []).map((event: { name: string; timeUnixNano: string }) => [
      event.name,
      String(event.timeUnixNano),
    ]),
    links: (span.links ?? []).map((link: { spanId: string }) => link.spanId),
  };
}

describe.each([
  ["protobuf", ProtobufExporter],
  ["JSON", JsonExporter],
])("the exporter of OpenTelemetry's SDK in %s", (_, Exporter) => {
  it.each(["none", "gzip"])("has every span written as it was sent, packed with %s", async (compression) => {
    const { url, written } = await serveReceiver();
    const exporter = new Exporter({ url, compression: compression as never });
    const sent: ReadableSpan[] = [];
    const provider = new BasicTracerProvider({
      spanProcessors: [
        {
          onStart() {},
          onEnd: (span) => void sent.push(span),
          forceFlush: async () => {},
          shutdown: async () => {},
        },
        new BatchSpanProcessor(exporter, { maxQueueSize: 5_000, maxExportBatchSize: SPANS / 4 }),
      ],
    });
    const tracer = provider.getTracer("test", "1.2");
    const link = {
      context: { traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: TraceFlags.SAMPLED },
    };
    for (let n = 0; n < SPANS; n++) {
      const attributes = { n, ratio: n + 0.5, text: `é ${n} \u2028`, list: ["a", "b"], yes: n % 2 === 0 };
      const span = tracer.startSpan(`span ${n}`, { attributes, links: n % 3 === 0 ? [link] : [] });
      span.addEvent("thought");
      if (n % 5 === 0) span.setStatus({ code: SpanStatusCode.ERROR, message: "late" });
      span.end();
    }
    await provider.forceFlush();
    await provider.shutdown();
    const byId = (a: { spanId: string }, b: { spanId: string }) => (a.spanId < b.spanId ? -1 : 1);
    const lines = await written();
    expect(spansIn(lines).map(writtenSpan).sort(byId)).toEqual(sent.map(expectedOf).sort(byId));
    expect(JSON.parse(lines.slice(0, lines.indexOf("\n")))).toMatchObject({
      resourceSpans: [{ scopeSpans: [{ scope: { name: "test", version: "1.2" } }] }],
    });
  });
});

describe("a receiver behind a real server", () => {
  it("cuts off a bomb while it is unpacked, without holding it", async () => {
    const { url, written } = await serveReceiver();
    const bomb = gzipSync(Buffer.alloc(sized(300_000_000, 1_000_000_000), " "), { level: 1 });
    expect(bomb.length).toBeLessThan(2_000_000);
    const before = process.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 5);
    const headers = { "Content-Type": JSON_TYPE, "Content-Encoding": "gzip" };
    const answer = await fetch(url, { method: "POST", headers, body: new Uint8Array(bomb) });
    clearInterval(timer);
    expect(answer.status).toBe(413);
    expect(most - before).toBeLessThan(200_000_000);
    expect(await written()).toBe("");
  });

  it.each(["with its length", "in pieces"])("answers 413 to a body that is too large, %s", async (how) => {
    const { port } = await serveReceiver({ maxRequestBytes: 100_000 });
    const body = Buffer.from(JSON.stringify(requestOf([spanOf(0, { pad: "x".repeat(20_000_000) })])));
    const status = await new Promise((resolve, reject) => {
      const headers = {
        "Content-Type": JSON_TYPE,
        ...(how === "in pieces" ? {} : { "Content-Length": body.length }),
      };
      const sending = request({ port, path: "/otel/v1/traces", method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      // The server may close the connection while the rest of the body is still being sent.
      sending.on("socket", (socket) => socket.on("error", () => undefined));
      sending.on("error", reject);
      sending.end(body);
    });
    expect(status).toBe(413);
  });

  it("takes the next request on a connection whose last one was refused", async () => {
    const { url } = await serveReceiver({ maxRequestBytes: 1_000 });
    const post = (body: Uint8Array<ArrayBuffer>) =>
      fetch(url, { method: "POST", headers: { "Content-Type": "application/x-protobuf" }, body });
    expect((await post(protobufSpans([0], { name: "x".repeat(2_000) }))).status).toBe(413);
    expect((await post(protobufSpans([1]))).status).toBe(200);
  });

  it("keeps nothing of a request that broke off, and reports no failure", async () => {
    const errors: unknown[] = [];
    const { port, written, receiver } = await serveReceiver({ onError: (error) => errors.push(error) });
    const sending = request({
      ...{ port, path: "/otel/v1/traces", method: "POST" },
      headers: { "Content-Type": JSON_TYPE, "Content-Length": 1_000 },
    });
    sending.on("error", () => undefined);
    sending.write('{"resourceSpans":[');
    await new Promise((resolve) => setTimeout(resolve, 50)); // the server has to have begun to read
    sending.destroy();
    await receiver.close();
    expect(await written()).toBe("");
    expect(errors).toEqual([]);
  });
});
