import { type JsonObject, parsedText, textField } from "../../domain/json/json.js";
import { instantOf } from "../../domain/trace/instant.js";
import type { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanFacts, RunSpanResult, SpanIdentity } from "../../recording/run-span.js";
import { FrameworkAdapter, type FrameworkOptions, remember } from "./framework-adapter.js";
import { identityIn, jsonOf, objectOf } from "./framework-values.js";
import { callsIn, isBrokenOff, modelCallOf } from "./openai-messages.js";

export interface AgentsTrace {
  readonly traceId: string;
  readonly groupId: string | null;
}

export interface AgentsSpan {
  readonly spanId: string;
  readonly traceId: string;
  readonly parentId: string | null;
  readonly spanData: object;
  readonly traceMetadata?: object | undefined;
  readonly error: { readonly message: string; readonly data?: object } | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** It has the name of the agent that it begins with. */
interface Run {
  readonly span: AgentsSpan;
  readonly identity: SpanIdentity;
  isBegun: boolean;
}

/** Spans of tools do not have the ID of the call. */
interface RequestedCall {
  readonly id: string;
  readonly name: string;
}

/** A model call without an answer. The span around it shows if the call failed or was aborted. */
interface HeldCall {
  readonly id: string;
  readonly result: RunSpanResult;
}

/**
 * A run inside a tool is a sub-agent. Agents that hand over to each other share a run. No call throws or waits for the store, except
 * `forceFlush` and `shutdown`.
 * @example
 * const recorder = new RunRecorder(createFilesystemSessionStore("./data"));
 * addTraceProcessor(new InspectorTraceProcessor(recorder));
 */
export class InspectorTraceProcessor {
  readonly #adapter: FrameworkAdapter;
  readonly #groups = new Map<string, string>();
  readonly #runs = new Map<string, Run>();
  readonly #requested = new Map<string, readonly RequestedCall[]>();
  readonly #held = new Map<string, HeldCall>();
  readonly #aborted = new Map<string, true>();

  constructor(recorder: RunRecorder, options: FrameworkOptions = {}) {
    this.#adapter = new FrameworkAdapter("the Agents SDK", recorder, options);
  }

  async onTraceStart(trace: AgentsTrace): Promise<void> {
    this.#adapter.safely(() => {
      if (trace.groupId !== null) remember(this.#groups, trace.traceId, trace.groupId);
    });
  }

  async onTraceEnd(trace: AgentsTrace): Promise<void> {
    this.#adapter.safely(() => this.#groups.delete(trace.traceId));
  }

  async onSpanStart(span: AgentsSpan): Promise<void> {
    this.#adapter.safely(() => {
      const data = objectOf(span.spanData);
      const identity = this.#identityOf(span);
      if (data.type === "task") remember(this.#runs, span.spanId, { span, identity, isBegun: false });
      else this.#start(span, data, identity);
    });
  }

  async onSpanEnd(span: AgentsSpan): Promise<void> {
    this.#adapter.safely(() => {
      const data = objectOf(span.spanData);
      if (data.type === "task") this.#endRun(span);
      else this.#end(span, data);
    });
  }

  /** Waits until all reported spans are stored, or are reported as failed. */
  async forceFlush(): Promise<void> {
    await this.#adapter.recorder.flush();
  }

  /** As `forceFlush`, and stops waiting for open spans. */
  async shutdown(): Promise<void> {
    await this.#adapter.recorder.close();
  }

  #start(span: AgentsSpan, data: JsonObject, identity: SpanIdentity): void {
    const { parentId } = span;
    const run = parentId === null ? undefined : this.#runs.get(parentId);
    const isOfRun = data.type === "agent" && run !== undefined;
    if (isOfRun) this.#beginRun(run, nameOf(data));
    const kind = isOfRun ? "other" : (KINDS.get(data.type) ?? "other");
    const toolCallId = kind === "tool" ? this.#takeRequested(parentId, nameOf(data)) : undefined;
    this.#adapter.recorder.start({ ...positionOf(span), ...identity, kind, name: nameOf(data), toolCallId });
  }

  #end(span: AgentsSpan, data: JsonObject): void {
    const { spanId, parentId } = span;
    const ended = this.#endOf(span, data);
    if (KINDS.get(data.type) === "model") {
      const call = modelCallOf(data);
      if (parentId !== null && call.answer !== undefined) {
        remember(this.#requested, parentId, callsIn(call.answer));
      }
      const result = { ...call, ...ended };
      const isHeld = parentId !== null && ended.error === undefined && isBrokenOff(data);
      if (isHeld) remember(this.#held, parentId, { id: spanId, result });
      else this.#adapter.recorder.end(spanId, result);
    } else if (data.type === "function") {
      const { input, output } = data;
      this.#adapter.recorder.end(spanId, { input: parsed(input), output: parsed(output), ...ended });
    } else {
      this.#requested.delete(spanId);
      this.#adapter.recorder.end(spanId, { attributes: attributesOf(data), ...ended });
    }
  }

  #beginRun(run: Run, name: string): void {
    if (run.isBegun) return;
    run.isBegun = true;
    this.#adapter.recorder.start({ ...positionOf(run.span), ...run.identity, kind: "agent", name });
  }

  #endRun(span: AgentsSpan): void {
    const run = this.#runs.get(span.spanId);
    if (run === undefined) return;
    this.#runs.delete(span.spanId);
    this.#beginRun(run, nameOf(objectOf(span.spanData)));
    this.#adapter.recorder.end(span.spanId, this.#endOf(span, {}));
  }

  /** An aborted stream ends like a normal stream, but without an answer of the model. */
  #endOf(span: AgentsSpan, { type }: JsonObject): Pick<RunSpanResult, "at" | "error" | "isCancelled"> {
    const { spanId, parentId } = span;
    const error = errorIn(span);
    const held = this.#held.get(spanId);
    const isBroken = this.#aborted.delete(spanId) || held !== undefined;
    const isCancelled = isBroken && error === undefined ? true : undefined;
    if (held !== undefined) {
      this.#held.delete(spanId);
      this.#adapter.recorder.end(held.id, { ...held.result, error, isCancelled });
    }
    const isPartOfRun = type === "turn" || type === "agent";
    if (isCancelled && isPartOfRun && parentId !== null) remember(this.#aborted, parentId, true);
    return { at: instantOf(span.endedAt), error, isCancelled };
  }

  #takeRequested(parentId: string | null, name: string): string | undefined {
    const calls = (parentId === null ? undefined : this.#requested.get(parentId)) ?? [];
    const call = calls.find((requested) => requested.name === name);
    if (call === undefined || parentId === null) return undefined;
    remember(
      this.#requested,
      parentId,
      calls.filter((requested) => requested !== call),
    );
    return call.id;
  }

  /** Called only for spans that can begin a session. Other spans belong to the session around them. */
  #identityOf({ traceId, traceMetadata }: AgentsSpan): SpanIdentity {
    const identity = identityIn(traceMetadata);
    return this.#adapter.identityOf({
      ...identity,
      sessionId: identity.sessionId ?? this.#groups.get(traceId),
    });
  }
}

const KINDS: ReadonlyMap<unknown, RunSpanFacts["kind"]> = new Map([
  ["agent", "agent"],
  ["function", "tool"],
  ["generation", "model"],
  ["response", "model"],
]);

function positionOf({ spanId, parentId, traceId, startedAt }: AgentsSpan) {
  return { id: spanId, parentId: parentId ?? undefined, traceId, at: instantOf(startedAt) };
}

function nameOf(data: JsonObject): string {
  return textField(data, "name") ?? textField(data, "agent_name") ?? String(data.type);
}

/** Texts by which the SDK and OpenAI's client report an abort. */
const ABORTED = /^AbortError\b|^(Error: )?Request was aborted\.$/;

/** The data contains the thrown error; the message names only the location. */
function errorIn({ error }: AgentsSpan) {
  if (error === null) return undefined;
  const message = textField(objectOf(error.data), "error") ?? error.message;
  return { message, type: ABORTED.test(message) ? "AbortError" : undefined };
}

function parsed(value: unknown): unknown {
  if (value === "") return undefined;
  return typeof value === "string" && /^\s*[[{]/.test(value) ? parsedText(value) : jsonOf(value);
}

/** Omits input and output, which may be sound. */
function attributesOf({ type, name, input, output, ...attributes }: JsonObject): JsonObject {
  return jsonOf(attributes) as JsonObject;
}
