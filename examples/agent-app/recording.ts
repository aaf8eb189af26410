import { randomUUID } from "node:crypto";
import type { RecordableEvent, RecordedSession, RecordedTrace, TokenUsage } from "agent-inspector";
import { type LanguageModelMiddleware, type ToolSet, wrapLanguageModel } from "ai";
import type { Model } from "./model.js";

/** Records one agent's turn: its model calls and its tool calls, on a separate trace. */
export class Recording {
  readonly session: RecordedSession;
  readonly #trace: RecordedTrace;
  readonly #agentId: string | undefined;
  readonly #spent: TokenUsage[] = [];

  /** @param agentId which sub-agent; `undefined` for the session's own agent */
  constructor(session: RecordedSession, agentId?: string) {
    this.session = session;
    this.#trace = session.startTrace();
    this.#agentId = agentId;
  }

  get spent(): readonly TokenUsage[] {
    return this.#spent;
  }

  async record(event: RecordableEvent): Promise<void> {
    await this.#trace.record(this.#agentId === undefined ? event : { ...event, agentId: this.#agentId });
  }

  /** Also records calls that the package repeats after a failure. */
  model(model: Model): Model {
    const middleware: LanguageModelMiddleware = {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate }) => {
        const call = { callId: randomUUID(), model: model.modelId };
        await this.record({ type: "llm.start", ...call });
        try {
          const result = await doGenerate();
          const usage = usageOf(result.usage);
          this.#spent.push(usage);
          const stopReason = result.finishReason.raw ?? result.finishReason.unified;
          await this.record({ type: "llm.end", ...call, usage, stopReason });
          return result;
        } catch (error) {
          await this.record({
            type: "llm.end",
            ...call,
            stopReason: "error",
            error: { message: messageOf(error) },
          });
          throw error;
        }
      },
    };
    return wrapLanguageModel({ model, middleware });
  }

  /** A failure is rethrown to the package, which reports it to the model. */
  tools<T extends ToolSet>(tools: T): T {
    const recorded = Object.entries(tools).map(([toolName, { execute, ...rest }]) => {
      if (execute === undefined) return [toolName, rest];
      const recordedExecute: typeof execute = async (input, options) => {
        const call = { toolCallId: options.toolCallId, toolName };
        await this.record({ type: "tool.start", ...call, input });
        try {
          const output = await execute(input, options);
          await this.record({ type: "tool.end", ...call, output, isError: false });
          return output;
        } catch (error) {
          await this.record({ type: "tool.end", ...call, output: messageOf(error), isError: true });
          throw error;
        }
      };
      return [toolName, { ...rest, execute: recordedExecute }];
    });
    return Object.fromEntries(recorded);
  }
}

type ModelUsage = Awaited<ReturnType<Model["doGenerate"]>>["usage"];

/** `inputTokens` of the recorder exclude cached ones. */
function usageOf({ inputTokens, outputTokens }: ModelUsage): TokenUsage {
  const cacheReadTokens = inputTokens.cacheRead ?? 0;
  const cacheWriteTokens = inputTokens.cacheWrite ?? 0;
  const uncached = (inputTokens.total ?? 0) - cacheReadTokens - cacheWriteTokens;
  return {
    inputTokens: inputTokens.noCache ?? uncached,
    outputTokens: outputTokens.total ?? 0,
    cacheReadTokens,
    cacheWriteTokens,
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
