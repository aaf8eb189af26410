import type { Message } from "../domain/conversation/message.js";
import type { RecordableEvent } from "../domain/trace/runtime-event.js";
import { ModelContext } from "./model-context.js";
import type { Scene } from "./scene.js";

export interface ScriptedCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly output?: unknown;
  readonly isError?: boolean;
  readonly ms?: number;
  readonly tokens?: number;
  perform?(caller: Actor, toolCallId: string): ToolResult;
}

export function call(
  name: string,
  input: ScriptedCall["input"],
  output: string,
  ms: number,
  more: Pick<ScriptedCall, "isError" | "tokens"> = {},
): ScriptedCall {
  return { name, input, output, ms, ...more };
}

export function use(...scripted: Parameters<typeof call>): ScriptedAnswer {
  return { calls: [call(...scripted)] };
}

export type ToolResult =
  | { readonly at: number; readonly output: unknown; readonly isError?: boolean }
  | "running";

export interface ScriptedAnswer {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly stopReason?: string;
}

export class Actor {
  /** Milliseconds since the session began. */
  at: number;
  readonly scene: Scene;
  /** `undefined` for the session's main agent. */
  readonly agentId: string | undefined;
  readonly model: string;
  readonly context: ModelContext;
  readonly #trace: string;
  #turns = 0;

  constructor(scene: Scene, at = 0, agentId?: string, model = "claude-sonnet-4-5") {
    this.scene = scene;
    this.at = at;
    this.agentId = agentId;
    this.model = model;
    this.context = new ModelContext(agentId === undefined ? 4_180 : 1_640);
    this.#trace = agentId ?? "main";
    this.record({ type: "session.start", model });
  }

  wait(ms: number): void {
    this.at += ms;
  }

  record(event: RecordableEvent, at = this.at): void {
    const named = this.agentId === undefined ? event : { ...event, agentId: this.agentId };
    this.scene.cue(at, (stage) => stage.trace(this.#trace).record(named));
  }

  addMessages(...messages: Message[]): void {
    for (const message of messages) this.context.add(message.content);
    if (this.agentId === undefined) {
      this.scene.cue(this.at, ({ session }) => session.appendMessages(messages));
    }
  }

  turn(
    prompt: unknown,
    act: () => void,
    ending: { readonly failed?: string; readonly open?: boolean } = {},
  ): void {
    const turnIndex = this.#turns++;
    this.record({ type: "turn.start", turnIndex, input: prompt });
    this.addMessages({ role: "user", content: prompt });
    this.wait(40);
    act();
    if (ending.open) return;
    this.wait(15);
    const { failed } = ending;
    if (failed !== undefined) this.record({ type: "error", error: { message: failed } });
    this.record(
      failed === undefined
        ? { type: "turn.end", turnIndex, outcome: "completed" }
        : { type: "turn.end", turnIndex, outcome: "failed", error: failed },
    );
    if (this.agentId !== undefined) return;
    this.scene.endRun(this.at);
    const spent = this.scene.takeSpent();
    this.scene.cue(this.at, ({ session }) => session.recordTurn(spent));
  }

  answer(scripted: ScriptedAnswer | string): string {
    const answer: ScriptedAnswer = typeof scripted === "string" ? { text: scripted } : scripted;
    const calls = (answer.calls ?? []).map((call) => ({ ...call, id: this.scene.id("toolu") }));
    const content = [
      ...(answer.thinking === undefined
        ? []
        : [{ type: "thinking", thinking: answer.thinking, signature: this.scene.id("sig") }]),
      ...(answer.text === undefined ? [] : [{ type: "text", text: answer.text }]),
      ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
    ];
    this.callModel(content, answer.stopReason ?? (calls.length > 0 ? "tool_use" : "end_turn"));
    this.addMessages({ role: "assistant", content });
    if (calls.length > 0) this.#runTools(calls);
    return answer.text ?? "";
  }

  callModel(content: readonly object[], stopReason: string): void {
    const { model } = this;
    const callId = this.scene.id("call");
    this.record({ type: "llm.start", callId, model });
    const usage = this.context.call(content);
    this.scene.spend(usage);
    this.wait(650 + usage.outputTokens * 11);
    this.record({ type: "llm.end", callId, model, usage, stopReason });
  }

  compact(summary: string): void {
    const tokensBefore = this.context.tokens;
    this.record({ type: "compaction.start", trigger: "context_length", tokensBefore });
    this.callModel([{ type: "text", text: summary }], "end_turn");
    const messages = [{ role: "user", content: `[Summary of the conversation so far]\n${summary}` }];
    this.context.replace(messages);
    this.scene.cue(this.at, ({ session }) => session.compactMessages(messages));
    this.record({ type: "compaction.end", tokensBefore, tokensAfter: this.context.tokens });
  }

  #runTools(calls: readonly (ScriptedCall & { readonly id: string })[]): void {
    const begun = this.at;
    let ended = begun;
    const results: object[] = [];
    for (const call of calls) {
      const { id: toolCallId, name: toolName, input } = call;
      this.record({ type: "tool.start", toolCallId, toolName, input }, begun);
      this.at = begun;
      const done = call.perform?.(this, toolCallId) ?? { ...call, at: begun + (call.ms ?? 0) };
      if (done === "running") continue;
      const { at, output = "", isError = false } = done;
      ended = Math.max(ended, at);
      this.record({ type: "tool.end", toolCallId, toolName, output, isError }, at);
      this.context.addTokens(call.tokens ?? 0);
      results.push({
        type: "tool_result",
        tool_use_id: toolCallId,
        content: output,
        ...(isError ? { is_error: true } : {}),
      });
    }
    this.at = ended;
    if (results.length > 0) this.addMessages({ role: "user", content: results });
  }
}
