import path from "node:path";
import { writeLines } from "./data.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { written } from "./generate.js";
import { Client, ServerProcess, sessionsListed } from "./measure.js";
import { STALL } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

/** Each trace is one span: a cold list beside the naive way, and a session. */
export async function otlpTraces(folder: string, { otlpTraces: count, runs }: Sizes): Promise<Figure[]> {
  await writeLines(path.join(folder, "spans.jsonl"), requests(count));
  await written();
  const client = new Client();
  const naive = await ServerProcess.start("naive-server", "otlp", folder);
  await client.takeOne(`${naive.base}/sessions`);
  const samples = await repeated(runs, async () => {
    const slow = await client.takeOne(`${naive.base}/sessions`);
    const service = await ServerProcess.start("service", "otlp", folder);
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    await service.longestStallMs(true);
    const page = await client.takeOne(`${service.base}/__inspector/sessions?limit=100`);
    const stall = await service.longestStallMs(true);
    const session = `${service.base}/__inspector/sessions/${traceId(count - 1)}`;
    const trace = await client.takeOne(`${session}/trace?tenantId=shop&limit=500`);
    const all = await client.takeOne(`${service.base}/__inspector/sessions`);
    const memory = service.peakMemoryMB - idle;
    const { length } = await sessionsListed(service.base);
    if (length !== count) throw new Error(`${length} sessions are listed of ${count} traces`);
    await service.stop();
    return { page: page.ms / slow.ms, all: all.ms / slow.ms, trace: trace.ms, stall, memory };
  });
  await naive.stop();
  client.stop();
  const name = `OTLP files of ${count} traces`;
  return [
    figure(`${name}: first 100 sessions, cold ÷ naive way`, "ratio", samples.page, within(3, 1.5)),
    figure(`${name}: longest stall, cold`, "ms", samples.stall, STALL),
    figure(`${name}: first window of a session, behind these`, "ms", samples.trace, within(100, 30)),
    figure(`${name}: all sessions, behind these ÷ naive way`, "ratio", samples.all),
    figure(`${name}: memory growth`, "MB", samples.memory),
  ];
}

const traceId = (i: number) => (i + 1).toString(16).padStart(32, "0");

/** One span each, like a service that traces every model call separately. */
function* requests(count: number): Generator<string> {
  const begun = Date.UTC(2026, 6, 1);
  for (let i = 0; i < count; i++) {
    const nanos = (ms: number) => `${begun + i * 1_000 + ms}000000`;
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const number = (key: string, intValue: number) => ({ key, value: { intValue: String(intValue) } });
    const span = {
      traceId: traceId(i),
      spanId: (i + 1).toString(16).padStart(16, "0"),
      name: "chat gpt-bench",
      kind: 3,
      startTimeUnixNano: nanos(0),
      endTimeUnixNano: nanos(700),
      attributes: [
        text("gen_ai.operation.name", "chat"),
        text("gen_ai.request.model", "gpt-bench"),
        number("gen_ai.usage.input_tokens", 900 + (i % 90)),
        number("gen_ai.usage.output_tokens", 40),
      ],
      status: {},
    };
    const resource = { attributes: [text("service.name", "shop")] };
    yield JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "shop" }, spans: [span] }] }],
    });
  }
}
