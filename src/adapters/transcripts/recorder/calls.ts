import { hash53 } from "../../../domain/text/fingerprints.js";
import { NO_USAGE, type TokenUsage, totalTokens } from "../../../domain/usage/token-usage.js";
import type { ConversationState } from "./conversation-state.js";
import type { SpawnNote, ToolOutcome } from "./parts.js";
import type { LineLocation } from "./trace-rows.js";

export interface TranscriptCall {
  readonly conversation: number;
  /** The API's ID of the message; without one, an ID from its line. */
  readonly callId: string;
  readonly hasMessageId: boolean;
  readonly model?: string | undefined;
  readonly requestedModel: string | undefined;
  readonly instant: number;
  usage: TokenUsage;
  recordedUsd?: number;
  /** Characters of its output, if the token count is too small to be plausible. */
  writtenSize: number;
}

export interface ReportedCall {
  /** The API's ID of the message; without one, its line names it. */
  readonly messageId: string | undefined;
  readonly recordId: string;
  readonly model: string | undefined;
  /** True if no record of the call itself names the model, so that it must be stored. Default is false. */
  readonly retainsModel?: boolean;
  readonly usage: TokenUsage;
  /**
   * True if it did not answer the conversation, such as a call for a summary or by a tool: it clears no failure, and has no context or,
   * without `durationMs`, start. Default is false.
   */
  readonly isBeside?: boolean;
  /** In milliseconds. Default is the time since the conversation had the call's input, or since its previous call. */
  readonly durationMs?: number | undefined;
  /** True if a token count is invalid. Default is false. */
  readonly hasOddCount?: boolean;
  /** In US dollars. */
  readonly recordedUsd?: number | undefined;
  /** Characters of the answer, only if the token count is too small to be plausible. Default is 0. */
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

  begin(
    key: string,
    { messageId, recordId, model, retainsModel }: ReportedCall,
    conversation: Pick<ConversationState, "ordinal" | "model">,
    instant: number,
  ): number {
    const call = {
      conversation: conversation.ordinal,
      callId: messageId ?? recordId,
      hasMessageId: messageId !== undefined,
      ...(retainsModel && model !== undefined ? { model } : {}),
      requestedModel: this.#sameText(conversation.model),
      instant,
      usage: NO_USAGE,
      writtenSize: 0,
    };
    const ordinal = this.list.push(call) - 1;
    this.#ordinals.set(key, ordinal);
    return ordinal;
  }

  /** Shares equal strings: each record has its own, and there are many calls. */
  #sameText(model: string | undefined): string | undefined {
    const before = this.list.at(-1)?.requestedModel;
    return model === before ? before : model;
  }

  /**
   * Every line of a message repeats its usage: the largest output counts. Of equal outputs the larger total counts, because the other may
   * report only the output.
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
  readonly callerId: string;
  readonly instant: number | undefined;
  result: SpawnResult | undefined;
  readonly ends: SpawnResult[];
}

export interface GroupCall {
  readonly toolCallId: string;
  readonly callerId: string;
}

export interface SpawnResult {
  readonly place: LineLocation;
  readonly isInner: boolean;
  readonly part: number;
  readonly instant: number | undefined;
  readonly outcome: ToolOutcome;
  /** The agent continues in the background: its result follows. */
  readonly isLaunch: boolean;
}

export class ToolCalls {
  readonly names: string[] = [];
  readonly spawns = new Map<string, SpawnCall>();
  readonly spawnsOf = new Map<string, Set<string>>();
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

  end(toolCallId: string): number {
    const ordinal = this.#open.get(toolCallId);
    this.#open.delete(toolCallId);
    return ordinal === undefined ? 0 : ordinal + 1;
  }

  isOpen(toolCallId: string): boolean {
    return this.#open.has(toolCallId);
  }

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

  give(toolCallId: string, result: SpawnResult): void {
    const spawn = this.spawns.get(toolCallId);
    if (spawn !== undefined) spawn.result = result;
  }

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
    const existing = this.spawnsOf.get(agentId);
    if (existing === undefined) this.spawnsOf.set(agentId, new Set([toolCallId]));
    else existing.add(toolCallId);
  }
}
