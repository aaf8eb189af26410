import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Message } from "../../domain/conversation/message.js";
import {
  isJsonObject,
  type JsonObject,
  jsonIn,
  labelOf,
  objectField,
  textField,
} from "../../domain/json/json.js";
import type { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpan, RunSpanResult, SpanIdentity } from "../../recording/run-span.js";
import {
  errorOf,
  FrameworkAdapter,
  type FrameworkOptions,
  identityIn,
  remember,
} from "./framework-adapter.js";
import { answerIn, messageOf, messagesIn, plainOf } from "./langchain-messages.js";

/**
 * Tells a {@link RunRecorder} what LangChain and LangGraph call back. The outermost run is a turn, a graph inside of it a sub-agent. No
 * call throws or waits for the store.
 *
 * @example
 * const recorder = new RunRecorder(createFilesystemSessionStore("./data"));
 * await graph.invoke(input, { callbacks: [new InspectorCallbackHandler(recorder)], configurable: { thread_id: "s1" } });
 */
export class InspectorCallbackHandler extends BaseCallbackHandler {
  readonly name = "agent-inspector";
  readonly #adapter: FrameworkAdapter;
  /** What lies around steps that are not recorded. */
  readonly #passed = new Map<string, string | undefined>();

  constructor(recorder: RunRecorder, options: FrameworkOptions = {}) {
    // Called in the order of what happens, not from a queue: the calls take no time.
    super({ _awaitHandler: true, raiseError: false });
    this.#adapter = new FrameworkAdapter("LangChain", recorder, options);
  }

  override handleChainStart(
    chain: unknown,
    inputs: unknown,
    runId: string,
    parentRunId?: string,
    tags?: unknown,
    metadata?: unknown,
    _runType?: string,
    runName?: string,
  ): void {
    this.#adapter.safely(() => {
      const name = runName ?? lastOf(objectField({ chain }, "chain").id) ?? "chain";
      const isAgent = parentRunId === undefined || isGraph(chain);
      if (!isAgent && !isNode(name, tags, metadata)) remember(this.#passed, runId, parentRunId);
      else {
        const node = pick(metadata, ["langgraph_node", "langgraph_step"]);
        const facts = isAgent
          ? { kind: "agent" as const, input: plainOf(inputs) }
          : { kind: "other" as const, attributes: node };
        this.#start(runId, parentRunId, metadata, { name, ...facts });
      }
    });
  }

  override handleChainEnd(outputs: unknown, runId: string): void {
    this.#end(runId, () => ({ output: lastTextIn(outputs) ?? plainOf(outputs) }));
  }

  override handleChainError(error: unknown, runId: string): void {
    this.#fail(runId, error);
  }

  override handleChatModelStart(
    llm: unknown,
    messages: unknown,
    runId: string,
    parentRunId?: string,
    extraParams?: unknown,
    _tags?: unknown,
    metadata?: unknown,
  ): void {
    this.#startModel(llm, runId, parentRunId, extraParams, metadata, () => messagesIn(messages));
  }

  override handleLLMStart(
    llm: unknown,
    prompts: unknown,
    runId: string,
    parentRunId?: string,
    extraParams?: unknown,
    _tags?: unknown,
    metadata?: unknown,
  ): void {
    const asked = () => [prompts].flat().map((content) => ({ role: "user", content }));
    this.#startModel(llm, runId, parentRunId, extraParams, metadata, asked);
  }

  override handleLLMEnd(output: unknown, runId: string): void {
    this.#end(runId, () => answerIn(output));
  }

  override handleLLMError(error: unknown, runId: string): void {
    this.#fail(runId, error);
  }

  override handleToolStart(
    tool: unknown,
    input: string,
    runId: string,
    parentRunId?: string,
    _tags?: unknown,
    metadata?: unknown,
    runName?: string,
    toolCallId?: string,
  ): void {
    this.#adapter.safely(() => {
      const name = runName ?? lastOf(objectField({ tool }, "tool").id) ?? "tool";
      const given = typeof input === "string" ? (jsonIn(input) ?? input) : plainOf(input);
      this.#start(runId, parentRunId, metadata, { kind: "tool", name, toolCallId, input: given });
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

  override handleToolError(error: unknown, runId: string): void {
    this.#fail(runId, error);
  }

  override handleRetrieverStart(
    retriever: unknown,
    query: string,
    runId: string,
    parentRunId?: string,
    _tags?: unknown,
    metadata?: unknown,
    name?: string,
  ): void {
    this.#adapter.safely(() => {
      const ownName = name ?? lastOf(objectField({ retriever }, "retriever").id) ?? "retriever";
      this.#start(runId, parentRunId, metadata, { kind: "other", name: ownName, attributes: { query } });
    });
  }

  override handleRetrieverEnd(_documents: unknown, runId: string): void {
    this.#end(runId, () => ({}));
  }

  override handleRetrieverError(error: unknown, runId: string): void {
    this.#fail(runId, error);
  }

  #startModel(
    llm: unknown,
    runId: string,
    parentRunId: string | undefined,
    extraParams: unknown,
    metadata: unknown,
    messages: () => readonly Message[],
  ): void {
    this.#adapter.safely(() => {
      const told = isJsonObject(metadata) ? metadata : {};
      const params = objectField(isJsonObject(extraParams) ? extraParams : {}, "invocation_params");
      const model = textField(told, "ls_model_name") ?? textField(params, "model");
      const name = model ?? lastOf(objectField({ llm }, "llm").id) ?? "model";
      const provider = textField(told, "ls_provider");
      this.#start(runId, parentRunId, metadata, {
        kind: "model",
        name,
        model,
        provider,
        messages: messages(),
      });
    });
  }

  #start(id: string, parentRunId: string | undefined, metadata: unknown, facts: Omit<RunSpan, "id">): void {
    let parentId = parentRunId;
    while (parentId !== undefined && this.#passed.has(parentId)) parentId = this.#passed.get(parentId);
    const identity = parentRunId === undefined ? this.#adapter.identityOf(identityOf(metadata)) : {};
    this.#adapter.recorder.start({ id, parentId, ...identity, ...facts });
  }

  #end(runId: string, result: () => RunSpanResult): void {
    this.#adapter.safely(() => {
      if (!this.#passed.delete(runId)) this.#adapter.recorder.end(runId, result());
    });
  }

  /** A graph that waits for a person, or goes on elsewhere, says so by throwing. */
  #fail(runId: string, thrown: unknown): void {
    const isSignal = isJsonObject(thrown) && thrown.is_bubble_up === true;
    this.#end(runId, () => (isSignal ? { output: labelOf(thrown.name) } : { error: errorOf(thrown) }));
  }
}

function isGraph(chain: unknown): boolean {
  return /^Compiled\w*Graph$|^Pregel$|^RemoteGraph$|^AgentExecutor$/.test(
    lastOf(objectField({ chain }, "chain").id) ?? "",
  );
}

/** Of a graph its nodes are recorded and not what they consist of; elsewhere, all steps that are not hidden. */
function isNode(name: string, tags: unknown, metadata: unknown): boolean {
  const node = isJsonObject(metadata) ? metadata.langgraph_node : undefined;
  const isHidden = Array.isArray(tags) && tags.includes("langsmith:hidden");
  return !isHidden && (node === undefined || node === name);
}

/** A thread of a graph is a session. */
function identityOf(metadata: unknown): SpanIdentity {
  if (!isJsonObject(metadata)) return {};
  const told = identityIn(metadata);
  const sessionId = told.sessionId ?? labelOf(metadata.session_id) ?? labelOf(metadata.thread_id);
  return { ...told, sessionId, userId: told.userId ?? labelOf(metadata.user_id) };
}

function pick(metadata: unknown, names: readonly string[]): JsonObject {
  const told = isJsonObject(metadata) ? metadata : {};
  return Object.fromEntries(names.filter((name) => name in told).map((name) => [name, told[name]]));
}

function lastTextIn(outputs: unknown): string | undefined {
  if (!isJsonObject(outputs) || !Array.isArray(outputs.messages)) return undefined;
  const { content } = messageOf(outputs.messages.at(-1));
  return typeof content === "string" ? content : undefined;
}

function lastOf(list: unknown): string | undefined {
  return Array.isArray(list) ? labelOf(list.at(-1)) : undefined;
}
