import { AsyncLocalStorage } from "node:async_hooks";
import type { Message } from "../../domain/conversation/message.js";
import { isJsonObject, type JsonObject, labelOf, objectField, textField } from "../../domain/json/json.js";
import type { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import {
  answered,
  messagesOf,
  modelOf,
  partsOf,
  promptOf,
  reportedToolCallsIn,
  usageIn,
} from "./ai-sdk-values.js";
import { FrameworkAdapter, type FrameworkOptions, remember } from "./framework-adapter.js";
import { errorOf, identityIn, jsonOf, objectsIn } from "./framework-values.js";

export interface InspectorTelemetry {
  onStart(event: unknown): void;
  onLanguageModelCallStart(event: unknown): void;
  onLanguageModelCallEnd(event: unknown): void;
  onObjectStepStart(event: unknown): void;
  onObjectStepEnd(event: unknown): void;
  onToolExecutionStart(event: unknown): void;
  onToolExecutionEnd(event: unknown): void;
  onEnd(event: unknown): void;
  onAbort(event: unknown): void;
  onError(event: unknown): void;
  executeLanguageModelCall<T>(options: {
    readonly callId: string;
    readonly execute: () => PromiseLike<T>;
  }): PromiseLike<T>;
  executeTool<T>(options: {
    readonly callId: string;
    readonly toolCallId: string;
    readonly execute: () => PromiseLike<T>;
  }): PromiseLike<T>;
}

/**
 * `functionId` of the telemetry names the agent. A `generateText` or `streamText` inside a tool is a sub-agent. No call throws or waits.
 * @example
 * const recorder = new RunRecorder(createFilesystemSessionStore("./data"));
 * registerTelemetry(inspectorTelemetry(recorder, { identify: () => requestContext.getStore() }));
 */
export function inspectorTelemetry(
  recorder: RunRecorder,
  options: FrameworkOptions = {},
): InspectorTelemetry {
  return new AiSdkTelemetry(recorder, options);
}

interface OpenCall {
  modelCalls: number;
  model: string | undefined;
  broke: RunSpanResult["error"];
  readonly tools: Set<string>;
}

class AiSdkTelemetry implements InspectorTelemetry {
  readonly #adapter: FrameworkAdapter;
  readonly #calls = new Map<string, OpenCall>();
  readonly #tool = new AsyncLocalStorage<string>();

  constructor(recorder: RunRecorder, options: FrameworkOptions) {
    this.#adapter = new FrameworkAdapter("the AI SDK", recorder, options);
  }

  onStart(event: unknown): void {
    this.#read(event, (callId, data) => {
      const operation = textField(data, "operationId") ?? "ai";
      remember(this.#calls, callId, {
        modelCalls: 0,
        model: undefined,
        broke: undefined,
        tools: new Set<string>(),
      });
      this.#adapter.recorder.start({
        id: callId,
        parentId: this.#tool.getStore(),
        kind: /Text|Object/.test(operation) ? "agent" : "other",
        name: textField(data, "functionId") ?? operation,
        input: jsonOf(promptOf(data)),
        attributes: modelOf(data),
        ...this.#adapter.identityOf(identityIn(data.runtimeContext)),
      });
    });
  }

  onLanguageModelCallStart(event: unknown): void {
    this.#read(event, (callId, data) => this.#startModel(callId, data, messagesOf(data, data.messages)));
  }

  onObjectStepStart(event: unknown): void {
    this.#read(event, (callId, data) => this.#startModel(callId, data, messagesOf({}, data.promptMessages)));
  }

  onLanguageModelCallEnd(event: unknown): void {
    this.#read(event, (callId, data) => {
      this.#endModel(callId, answered(data, partsOf(data.content)));
      for (const { facts, result } of reportedToolCallsIn(objectsIn(data.content))) {
        const id = spanIdOf(callId, facts.toolCallId);
        this.#adapter.recorder.start({ id, parentId: callId, kind: "tool", ...facts });
        this.#adapter.recorder.end(id, result);
      }
    });
  }

  onObjectStepEnd(event: unknown): void {
    this.#read(event, (callId, data) => {
      const text = textField(data, "objectText");
      this.#endModel(callId, answered(data, text === undefined ? [] : [{ type: "text", text }]));
    });
  }

  onToolExecutionStart(event: unknown): void {
    this.#read(event, (callId, data) => {
      const { toolCallId = "", toolName = "tool", input } = objectField(data, "toolCall");
      const id = spanIdOf(callId, String(toolCallId));
      this.#calls.get(callId)?.tools.add(id);
      this.#adapter.recorder.start({
        id,
        parentId: callId,
        kind: "tool",
        name: String(toolName),
        toolCallId: labelOf(toolCallId),
        input: jsonOf(input),
      });
    });
  }

  onToolExecutionEnd(event: unknown): void {
    this.#read(event, (callId, data) => {
      const { toolCallId = "" } = objectField(data, "toolCall");
      const { type, output, error } = objectField(data, "toolOutput");
      const id = spanIdOf(callId, String(toolCallId));
      if (this.#calls.get(callId)?.tools.delete(id) !== true) return;
      const result = type === "tool-error" ? { error: errorOf(error) } : { output: jsonOf(output) };
      this.#adapter.recorder.end(id, result);
    });
  }

  onEnd(event: unknown): void {
    this.#read(event, (callId, data) => {
      const tokens = objectField(data, "usage").tokens;
      const usage = tokens === undefined ? undefined : usageIn({ inputTokens: tokens });
      const output = jsonOf(textField(data, "text") ?? data.object);
      const thrown = data.error === undefined ? undefined : errorOf(data.error);
      const error = this.#calls.get(callId)?.broke ?? thrown;
      this.#end(callId, { output, usage, error, stopReason: textField(data, "finishReason") });
    });
  }

  onAbort(event: unknown): void {
    this.#read(event, (callId, { reason }) => {
      const error = reason === undefined ? undefined : errorOf(reason);
      // A timeout ends a stream in the same way.
      this.#end(callId, { error, isCancelled: error?.type !== "TimeoutError" });
    });
  }

  onError(event: unknown): void {
    this.#read(event, (callId, data) => this.#end(callId, { error: errorOf(data.error) }));
  }

  /** Errors that are parts of a stream are reported nowhere else. */
  async executeLanguageModelCall<T>(options: {
    readonly callId: string;
    readonly execute: () => PromiseLike<T>;
  }): Promise<T> {
    const result = await options.execute();
    if (!isJsonObject(result) || !(result.stream instanceof ReadableStream)) return result;
    const transform = (part: unknown, controller: TransformStreamDefaultController) => {
      if (isJsonObject(part) && part.type === "error") this.#break(options.callId, part.error);
      controller.enqueue(part);
    };
    return { ...result, stream: result.stream.pipeThrough(new TransformStream({ transform })) };
  }

  executeTool<T>(options: {
    readonly callId: string;
    readonly toolCallId: string;
    readonly execute: () => PromiseLike<T>;
  }): PromiseLike<T> {
    return this.#tool.run(spanIdOf(options.callId, options.toolCallId), options.execute);
  }

  #startModel(callId: string, data: JsonObject, messages: readonly Message[]): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    // A retried stream starts from the beginning.
    this.#endModel(callId, {});
    call.broke = undefined;
    call.modelCalls++;
    call.model = `${callId}:model-${call.modelCalls}`;
    this.#adapter.recorder.start({
      id: call.model,
      parentId: callId,
      kind: "model",
      name: labelOf(data.modelId) ?? "model",
      ...modelOf(data),
      messages: jsonOf(messages) as readonly Message[],
    });
  }

  #endModel(callId: string, result: RunSpanResult): void {
    const call = this.#calls.get(callId);
    if (call?.model === undefined) return;
    this.#adapter.recorder.end(call.model, { ...result, error: result.error ?? call.broke });
    call.model = undefined;
  }

  #break(callId: string, thrown: unknown): void {
    this.#adapter.safely(() => {
      const call = this.#calls.get(callId);
      if (call !== undefined) call.broke = errorOf(thrown);
    });
  }

  /** After a call fails or is aborted, the SDK reports nothing more about the steps inside it. */
  #end(callId: string, result: RunSpanResult): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    const { error, isCancelled } = result;
    this.#endModel(callId, { error, isCancelled });
    for (const tool of call.tools) this.#adapter.recorder.end(tool, { error, isCancelled });
    this.#calls.delete(callId);
    this.#adapter.recorder.end(callId, result);
  }

  #read(event: unknown, work: (callId: string, data: JsonObject) => void): void {
    this.#adapter.safely(() => {
      const callId = isJsonObject(event) ? textField(event, "callId") : undefined;
      if (callId !== undefined) work(callId, event as JsonObject);
    });
  }
}

const spanIdOf = (callId: string, toolCallId: string) => `${callId}:${toolCallId}`;
