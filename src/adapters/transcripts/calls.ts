import { hash53 } from "../../domain/text/fingerprints.js";
import { NO_USAGE, type TokenUsage, totalTokens } from "../../domain/usage/token-usage.js";
import type { ConversationState } from "./conversation-state.js";
import type { SpawnNote, ToolOutcome } from "./parts.js";
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
  /** Recorded cost, in US dollars. */
  recordedUsd?: number;
  /** The characters that it wrote, where its count is so small that it may be none. */
  writtenSize: number;
}

/** Facts in a record about the model call that it is a part of. */
export interface ReportedCall {
  /** The id that the API gave its message; a message without one is named by its line. */
  readonly messageId: string | undefined;
  /** Name of the call in the trace if its message has no id. */
  readonly recordId: string;
  readonly model: string | undefined;
  /** True if the model must be stored, because no record of the call itself names it. Default is that a record names it. */
  readonly keepsModel?: boolean;
  readonly usage: TokenUsage;
  /**
   * True if it did not answer the conversation, such as a call for a summary or by a tool. It then clears no failure, and its context is
   * unavailable. Without `durationMs`, its start is unavailable, too. Default is false.
   */
  readonly isBeside?: boolean;
  /** Duration in milliseconds. Default is the time since the conversation had the input of the call, if that is recorded. */
  readonly durationMs?: number | undefined;
  /** True if a token count is invalid. Default is false. */
  readonly hasOddCount?: boolean;
  /** Cost of the call, in US dollars, if it is recorded. */
  readonly recordedUsd?: number | undefined;
  /** The characters that the record holds of the answer: only of a call with a count so small that it may be none. Default is 0. */
  readonly writtenSize?: number;
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
  begin(
    key: string,
    { messageId, recordId, model, keepsModel }: ReportedCall,
    conversation: Pick<ConversationState, "ordinal" | "model">,
    instant: number,
  ): number {
    const call = {
      conversation: conversation.ordinal,
      callId: messageId ?? recordId,
      hasMessageId: messageId !== undefined,
      ...(keepsModel && model !== undefined ? { model } : {}),
      asked: this.#sameText(conversation.model),
      instant,
      usage: NO_USAGE,
      writtenSize: 0,
    };
    const ordinal = this.list.push(call) - 1;
    this.#ordinals.set(key, ordinal);
    return ordinal;
  }

  /** Returns the previous call's text if it is equal: each record has a separate string, and there are many calls. */
  #sameText(model: string | undefined): string | undefined {
    const before = this.list.at(-1)?.asked;
    return model === before ? before : model;
  }

  /**
   * Every line of a message repeats its usage, the last one with the complete output: the largest output counts. Of two with equal output
   * the one with the larger total counts: the other may report only the output.
   */
  count(
    ordinal: number,
    usage: TokenUsage,
    { recordedUsd, writtenSize = 0 }: Pick<ReportedCall, "recordedUsd" | "writtenSize"> = {},
  ): void {
    const call = this.list[ordinal]!;
    call.writtenSize += writtenSize;
    if (recordedUsd !== undefined) call.recordedUsd = recordedUsd;
    const more = usage.outputTokens - call.usage.outputTokens || totalTokens(usage) - totalTokens(call.usage);
    if (call.usage === NO_USAGE || more > 0) call.usage = usage;
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
  /** The ends of an agent in the background, which further records tell of. */
  readonly ends: SpawnResult[];
}

/** A call that began a group of sub-agents, and who called. */
export interface GroupCall {
  readonly toolCallId: string;
  readonly callerId: string;
}

/** Location of the result of such a call. Its text is read on request. */
export interface SpawnResult {
  readonly place: LineLocation;
  readonly isInner: boolean;
  /** The number of the part among those of its record. */
  readonly part: number;
  readonly instant: number | undefined;
  readonly outcome: ToolOutcome;
  /** The agent continues in the background: this is not its result. */
  readonly isLaunch: boolean;
}

/** The tool calls of a file: their names, until each has its result, and those that spawned sub-agents. */
export class ToolCalls {
  readonly names: string[] = [];
  readonly spawns = new Map<string, SpawnCall>();
  /** Calls that spawned each agent, or gave it another task, as named by results and progress records. */
  readonly spawnsOf = new Map<string, Set<string>>();
  /** Calls that started each group of agents. */
  readonly groups = new Map<string, GroupCall>();
  readonly #ordinals = new Map<string, number>();
  readonly #open = new Map<string, number>();
  #ends = 0;

  get bytes(): number {
    const { names, spawns, spawnsOf, groups } = this;
    const agents = (spawns.size + this.#ends) * 400 + (spawnsOf.size + groups.size) * 200;
    return names.length * 120 + agents + this.#open.size * 80;
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

  /** A call gives a sub-agent something to do. */
  spawn(
    toolCallId: string,
    { role, description, prompt }: SpawnNote,
    callerId: string,
    instant: number | undefined,
  ): void {
    const promptKey = prompt === undefined ? undefined : hash53(prompt);
    const call = { toolCallId, role, description, promptKey, callerId, instant, result: undefined, ends: [] };
    this.spawns.set(toolCallId, call);
  }

  /** The result of a call, where that gave a sub-agent something to do. */
  give(toolCallId: string, result: SpawnResult): void {
    const spawn = this.spawns.get(toolCallId);
    if (spawn !== undefined) spawn.result = result;
  }

  /** The end of what a call gave a sub-agent to do in the background. */
  endJob(toolCallId: string, agentId: string | undefined, end: SpawnResult): void {
    const spawn = this.spawns.get(toolCallId);
    if (spawn === undefined) return;
    spawn.ends.push(end);
    this.#ends++;
    if (agentId !== undefined) this.link(agentId, toolCallId);
  }

  newestSpawnOf(agentId: string | undefined): string | undefined {
    return [...(this.spawnsOf.get(agentId ?? "") ?? [])].at(-1);
  }

  link(agentId: string, toolCallId: string): void {
    const known = this.spawnsOf.get(agentId);
    if (known === undefined) this.spawnsOf.set(agentId, new Set([toolCallId]));
    else known.add(toolCallId);
  }
}
