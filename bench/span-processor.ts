import { setImmediate as nextTick } from "node:timers/promises";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { BasicTracerProvider, type ReadableSpan, type Span } from "@opentelemetry/sdk-trace-base";
import { createFilesystemSessionStore } from "../src/data-directory.js";
import { InspectorSpanProcessor } from "../src/otel.js";
import { RunRecorder } from "../src/recording.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import type { Sizes } from "./sizes.js";

const RUNS_OF_AGENT = 400;
const CALLS = 10;

/** An agent's wait for each span, and the event loop's work on it afterwards. */
export async function spanProcessor(folder: string, { runs }: Sizes): Promise<Figure[]> {
  await measure(folder); // warms the compiler up
  const measured = await repeated(runs, () => measure(folder));
  return [
    figure("A span of OpenTelemetry: the agent waits", "µs", measured.agent, within(20)),
    figure(
      "A span of OpenTelemetry: all that is done for it, written to a data directory",
      "µs",
      measured.all,
    ),
  ];
}

async function measure(folder: string): Promise<{ agent: number; all: number }> {
  const recorder = new RunRecorder(createFilesystemSessionStore(folder));
  const processor = new InspectorSpanProcessor(recorder, { identify: () => ({ tenantId: "bench" }) });
  let ms = 0;
  let spans = 0;
  /** Measures the processor's calls. */
  const timed = <T extends ReadableSpan>(work: (span: T) => void) => {
    return (span: T) => {
      const begun = performance.now();
      work(span);
      ms += performance.now() - begun;
    };
  };
  const provider = new BasicTracerProvider({
    spanProcessors: [
      {
        onStart: timed((span: Span) => processor.onStart(span)),
        onEnd: timed((span) => processor.onEnd(span)),
        forceFlush: () => processor.forceFlush(),
        shutdown: () => processor.shutdown(),
      },
    ],
  });
  const before = process.cpuUsage();
  for (let run = 0; run < RUNS_OF_AGENT; run++) {
    spans += runAgent(provider.getTracer("bench"), run);
    await nextTick();
  }
  await provider.shutdown();
  const { user, system } = process.cpuUsage(before);
  return { agent: (ms * 1_000) / spans, all: (user + system) / spans };
}

/** Each model call includes all earlier messages. */
function runAgent(tracer: ReturnType<BasicTracerProvider["getTracer"]>, run: number): number {
  const identity = { "gen_ai.operation.name": "invoke_agent", "session.id": `session-${run % 20}` };
  const agent = tracer.startSpan("invoke_agent", { attributes: identity }, ROOT_CONTEXT);
  const within = trace.setSpan(ROOT_CONTEXT, agent);
  const messages = [
    { role: "user", parts: [{ type: "text", content: "Look into the matter. ".repeat(20) }] },
  ];
  for (let call = 0; call < CALLS; call++) {
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "bench-model",
      "gen_ai.input.messages": JSON.stringify(messages),
      "gen_ai.usage.input_tokens": 1_000,
      "gen_ai.usage.output_tokens": 50,
    };
    tracer.startSpan("chat", { attributes }, within).end();
    messages.push({ role: "assistant", parts: [{ type: "text", content: `Step ${call}. `.repeat(30) }] });
  }
  agent.end();
  return CALLS + 1;
}
