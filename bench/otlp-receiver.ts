import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import protobuf from "protobufjs/light.js";
import { DESCRIPTOR } from "../src/adapters/otlp-receiver/descriptor.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { latencyWhile, ServerProcess } from "./measure.js";
import { CO_HOSTED_P99 } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

const SPANS_A_REQUEST = 500;
const REQUESTS_A_SECOND = 40;

/** 20,000 spans a second by OTLP in protobuf, received on one processor beside a host's own route. */
export async function otlpReceiver(
  folder: string,
  { runs, receivingSeconds: seconds }: Sizes,
): Promise<Figure[]> {
  const body = path.join(folder, "request.bin");
  await writeFile(body, exportRequest());
  let run = 0;
  const measured = await repeated(runs, async () => {
    const directory = path.join(folder, `run-${run++}`);
    const host = await ServerProcess.start("otlp-host", directory);
    onOneProcessor(host.pid);
    const [traces, taken, coHosted] = ["/v1/traces", "/taken", "/co-hosted"].map((at) => host.base + at) as [
      string,
      string,
      string,
    ];
    await send(traces, body, 2); // the first requests are compiled
    const idle = host.peakMemoryMB;
    await host.longestStallMs(true);
    const before = host.cpuSeconds;
    const p99 = await latencyWhile(coHosted, send(traces, body, seconds));
    const cpu = host.cpuSeconds - before;
    const stall = await host.longestStallMs(true);
    const memory = host.peakMemoryMB - idle;
    const takenP99 = await latencyWhile(coHosted, send(taken, body, seconds));
    const takenStall = await host.longestStallMs(true);
    await host.stop();
    const sent = (seconds + 2) * REQUESTS_A_SECOND * SPANS_A_REQUEST;
    const kept = await linesIn(directory);
    if (kept !== sent) throw new Error(`${kept} spans are in the files of ${sent} that were acknowledged`);
    const cpuMicros = (cpu / (seconds * REQUESTS_A_SECOND * SPANS_A_REQUEST)) * 1e6;
    return { p99, stall, memory, cpu: cpuMicros, takenP99, takenStall };
  });
  return [
    figure(
      "OTLP receiver, 20,000 spans/s on one processor: co-hosted route, p99",
      "ms",
      measured.p99,
      CO_HOSTED_P99,
    ),
    figure("OTLP receiver: longest stall", "ms", measured.stall),
    figure(
      "OTLP receiver: co-hosted route, p99 beside a route that only takes the bytes",
      "ms",
      measured.takenP99,
    ),
    figure("OTLP receiver: longest stall beside that route", "ms", measured.takenStall),
    figure("OTLP receiver: memory growth", "MB", measured.memory, within(192, 128)),
    figure("OTLP receiver: processor time a span, threads included", "µs", measured.cpu),
  ];
}

/** All of the process, its threads included. */
function onOneProcessor(pid: number): void {
  execFileSync("taskset", ["-a", "-p", "-c", "0", String(pid)], { stdio: "ignore" });
}

/** Another process sends, so that it disturbs no measurement here. */
async function send(url: string, body: string, seconds: number): Promise<void> {
  const script = path.join(import.meta.dirname, "processes", "otlp-sender.mjs");
  const sender = fork(script, [url, body, String(REQUESTS_A_SECOND), String(seconds)], { execArgv: [] });
  const [code] = await once(sender, "exit");
  if (code !== 0) throw new Error("Not all requests were taken: see above.");
}

/** Spans of an agent: of each five one is a model call with a message of 1 kB, the others are calls of tools and services. */
function exportRequest(): Uint8Array {
  const type = protobuf.Root.fromJSON(DESCRIPTOR).lookupType(
    "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest",
  );
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const count = (key: string, intValue: number) => ({ key, value: { intValue } });
  const modelCall = (n: number) => [
    text("gen_ai.operation.name", "chat"),
    text("gen_ai.provider.name", "bench"),
    text("gen_ai.request.model", "bench-model"),
    text("gen_ai.conversation.id", `session-${n % 20}`),
    count("gen_ai.usage.input_tokens", 1_000 + n),
    count("gen_ai.usage.output_tokens", 50),
    text("gen_ai.input.messages", "Look into the matter. ".repeat(45)),
  ];
  const call = (n: number) => [
    text("gen_ai.operation.name", "execute_tool"),
    text("gen_ai.tool.name", "fetch"),
    text("http.request.method", "GET"),
    text("url.full", `http://127.0.0.1/items/${n}`),
    text("server.address", "127.0.0.1"),
    count("server.port", 8080),
    count("http.response.status_code", 200),
  ];
  const spans = Array.from({ length: SPANS_A_REQUEST }, (_, n) => ({
    traceId: Uint8Array.from({ length: 16 }, (_, i) => n + i + 1),
    spanId: Uint8Array.from({ length: 8 }, (_, i) => n + i + 1),
    parentSpanId: Uint8Array.from({ length: 8 }, (_, i) => n + i),
    name: n % 5 === 0 ? "chat bench-model" : "execute_tool fetch",
    kind: 3,
    startTimeUnixNano: "1700000000123456789",
    endTimeUnixNano: "1700000000923456789",
    attributes: n % 5 === 0 ? modelCall(n) : call(n),
    status: { code: 1 },
  }));
  const resource = { attributes: [text("service.name", "bench"), text("telemetry.sdk.language", "python")] };
  const request = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "bench" }, spans }] }] };
  return type.encode(type.fromObject(request)).finish();
}

async function linesIn(directory: string): Promise<number> {
  let lines = 0;
  for (const name of await readdir(directory)) {
    for await (const chunk of createReadStream(path.join(directory, name))) {
      for (const byte of chunk as Buffer) if (byte === 0x0a) lines++;
    }
  }
  return lines;
}
