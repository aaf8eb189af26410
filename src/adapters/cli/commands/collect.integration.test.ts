import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROTOBUF, protobufSpans, spansIn } from "../../../../test/otlp-receiver/support/requests.js";
import { homeFolder, run, start } from "../../../../test/support/command-line.js";
import { spanCount } from "./collect.js";

function countOn(isTTY: boolean) {
  const written: string[] = [];
  return { written, count: spanCount({ isTTY, write: (text) => written.push(text) }) };
}

describe("the count of spans", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("changes in a terminal, a few times a second, and stays there at the end", () => {
    const { written, count } = countOn(true);
    for (let i = 0; i < 1_500; i++) count.add({ spans: 1, rejected: 0 });
    vi.advanceTimersByTime(200);
    count.add({ spans: 0, rejected: 2 });
    count.end();
    expect(written).toEqual([
      "\r1,500 spans received\u001b[K",
      "\r1,500 spans received, 2 rejected\u001b[K",
      "\n",
    ]);
    vi.advanceTimersByTime(1_000);
    expect(written).toHaveLength(3);
  });

  it("is printed nowhere else", () => {
    const { written, count } = countOn(false);
    count.add({ spans: 1, rejected: 0 });
    vi.advanceTimersByTime(1_000);
    count.end();
    expect([written, count.spans]).toEqual([[], 1]);
  });

  it("is not printed where nothing came", () => {
    const { written, count } = countOn(true);
    count.end();
    expect(written).toEqual([]);
  });
});

async function written(directory: string): Promise<string> {
  const names = await readdir(directory);
  return (await Promise.all(names.map((name) => readFile(path.join(directory, name), "utf8")))).join("");
}

/** Starts to collect on free ports, where it receives and where it shows. */
async function collect(...args: string[]) {
  const command = start("collect", "--port", "0", "--ui-port", "0", "--no-open", ...args);
  const [page] = await command.addresses();
  const base = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+)/.exec(command.stdout.text)![1]!;
  const post = (
    body: NonNullable<RequestInit["body"]>,
    more: object = {},
    headers: Record<string, string> = {},
  ) =>
    fetch(`${base}/v1/traces`, {
      method: "POST",
      headers: { "Content-Type": PROTOBUF, ...headers },
      body,
      ...more,
    });
  return { ...command, page: page!, base, post };
}

/** The SDK of OpenTelemetry, which sends spans as they end. */
function tracing(base: string) {
  const exporter = new OTLPTraceExporter({ url: `${base}/v1/traces` });
  return new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
}

describe("agent-inspector collect", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await homeFolder();
  });

  it("keeps what the SDK sends, and says when it is stopped how much lies where", async () => {
    const { base, stdout, stop, ended } = await collect("--data", "spans");
    const provider = tracing(base);
    const spans = Array.from({ length: 20 }, (_, n) => provider.getTracer("t").startSpan(`span ${n}`));
    for (const span of spans) span.end();
    await provider.shutdown();
    const ids = spansIn(await written("spans")).map(({ spanId }) => spanId);
    expect(ids.sort()).toEqual(spans.map((span) => span.spanContext().spanId).sort());
    stop("SIGINT");
    expect(await ended).toBe(0);
    expect(stdout.text).toContain(`OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`);
    expect(stdout.text.trimEnd().split("\n").at(-1)).toBe(
      "20 spans came and lie in ~/spans. Show them again: agent-inspector ~/spans",
    );
  });

  it("shows a session while its spans come", async () => {
    const { base, page } = await collect("--data", "spans");
    const provider = tracing(base);
    const attributes = { "gen_ai.operation.name": "invoke_agent", "session.id": "s1" };
    const listed = async () => {
      const answer = await fetch(`${page}__inspector/sessions`);
      const { sessions } = (await answer.json()) as { sessions: { sessionId: string; turns: number }[] };
      return sessions.map(({ sessionId, turns }) => [sessionId, turns]);
    };
    expect(await listed()).toEqual([]);
    for (let turns = 1; turns <= 3; turns++) {
      provider.getTracer("agent").startSpan("invoke_agent", { attributes }).end();
      await provider.forceFlush();
      await expect.poll(listed, { timeout: 20_000 }).toEqual([["s1", turns]]);
    }
    await provider.shutdown();
  });

  it("keeps them among the user's data unless it is told where", async () => {
    const { post } = await collect();
    expect((await post(protobufSpans([0]))).status).toBe(200);
    const directory = path.join(folder, ".data/agent-inspector/spans");
    expect(spansIn(await written(directory))).toHaveLength(1);
    expect((await stat(directory)).mode & 0o077).toBe(0);
  });

  it("finishes a request that is under way when it is stopped", async () => {
    const { post, stop, ended } = await collect("--data", "spans");
    const body = protobufSpans([0]);
    const half = new TransformStream<Uint8Array, Uint8Array>();
    const writer = half.writable.getWriter();
    const answer = post(half.readable, { duplex: "half" });
    await writer.write(body.slice(0, 10));
    await new Promise((resolve) => setTimeout(resolve, 200)); // the request has to have begun
    stop("SIGINT");
    await writer.write(body.slice(10));
    await writer.close();
    expect((await answer).status).toBe(200);
    await ended;
    expect(spansIn(await written("spans"))).toHaveLength(1);
  });

  it("refuses pages of other sites, and names that were made to point at it", async () => {
    const { base, post } = await collect("--data", "spans");
    for (const Origin of ["https://evil.example", base]) {
      const answer = await post(protobufSpans([0]), {}, { Origin });
      expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([403, null]);
    }
    const { port } = new URL(base);
    const byName = request(`${base}/v1/traces`, {
      method: "POST",
      headers: { Host: `evil.example:${port}` },
    });
    const [answer] = (await once(byName.end("{}"), "response")) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(403);
    expect(await written("spans")).toBe("");
  });

  it("says what to do where its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    for (const [taken, free] of [
      ["--port", "--ui-port"],
      ["--ui-port", "--port"],
    ] as const) {
      const { stderr, code } = await run("collect", taken, String(port), free, "0", "--data", "spans");
      expect(code).toBe(2);
      expect(stderr).toBe(
        `error: Port ${port} is taken on 127.0.0.1. Name another with ${taken}, or let ${taken} 0 pick a free one.\n`,
      );
    }
    other.close();
  });

  it("says that a folder cannot be made", async () => {
    await writeFile("file", "");
    expect((await run("collect", "--port", "0", "--data", "file/spans")).stderr).toBe(
      'error: The folder "file/spans" cannot be made (ENOTDIR). Name another with --data.\n',
    );
  });
});
