import { NO_USAGE, type TokenUsage } from "../../domain/session/session.js";
import type { LineLocation } from "./trace-rows.js";

/** One message of the API, however many lines it was written as. */
export interface TranscriptCall {
  readonly conversation: number;
  /** The id that the API gave its message; of a message without one, an id made of its line. */
  readonly callId: string;
  readonly hasMessageId: boolean;
  /** The model, where the record that reports it is another than those of the message. */
  readonly model?: string | undefined;
  /** The model that its conversation had last named when it began. */
  readonly asked: string | undefined;
  /** When it began; `NaN` where nobody knows. */
  readonly instant: number;
  usage: TokenUsage;
  /** What it cost, in US dollars, where it is recorded. */
  recordedUsd?: number;
}

export class ModelCalls {
  readonly list: TranscriptCall[] = [];
  readonly #ordinals = new Map<string, number>();

  get bytes(): number {
    return this.list.length * 260;
  }

  find(key: string): number | undefined {
    return this.#ordinals.get(key);
  }

  /** @returns the number of the new call */
  add(key: string, call: Omit<TranscriptCall, "usage" | "recordedUsd">): number {
    const ordinal = this.list.push({ ...call, usage: NO_USAGE }) - 1;
    this.#ordinals.set(key, ordinal);
    return ordinal;
  }

  /** Every line of a message repeats its usage, the last one with all of its output: the largest output counts. */
  count(ordinal: number, usage: TokenUsage): void {
    const call = this.list[ordinal]!;
    if (call.usage === NO_USAGE || usage.outputTokens > call.usage.outputTokens) call.usage = usage;
  }
}

export interface SpawnCall {
  readonly toolCallId: string;
  readonly role: string | undefined;
  readonly description: string | undefined;
  readonly promptKey: number | undefined;
  /** Who called: the agent of the conversation. */
  readonly callerId: string;
  readonly instant: number | undefined;
  result: SpawnResult | undefined;
}

/** How a tool call ended; `refused` where a person did not allow it, which is no error. */
export type ToolOutcome = "completed" | "failed" | "refused";

/** Where the result of such a call lies. Its text is read when it is asked for. */
export interface SpawnResult {
  readonly place: LineLocation;
  readonly isInner: boolean;
  readonly block: number;
  readonly instant: number | undefined;
  readonly outcome: ToolOutcome;
  /** The agent goes on in the background: this is not its result. */
  readonly isLaunch: boolean;
}

/** The tool calls of a file: their names, until each has its result, and those that spawned sub-agents. */
export class ToolCalls {
  readonly names: string[] = [];
  readonly spawns = new Map<string, SpawnCall>();
  /** Which calls spawned which agent, or gave it more to do, as results and progress records name them. */
  readonly spawnsOf = new Map<string, Set<string>>();
  readonly #ordinals = new Map<string, number>();
  readonly #open = new Map<string, number>();

  get bytes(): number {
    const { names, spawns, spawnsOf } = this;
    return names.length * 120 + spawns.size * 400 + spawnsOf.size * 200 + this.#open.size * 80;
  }

  begin(toolCallId: string, name: string): void {
    const ordinal = this.#ordinals.get(name) ?? this.names.push(name) - 1;
    this.#ordinals.set(name, ordinal);
    this.#open.set(toolCallId, ordinal);
  }

  /** The name of the tool that ends, by its number plus one; 0 for an end without a beginning. */
  end(toolCallId: string): number {
    const ordinal = this.#open.get(toolCallId);
    this.#open.delete(toolCallId);
    return ordinal === undefined ? 0 : ordinal + 1;
  }

  isOpen(toolCallId: string): boolean {
    return this.#open.has(toolCallId);
  }

  link(agentId: string, toolCallId: string): void {
    const known = this.spawnsOf.get(agentId);
    if (known === undefined) this.spawnsOf.set(agentId, new Set([toolCallId]));
    else known.add(toolCallId);
  }
}
