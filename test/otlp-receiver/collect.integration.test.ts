import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROTOBUF, protobufSpans, spanIdOf, spansIn } from "./support/requests.js";

const MAIN = path.resolve(import.meta.dirname, "../../dist/src/composition/cli/main.js");

let folder: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "collect-test-"));
});

afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

function start(...args: string[]) {
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: path.join(folder, "data"), CI: "true" };
  const child = spawn(process.execPath, [MAIN, "collect", ...args], { cwd: folder, env });
  started.push(child);
  return child;
}

/** Starts to collect on free ports; what it prints first, and where it receives. */
async function collect(...args: string[]) {
  const child = start("--port", "0", "--ui-port", "0", ...args);
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  await expect.poll(() => printed, { timeout: 20_000 }).toContain("Keeping them in");
  const base = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+)/.exec(printed)![1]!;
  const post = (numbers: readonly number[], headers: Record<string, string> = {}) =>
    fetch(`${base}/v1/traces`, {
      method: "POST",
      headers: { "Content-Type": PROTOBUF, ...headers },
      body: protobufSpans(numbers),
    });
  return { child, base, post, printed: () => printed };
}

async function written(directory: string): Promise<string> {
  const names = await readdir(directory);
  return (await Promise.all(names.map((name) => readFile(path.join(directory, name), "utf8")))).join("");
}

describe("agent-inspector collect", () => {
  it("keeps what the SDK sends, and says when it is stopped how much lies where", async () => {
    const { child, base, printed } = await collect("--data", "spans");
    const exporter = new OTLPTraceExporter({ url: `${base}/v1/traces` });
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const spans = Array.from({ length: 20 }, (_, n) => provider.getTracer("t").startSpan(`span ${n}`));
    for (const span of spans) span.end();
    await provider.shutdown();
    const directory = path.join(folder, "spans");
    expect(
      spansIn(await written(directory))
        .map(({ spanId }) => spanId)
        .sort(),
    ).toEqual(spans.map((span) => span.spanContext().spanId).sort());
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(printed()).toContain(`OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`);
    expect(printed().trimEnd().split("\n").at(-1)).toBe(
      "20 spans came and lie in ~/spans. Show them again: agent-inspector ~/spans",
    );
  });

  it("shows a session while its spans come", async () => {
    const { base, printed } = await collect("--data", "spans");
    const page = /Showing them: (\S+)/.exec(printed())![1]!;
    const exporter = new OTLPTraceExporter({ url: `${base}/v1/traces` });
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
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
    const { child, post } = await collect();
    expect((await post([0])).status).toBe(200);
    const directory = path.join(folder, "data/agent-inspector/spans");
    expect(spansIn(await written(directory))).toHaveLength(1);
    expect((await stat(directory)).mode & 0o077).toBe(0);
    child.kill("SIGINT");
    await once(child, "exit");
  });

  it("finishes a request that is under way when it is stopped", async () => {
    const { child, base } = await collect("--data", "spans");
    const body = protobufSpans([0]);
    const half = new TransformStream<Uint8Array, Uint8Array>();
    const writer = half.writable.getWriter();
    const answer = fetch(`${base}/v1/traces`, {
      method: "POST",
      headers: { "Content-Type": PROTOBUF },
      body: half.readable,
      ...{ duplex: "half" },
    });
    await writer.write(body.slice(0, 10));
    await new Promise((resolve) => setTimeout(resolve, 200)); // the request has to have begun
    child.kill("SIGINT");
    await writer.write(body.slice(10));
    await writer.close();
    expect((await answer).status).toBe(200);
    await once(child, "exit");
    expect(spansIn(await written(path.join(folder, "spans")))).toHaveLength(1);
  });

  it("has everything in the file that it acknowledged, when it is killed", async () => {
    const { child, post } = await collect("--data", "spans");
    const acknowledged: string[] = [];
    let next = 0;
    const send = async () => {
      for (;;) {
        const numbers = Array.from({ length: 50 }, () => next++);
        try {
          if ((await post(numbers)).status === 200) acknowledged.push(...numbers.map(spanIdOf));
        } catch {
          return; // it was killed
        }
      }
    };
    const senders = Promise.all([send(), send(), send()]);
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(1_000);
    child.kill("SIGKILL");
    await senders;
    const lines = await written(path.join(folder, "spans"));
    // What was being written when it was killed was not acknowledged, and may be torn.
    const kept = new Set(spansIn(lines.slice(0, lines.lastIndexOf("\n") + 1)).map(({ spanId }) => spanId));
    expect(acknowledged.filter((spanId) => !kept.has(spanId))).toEqual([]);
  });

  it("refuses pages of other sites, and names that were made to point at it", async () => {
    const { base, post } = await collect("--data", "spans");
    for (const headers of [{ Origin: "https://evil.example" }, { Origin: base }]) {
      const answer = await post([0], headers);
      expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([403, null]);
    }
    const { port } = new URL(base);
    const byName = execFileSync("curl", [
      ...["-s", "-o", path.join(folder, "out"), "-w", "%{http_code}", "-X", "POST", `${base}/v1/traces`],
      ...["-H", `Host: evil.example:${port}`, "-H", "Content-Type: application/json", "-d", "{}"],
    ]);
    expect(String(byName)).toBe("403");
    expect(await written(path.join(folder, "spans"))).toBe("");
  });

  it("says what to do where its port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    for (const [taken, free] of [
      ["--port", "--ui-port"],
      ["--ui-port", "--port"],
    ] as const) {
      const child = start(taken, String(port), free, "0", "--data", "spans");
      const [stderr] = await Promise.all([text(child.stderr), once(child, "exit")]);
      expect(stderr).toBe(
        `error: Port ${port} is taken on 127.0.0.1. Name another with ${taken}, or let ${taken} 0 pick a free one.\n`,
      );
    }
    other.close();
  });

  it("says that a folder cannot be made", async () => {
    await writeFile(path.join(folder, "file"), "");
    const child = start("--port", "0", "--data", "file/spans");
    const [stderr] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect(stderr).toBe(
      'error: The folder "file/spans" cannot be made (ENOTDIR). Name another with --data.\n',
    );
  });
});
