import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { protocolRoot } from "../src/adapters/otlp-receiver/messages.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { latencyWhile, ServerProcess } from "./measure.js";
import { CO_HOSTED_P99 } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

const SPANS_A_REQUEST = 500;
const REQUESTS_A_SECOND = 40;

/** At least this long: after three seconds the buffer is full. */
const HANGS_SECONDS = 4;

/** 20,000 spans a second as protobuf, on one processor beside a host's own route. */
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
    const warmUp = await send(traces, body, 2); // warms the compiler up
    const idle = host.peakMemoryMB;
    await host.longestStallMs(true);
    const before = host.cpuSeconds;
    const sending = send(traces, body, seconds);
    const p99 = await latencyWhile(coHosted, sending);
    const cpu = host.cpuSeconds - before;
    const stall = await host.longestStallMs(true);
    const memory = host.peakMemoryMB - idle;
    const takenP99 = await latencyWhile(coHosted, send(taken, body, seconds));
    const takenStall = await host.longestStallMs(true);
    await host.stop();
    const requests = warmUp + (await sending);
    if (requests !== (seconds + 2) * REQUESTS_A_SECOND)
      throw new Error(`Only ${requests} requests were taken.`);
    await checkStored(directory, requests);
    const cpuMicros = (cpu / (seconds * REQUESTS_A_SECOND * SPANS_A_REQUEST)) * 1e6;
    return { p99, stall, memory, cpu: cpuMicros, takenP99, takenStall };
  });
  const hanging = await repeated(1, () =>
    hangingDisk(path.join(folder, "hanging"), body, Math.max(seconds, HANGS_SECONDS)),
  );
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
    figure("OTLP receiver, a disk that hangs: memory growth", "MB", hanging.memory, within(192, 128)),
    figure("OTLP receiver, a disk that hangs: requests that were 503", "", hanging.refused),
  ];
}

/** The disk writes nothing for a while. Memory must stay bounded, and acknowledged spans must be there in the end. */
async function hangingDisk(directory: string, body: string, seconds: number) {
  await mkdir(directory);
  const host = await ServerProcess.start("otlp-host", directory, String(seconds * 1_000));
  await send(`${host.base}/taken`, body, 1);
  const idle = host.peakMemoryMB;
  const taken = await send(`${host.base}/v1/traces`, body, seconds);
  const memory = host.peakMemoryMB - idle;
  await host.stop();
  await checkStored(directory, taken);
  return { memory, refused: seconds * REQUESTS_A_SECOND - taken };
}

/** The files must have exactly the spans of these requests. */
async function checkStored(directory: string, requests: number): Promise<void> {
  const [stored, sent] = [await linesIn(directory), requests * SPANS_A_REQUEST];
  if (stored !== sent) throw new Error(`${stored} spans are in the files of ${sent} that were acknowledged`);
}

/** With all threads of the process. */
function onOneProcessor(pid: number): void {
  execFileSync("taskset", ["-a", "-p", "-c", "0", String(pid)], { stdio: "ignore" });
}

/** Another process sends, so that this disturbs no measurement here. @returns the number of accepted requests */
async function send(url: string, body: string, seconds: number): Promise<number> {
  const script = path.join(import.meta.dirname, "processes", "otlp-sender.mjs");
  const sender = fork(script, [url, body, String(REQUESTS_A_SECOND), String(seconds)], { execArgv: [] });
  const gone = once(sender, "exit").then(() => {
    throw new Error("Not all requests were answered as they should be: see above.");
  });
  const [{ taken }] = (await Promise.race([once(sender, "message"), gone])) as [{ taken: number }];
  gone.catch(() => undefined); // from here on its end is normal
  return taken;
}

/** One span of five is a model call with a message of 1 kB, the others are calls of tools and services. */
function exportRequest(): Uint8Array {
  const type = protocolRoot().lookupType("opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest");
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
