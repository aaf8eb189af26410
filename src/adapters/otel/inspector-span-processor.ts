import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { JsonObject } from "../../domain/json/json.js";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { FUNCTION } from "../../domain/options/option-kinds.js";
import { identityOf } from "../../recording/open-span.js";
import type { RunRecorder } from "../../recording/run-recorder.js";
import type { SpanIdentity } from "../../recording/run-span.js";
import type { RecordedSpan } from "../spans/recorded-span.js";
import { factsOf, resultOf } from "../spans/span-facts.js";
import { AiSdkStreams, invalidCallsIn } from "./ai-sdk-streams.js";

export interface InspectorSpanProcessorOptions {
  /**
   * Called as each span starts, in that span's context. Absent fields come from the span's attributes; after a throw there is no
   * identity.
   */
  readonly identify?: ((span: ReadableSpan) => SpanIdentity | undefined) | undefined;
}

const PROCESSOR_OPTIONS = { identify: FUNCTION } satisfies OptionTable<InspectorSpanProcessorOptions>;

interface SpanNote {
  readonly span: ReadableSpan;
  readonly isEnd: boolean;
  readonly identity: SpanIdentity | undefined;
}

/** Beyond it, the next notification records all at once. */
const MOST_WAITING = 2_048;
const SLICE_MS = 4;

/**
 * Reports spans to a {@link RunRecorder} as they start and end. Supports every convention for the names of their attributes. The agent
 * never waits: spans are queued, and processed when the event loop has time. No call throws.
 * @example
 * const recorder = new RunRecorder(createFilesystemSessionStore("./data"));
 * const identify = () => ({ tenantId: "acme", sessionId: request.sessionId });
 * new NodeTracerProvider({ spanProcessors: [new InspectorSpanProcessor(recorder, { identify })] }).register();
 */
export class InspectorSpanProcessor implements SpanProcessor {
  readonly #recorder: RunRecorder;
  readonly #identify: InspectorSpanProcessorOptions["identify"];
  readonly #streams = new AiSdkStreams();
  #waiting: SpanNote[] = [];
  #isScheduled = false;
  #isShutDown = false;

  /** @throws TypeError if an option does not exist or has a value of another kind */
  constructor(recorder: RunRecorder, options: InspectorSpanProcessorOptions = {}) {
    const { identify } = checkOptions(PROCESSOR_OPTIONS, options);
    this.#recorder = recorder;
    this.#identify = identify && answeringAtOnce("identify", identify);
  }

  onStart(span: Span): void {
    this.#note({ span, isEnd: false, identity: this.#identityOf(span) });
  }

  onEnd(span: ReadableSpan): void {
    this.#note({ span, isEnd: true, identity: undefined });
  }

  /** Waits until all ended spans are stored, or are reported as failed. */
  async forceFlush(): Promise<void> {
    this.#tellFor(Number.POSITIVE_INFINITY);
    await this.#recorder.flush();
  }

  /** As `forceFlush`, and stops waiting for open spans. Later spans are not recorded. */
  async shutdown(): Promise<void> {
    this.#tellFor(Number.POSITIVE_INFINITY);
    this.#isShutDown = true;
    await this.#recorder.close();
  }

  #identityOf(span: ReadableSpan): SpanIdentity | undefined {
    try {
      return this.#identify?.(span);
    } catch (error) {
      this.#recorder.report("identify a span", error);
      return undefined;
    }
  }

  #note(note: SpanNote): void {
    if (this.#isShutDown) return;
    this.#waiting.push(note);
    if (this.#waiting.length > MOST_WAITING) this.#tellFor(SLICE_MS);
    else this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#tellFor(SLICE_MS);
    });
  }

  #tellFor(ms: number): void {
    const until = performance.now() + ms;
    let note = 0;
    for (const one of this.#waiting) {
      this.#tell(one);
      note++;
      if (performance.now() > until) break;
    }
    this.#waiting = this.#waiting.slice(note);
    if (this.#waiting.length > 0) this.#schedule();
  }

  #tell({ span, isEnd, identity }: SpanNote): void {
    try {
      const recorded = recordedSpanOf(span);
      const { spanId: id, parentSpanId: parentId, traceId, startedAt, endedAt } = recorded;
      if (isEnd) {
        const { result, openCallId } = this.#streams.end(recorded, resultOf(recorded));
        if (openCallId !== undefined) this.#recorder.end(openCallId, { isCancelled: true, at: endedAt });
        this.#recorder.end(id, { ...result, at: endedAt });
        for (const call of invalidCallsIn(recorded)) {
          this.#recorder.start(call.span);
          this.#recorder.end(call.span.id, call.result);
        }
        return;
      }
      this.#streams.start(recorded);
      this.#recorder.start({
        ...factsOf(recorded),
        ...identityOf(identity ?? {}),
        id,
        parentId,
        traceId,
        at: startedAt,
      });
    } catch (error) {
      this.#recorder.report("read a span", error);
    }
  }
}

function recordedSpanOf(span: ReadableSpan): RecordedSpan {
  const { spanId, traceId } = span.spanContext();
  const { code, message } = span.status;
  return {
    traceId,
    spanId,
    parentSpanId: localParentOf(span),
    name: span.name,
    startedAt: millisecondsOf(span.startTime),
    endedAt: span.ended ? millisecondsOf(span.endTime) : undefined,
    status: code === ERROR ? "error" : code === OK ? "ok" : "unset",
    statusMessage: message,
    attributes: span.attributes,
    events: span.events.map(({ name, time, attributes = {} }) => ({
      name,
      at: millisecondsOf(time),
      attributes,
    })),
    resource: resourceOf(span),
    scope: span.instrumentationScope.name,
  };
}

/** `SpanStatusCode` of the API, which is not loaded here. */
const OK = 1;
const ERROR = 2;

/** A parent in another process is never reported here. */
function localParentOf({ parentSpanContext: parent }: ReadableSpan): string | undefined {
  return parent === undefined || parent.isRemote === true ? undefined : parent.spanId;
}

type HrTime = ReadableSpan["startTime"];

function millisecondsOf([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1e6;
}

/** Pending attributes of a resource must not be read. The SDK's default service name does not count as a name. */
function resourceOf({ resource }: ReadableSpan): JsonObject {
  if (resource.asyncAttributesPending === true) return {};
  const { "service.name": name, ...others } = resource.attributes;
  const isNamed = typeof name === "string" && !name.startsWith("unknown_service");
  return isNamed ? { ...others, "service.name": name } : others;
}
