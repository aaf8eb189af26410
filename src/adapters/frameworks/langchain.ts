import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Message } from "../../domain/conversation/message.js";
import {
  isJsonObject,
  type JsonObject,
  labelOf,
  objectField,
  parsedText,
  textField,
} from "../../domain/json/json.js";
import type { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanFacts, RunSpanResult, SpanIdentity } from "../../recording/run-span.js";
import { FrameworkAdapter, type FrameworkOptions, remember } from "./framework-adapter.js";
import { errorOf, identityIn, jsonOf, objectOf, objectsIn } from "./framework-values.js";
import { answerIn, messageOf, messagesIn, plainOf } from "./langchain-messages.js";

type Started = [what: unknown, argument: unknown, runId: string, parentRunId?: string, ...others: unknown[]];

interface Naming {
  readonly metadata: unknown;
  readonly runName?: unknown;
  readonly otherwise: string;
}

/**
 * The outermost run is a turn; a graph inside it is a sub-agent. No call throws or waits for the store.
 * @example
 * const recorder = new RunRecorder(createFilesystemSessionStore("./data"));
 * await graph.invoke(input, { callbacks: [new InspectorCallbackHandler(recorder)], configurable: { thread_id: "s1" } });
 */
export class InspectorCallbackHandler extends BaseCallbackHandler {
  readonly name = "agent-inspector";
  readonly #adapter: FrameworkAdapter;
  readonly #signals = new Map<string, AbortSignal>();
  readonly #waiting = new Map<string, NonNullable<RunSpanResult["waitsFor"]>>();
  readonly #reasons = new Map<string, NonNullable<RunSpanResult["error"]>>();

  constructor(recorder: RunRecorder, options: FrameworkOptions = {}) {
    // In the order of events, not from a queue: the calls take no time.
    super({ _awaitHandler: true, raiseError: false });
    Object.defineProperty(this, GRAPH_CALLBACK_HANDLER, { value: true });
    this.#adapter = new FrameworkAdapter("LangChain", recorder, options);
  }

  override handleChainStart(...started: Started): void {
    const [chain, inputs, , parentRunId, tags, metadata, , runName] = started;
    this.#start(started, { metadata, runName, otherwise: "chain" }, (name) => {
      const isAgent = parentRunId === undefined || GRAPH.test(lastOf(objectOf(chain).id) ?? "");
      if (isAgent) return { kind: "agent", name, input: plainOf(isResume(inputs) ? inputs.resume : inputs) };
      const attributes = pick(metadata, ["langgraph_node", "langgraph_step"]);
      return isNode(name, tags, metadata) ? { kind: "other", name, attributes } : undefined;
    });
  }

  override handleChainEnd(outputs: unknown, runId: string): void {
    this.#end(runId, () => {
      const waitsFor = this.#waiting.get(runId);
      return waitsFor === undefined ? { output: lastTextIn(outputs) ?? plainOf(outputs) } : { waitsFor };
    });
  }

  override handleChainError(error: unknown, runId: string, parentRunId?: string): void {
    this.#fail(runId, error, parentRunId);
  }

  /** LangGraph calls this before the end of an outermost graph that waits for a person, also at `interruptBefore` and `interruptAfter`. */
  handleInterrupt(event: unknown): void {
    this.#adapter.safely(() => {
      const { runId, interrupts } = objectOf(event);
      if (typeof runId === "string") remember(this.#waiting, runId, { prompt: questionsIn(interrupts) });
    });
  }

  override handleChatModelStart(...started: Started): void {
    this.#startModel(started, () => messagesIn(started[1]));
  }

  override handleLLMStart(...started: Started): void {
    this.#startModel(started, () => [started[1]].flat().map((content) => ({ role: "user", content })));
  }

  override handleLLMEnd(output: unknown, runId: string): void {
    this.#end(runId, () => answerIn(output));
  }

  override handleLLMError(error: unknown, runId: string, parentRunId?: string): void {
    this.#fail(runId, error, parentRunId);
  }

  override handleToolStart(...started: Started): void {
    const [, input, , , , metadata, runName, toolCallId] = started;
    this.#start(started, { metadata, runName, otherwise: "tool" }, (name) => {
      const argument = typeof input === "string" ? parsedText(input) : plainOf(input);
      return { kind: "tool", name, toolCallId: toolCallId as string | undefined, input: argument };
    });
  }

  override handleToolEnd(output: unknown, runId: string): void {
    this.#end(runId, () => {
      if (!isJsonObject(output) || output.tool_call_id === undefined) return { output: plainOf(output) };
      const content = plainOf(output.content);
      const hasFailed = output.status === "error";
      return hasFailed ? { error: errorOf(content) } : { output: content };
    });
  }

  override handleToolError(error: unknown, runId: string, parentRunId?: string): void {
    this.#fail(runId, error, parentRunId);
  }

  override handleRetrieverStart(...started: Started): void {
    const [, query, , , , metadata, runName] = started;
    const naming = { metadata, runName, otherwise: "retriever" };
    this.#start(started, naming, (name) => ({ kind: "other", name, query: labelOf(query) }));
  }

  override handleRetrieverEnd(documents: unknown, runId: string): void {
    this.#end(runId, () => ({ attributes: { documents: objectsIn(documents).map(documentOf) } }));
  }

  override handleRetrieverError(error: unknown, runId: string, parentRunId?: string): void {
    this.#fail(runId, error, parentRunId);
  }

  #startModel(started: Started, messages: () => readonly Message[]): void {
    const [, , runId, , extraParams, , metadata] = started;
    const { signal } = objectField(objectOf(extraParams), "options");
    if (signal instanceof AbortSignal) remember(this.#signals, runId, signal);
    this.#start(started, { metadata, otherwise: "model" }, (name) => {
      const fields = objectOf(metadata);
      const params = objectField(objectOf(extraParams), "invocation_params");
      const model = textField(fields, "ls_model_name") ?? textField(params, "model");
      const provider = textField(fields, "ls_provider");
      return { kind: "model", name: model ?? name, model, provider, messages: messages() };
    });
  }

  #start(
    [what, , id, parentRunId]: Started,
    { metadata, runName, otherwise }: Naming,
    factsOf: (name: string) => RunSpanFacts | undefined,
  ): void {
    this.#adapter.safely(() => {
      const name = (runName as string | undefined) ?? lastOf(objectOf(what).id) ?? otherwise;
      const facts = factsOf(name);
      if (facts === undefined) return this.#adapter.pass(id, parentRunId);
      const identity = parentRunId === undefined ? this.#adapter.identityOf(identityOf(metadata)) : {};
      this.#adapter.recorder.start({
        id,
        parentId: this.#adapter.around(parentRunId),
        ...identity,
        ...facts,
      });
    });
  }

  #end(runId: string, result: () => RunSpanResult): void {
    this.#adapter.safely(() => {
      if (!this.#adapter.leave(runId)) this.#adapter.recorder.end(runId, result());
      this.#signals.delete(runId);
      this.#waiting.delete(runId);
      this.#reasons.delete(runId);
    });
  }

  /** A step that waits for a person, or continues elsewhere, reports it by throwing. */
  #fail(runId: string, thrown: unknown, parentRunId: string | undefined): void {
    const isSignal = isJsonObject(thrown) && thrown.is_bubble_up === true;
    this.#end(runId, () => (isSignal ? signalOf(thrown) : this.#failureOf(runId, thrown, parentRunId)));
  }

  /** An aborted run fails with the abort reason; its graph fails with only a message. */
  #failureOf(runId: string, thrown: unknown, parentRunId: string | undefined): RunSpanResult {
    const error = errorOf(thrown);
    const signal = this.#signals.get(runId);
    const reason = signal?.aborted === true ? errorOf(signal.reason) : this.#reasons.get(runId);
    if (!isAbort(error) && error.message !== reason?.message) return { error };
    const why = reason ?? error;
    const around = this.#adapter.around(parentRunId);
    if (around !== undefined) remember(this.#reasons, around, why);
    // A timeout aborts in the same way.
    return { error: why, isCancelled: why.type !== "TimeoutError" };
  }
}

/** LangGraph calls handlers with this member for interrupts. LangChain works without LangGraph, so its class is not imported. */
const GRAPH_CALLBACK_HANDLER = Symbol.for("langgraph.graph_callback_handler");

function signalOf(thrown: JsonObject): RunSpanResult {
  const isInterrupt = thrown.name === "GraphInterrupt" || thrown.name === "NodeInterrupt";
  const waitsFor = isInterrupt ? { prompt: questionsIn(thrown.interrupts) } : undefined;
  return { output: labelOf(thrown.name), waitsFor };
}

function questionsIn(interrupts: unknown): string | undefined {
  const questions = objectsIn(interrupts).flatMap(({ value }) => {
    return labelOf(objectOf(value).question ?? value) ?? JSON.stringify(jsonOf(value)) ?? [];
  });
  return questions.length === 0 ? undefined : questions.join("\n");
}

function documentOf({ id, pageContent, metadata }: JsonObject): unknown {
  return jsonOf({ id, pageContent, metadata });
}

function isResume(inputs: unknown): inputs is JsonObject {
  return isJsonObject(inputs) && inputs.lg_name === "Command" && inputs.resume !== undefined;
}

/** Also the abort of a graph around the run. */
function isAbort({ type, message }: NonNullable<RunSpanResult["error"]>): boolean {
  return type === "AbortError" || type === "ModelAbortError" || (type === "Error" && message === "Abort");
}

const GRAPH = /^Compiled\w*Graph$|^Pregel$|^RemoteGraph$|^AgentExecutor$/;

/** Of a graph, only its nodes are recorded; elsewhere, all steps that are not hidden. */
function isNode(name: string, tags: unknown, metadata: unknown): boolean {
  const node = objectOf(metadata).langgraph_node;
  const isHidden = Array.isArray(tags) && tags.includes("langsmith:hidden");
  return !isHidden && (node === undefined || node === name);
}

/** A thread of a graph is a session. */
function identityOf(metadata: unknown): SpanIdentity {
  if (!isJsonObject(metadata)) return {};
  const fields = identityIn(metadata);
  const sessionId = fields.sessionId ?? labelOf(metadata.session_id) ?? labelOf(metadata.thread_id);
  return { ...fields, sessionId, userId: fields.userId ?? labelOf(metadata.user_id) };
}

function pick(metadata: unknown, names: readonly string[]): JsonObject {
  const fields = objectOf(metadata);
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

function lastTextIn(outputs: unknown): string | undefined {
  if (!isJsonObject(outputs) || !Array.isArray(outputs.messages)) return undefined;
  const { content } = messageOf(outputs.messages.at(-1));
  return typeof content === "string" ? content : undefined;
}

function lastOf(list: unknown): string | undefined {
  return Array.isArray(list) ? labelOf(list.at(-1)) : undefined;
}
