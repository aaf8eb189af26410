import type { Message } from "../../domain/conversation/message.js";
import { isJsonObject, type JsonObject, labelOf, objectField, textField } from "../../domain/json/json.js";
import { instantOf } from "../../domain/trace/instant.js";
import type { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanFacts, RunSpanResult, SpanIdentity } from "../../recording/run-span.js";
import { FrameworkAdapter, type FrameworkOptions, remember } from "./framework-adapter.js";
import { errorOf, identityIn, jsonOf, objectsIn, tokensOf, toolCallPart } from "./framework-values.js";

export interface MastraTracingEvent {
  readonly type: string;
  readonly exportedSpan: object;
}

/** Only the first step of a generation reports the messages in full. */
interface Generation {
  messages: readonly Message[];
  results: readonly Message[];
}

/**
 * An exporter for Mastra's observability. An agent or workflow inside another run is a sub-agent. No call throws or waits for the store,
 * except `flush` and `shutdown`.
 * @example
 * const recorder = new RunRecorder(createFilesystemSessionStore("./data"));
 * new Observability({ configs: { default: { serviceName: "helper", exporters: [new InspectorExporter(recorder)] } } });
 */
export class InspectorExporter {
  readonly name = "agent-inspector";
  readonly #adapter: FrameworkAdapter;
  readonly #generations = new Map<string, Generation>();
  /** The model call of an aborted generation ends after it, and does not report the abort. */
  readonly #abortedGenerations = new Map<string, true>();
  readonly #abortedTools = new Map<string, true>();

  constructor(recorder: RunRecorder, options: FrameworkOptions = {}) {
    this.#adapter = new FrameworkAdapter("Mastra", recorder, options);
  }

  async exportTracingEvent({ type, exportedSpan }: MastraTracingEvent): Promise<void> {
    this.#adapter.safely(() => {
      const span = exportedSpan as JsonObject;
      const id = textField(span, "id");
      if (id === undefined) return;
      // A span without duration is reported only at its end.
      const isEvent = span.isEvent === true;
      if (type === (isEvent ? "span_ended" : "span_started")) this.#start(id, span);
      if (type === "span_ended") this.#end(id, span);
    });
  }

  /** Waits until all reported events are stored, or are reported as failed. */
  async flush(): Promise<void> {
    await this.#adapter.recorder.flush();
  }

  /** As `flush`, and stops waiting for open spans. */
  async shutdown(): Promise<void> {
    await this.#adapter.recorder.close();
  }

  #start(id: string, span: JsonObject): void {
    const parentSpanId = textField(span, "parentSpanId");
    if (isPassed(span)) {
      this.#adapter.pass(id, parentSpanId);
      if (span.type === "model_generation")
        remember(this.#generations, id, { messages: inputIn(span), results: [] });
      return;
    }
    const [parentId, generation] = this.#around(parentSpanId);
    this.#adapter.recorder.start({
      id,
      parentId,
      traceId: textField(span, "traceId"),
      at: instantOf(span.startTime),
      ...factsOf(span),
      ...(parentId === undefined ? this.#adapter.identityOf(identityOf(span)) : {}),
      ...(span.type === "model_inference" ? { messages: contextOf(generation) } : {}),
    });
  }

  #end(id: string, span: JsonObject): void {
    if (isPassed(span)) {
      this.#adapter.leave(id);
      this.#generations.delete(id);
      if (objectField(span, "attributes").finishReason === "aborted")
        remember(this.#abortedGenerations, id, true);
      return;
    }
    const [parentId, generation] = this.#around(textField(span, "parentSpanId"));
    const isCancelled = this.#wasAborted(id, span, parentId) ? true : undefined;
    const result = { ...resultOf(span), isCancelled };
    if (generation !== undefined && span.type === "model_inference") {
      generation.messages = [...generation.messages, ...(result.answer ?? [])];
    } else if (generation !== undefined && isTool(span)) {
      generation.results = [...generation.results, toolMessage(span, result)];
    }
    this.#adapter.recorder.end(id, { ...result, at: instantOf(span.endTime) });
  }

  #wasAborted(id: string, span: JsonObject, parentId: string | undefined): boolean {
    if (span.type === "model_inference") return this.#abortedGenerations.delete(parentId ?? "");
    const { errorInfo, output } = span;
    if (isTool(span) && isJsonObject(errorInfo) && errorInfo.name === "AbortError") {
      if (parentId !== undefined) remember(this.#abortedTools, parentId, true);
    }
    if (span.type !== "agent_run") return false;
    const hadAbortedTool = this.#abortedTools.delete(id);
    if (errorInfo !== undefined) return false;
    return output === undefined ? hadAbortedTool : objectField(span, "output").status === "aborted";
  }

  #around(
    parentSpanId: string | undefined,
  ): [parentId: string | undefined, generation: Generation | undefined] {
    let generation: Generation | undefined;
    const parentId = this.#adapter.around(parentSpanId, (passed) => {
      generation ??= this.#generations.get(passed);
    });
    return [parentId, generation];
  }
}

/** Spans around or inside a single model call. */
const PASSED = new Set(["model_generation", "model_step", "model_chunk"]);

const isPassed = (span: JsonObject) => PASSED.has(String(span.type)) || span.isInternal === true;

const KINDS: ReadonlyMap<unknown, RunSpanFacts["kind"]> = new Map([
  ["agent_run", "agent"],
  ["workflow_run", "agent"],
  ["model_inference", "model"],
  ["tool_call", "tool"],
  ["mcp_tool_call", "tool"],
  ["client_tool_call", "tool"],
  ["provider_tool_call", "tool"],
]);

const kindOf = (span: JsonObject) => KINDS.get(span.type) ?? "other";
const isTool = (span: JsonObject) => kindOf(span) === "tool";

function factsOf(span: JsonObject): RunSpanFacts {
  const kind = kindOf(span);
  const attributes = objectField(span, "attributes");
  const named = kind === "agent" || kind === "tool" ? textField(span, "entityName") : undefined;
  return {
    kind,
    name: named ?? textField(span, "name") ?? String(span.type),
    model: textField(attributes, "model"),
    provider: textField(attributes, "provider"),
    toolCallId: labelOf(attributes.toolCallId),
    input: kind === "model" ? undefined : jsonOf(span.input),
    attributes: kind === "other" ? (jsonOf(attributes) as JsonObject) : undefined,
  };
}

function resultOf(span: JsonObject): RunSpanResult {
  const { errorInfo } = span;
  const error = isJsonObject(errorInfo) ? errorOf(errorInfo) : undefined;
  const output = objectField(span, "output");
  if (isTool(span) && error === undefined && objectField(span, "attributes").success === false)
    return { output: jsonOf(span.output), error: { message: textField(output, "message") ?? "failed" } };
  if (kindOf(span) !== "model") return { output: jsonOf(textField(output, "text") ?? span.output), error };
  const { usage, finishReason } = objectField(span, "attributes");
  return { answer: answerIn(output), usage: usageIn(usage), stopReason: labelOf(finishReason), error };
}

function answerIn({ text, reasoning, toolCalls }: JsonObject): readonly Message[] {
  const content = [
    ...(typeof reasoning === "string" && reasoning !== "" ? [{ type: "reasoning", text: reasoning }] : []),
    ...(typeof text === "string" && text !== "" ? [{ type: "text", text }] : []),
    ...objectsIn(toolCalls).map(({ toolCallId, toolName, args }) =>
      toolCallPart(toolCallId, toolName, jsonOf(args)),
    ),
  ];
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

function usageIn(usage: unknown) {
  if (!isJsonObject(usage) || Object.keys(usage).length === 0) return undefined;
  const { cacheRead, cacheWrite } = objectField(usage, "inputDetails");
  const { inputTokens, outputTokens } = usage;
  return tokensOf({ inputTokens, outputTokens, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite });
}

function toolMessage(span: JsonObject, { output, error }: RunSpanResult): Message {
  const { toolCallId } = objectField(span, "attributes");
  const result = error === undefined ? { output } : { output: error.message, isError: true };
  return {
    role: "tool",
    content: [{ type: "tool-result", toolCallId, toolName: span.entityName, ...result }],
  };
}

function inputIn(span: JsonObject): readonly Message[] {
  return jsonOf(objectsIn(objectField(span, "input").messages)) as readonly Message[];
}

function contextOf(generation: Generation | undefined): readonly Message[] | undefined {
  if (generation === undefined) return undefined;
  generation.messages = [...generation.messages, ...generation.results];
  generation.results = [];
  return generation.messages;
}

/** A thread of Mastra's memory is a session. */
function identityOf(span: JsonObject): SpanIdentity {
  const metadata = objectField(span, "metadata");
  const identity = identityIn(metadata);
  const { conversationId } = objectField(span, "attributes");
  const sessionId = identity.sessionId ?? labelOf(metadata.threadId) ?? labelOf(conversationId);
  return { ...identity, sessionId, userId: identity.userId ?? labelOf(metadata.resourceId) };
}
