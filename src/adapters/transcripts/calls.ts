import { NO_USAGE, type TokenUsage, totalTokens } from "../../domain/session/session.js";
import { hash53 } from "../../domain/text/fingerprints.js";
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
  /** What it cost, in US dollars, where it is recorded. */
  recordedUsd?: number;
  /** The characters that it wrote, where its count is so small that it may be none. */
  writtenSize: number;
}

/** What a record says of the model call that it is a part of. */
export interface ReportedCall {
  /** The id that the API gave its message; a message without one is named by its line. */
  readonly messageId: string | undefined;
  /** What the call is named in the trace where its message has no id. */
  readonly recordId: string;
  readonly model: string | undefined;
  /** Whether the model is to be kept, because no record of the call itself names it. Default is that one does. */
  readonly keepsModel?: boolean;
  readonly usage: TokenUsage;
  /**
   * Whether it gave the conversation no answer, as that of a summary, or of a tool: it takes no failure back, and neither what it saw nor,
   * without `durationMs`, when it began is known. Default is that it did.
   */
  readonly isBeside?: boolean;
  /** How long it took, in milliseconds. Default is since the conversation had what it answers, where that is known. */
  readonly durationMs?: number | undefined;
  /** Whether a token count is none. Default is that all are. */
  readonly hasOddCount?: boolean;
  /** What the call cost, in US dollars, where a record says it. */
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

  /** The text of the call before where it is the same: each record has one of its own, and there are many calls. */
  #sameText(model: string | undefined): string | undefined {
    const before = this.list.at(-1)?.asked;
    return model === before ? before : model;
  }

  /**
   * Every line of a message repeats its usage, the last one with all of its output: the largest output counts. Of two with as much
   * output it is the one that counts more: one may know nothing but the output.
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

/** Where the result of such a call lies. Its text is read when it is asked for. */
export interface SpawnResult {
  readonly place: LineLocation;
  readonly isInner: boolean;
  /** The number of the part among those of its record. */
  readonly part: number;
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
  /** Which calls began which group of agents. */
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
