import { type JsonObject, textField } from "../../domain/json.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../../domain/session.js";
import type { JsonLine } from "../json-lines/json-line.js";
import { RecordIndexState } from "../json-lines/record-index.js";
import { hash53, recordKey } from "./claude-record.js";
import { known, ThreadState } from "./thread-state.js";
import { type LinePlace, RowKind, type TraceRow, TraceRows } from "./trace-rows.js";

/** A call of the tool that spawns a sub-agent. */
export interface SpawnCall {
  readonly toolUseId: string;
  readonly role: string | undefined;
  readonly description: string | undefined;
  readonly promptKey: number | undefined;
  /** Who called: the agent of the thread. */
  readonly callerId: string;
  readonly instant: number | undefined;
  result: SpawnResult | undefined;
}

/** Where the result of such a call lies. Its text is read when it is asked for. */
export interface SpawnResult {
  readonly place: LinePlace;
  readonly isInner: boolean;
  readonly block: number;
  readonly instant: number | undefined;
  readonly isError: boolean;
  /** The agent goes on in the background: this is not its result. */
  readonly isLaunch: boolean;
}

/** One message of the API, however many lines it was written as. */
export interface ModelCall {
  readonly thread: number;
  /** The id that the API gave its message; of a message without one, an id made of its line. */
  readonly callId: string;
  readonly hasMessageId: boolean;
  usage: TokenUsage;
}

export interface FileOptions {
  /** The agent whose file it is; `""` for the conversation of a session. */
  readonly agentId: string;
  /** Whether every line is of that agent, whatever it says of sidechains; else lines are told apart by what they say. */
  readonly isOneThread: boolean;
  /** Whether rows and messages are wanted, or only what they sum up to. */
  readonly keepsRows: boolean;
  /** Whether another session wrote the record first. */
  readonly isReplay: (record: JsonObject) => boolean;
}

/** How a record's envelopes are placed. */
export interface Origin {
  readonly thread: ThreadState;
  readonly place: LinePlace;
  readonly instant: number;
  readonly isInner: boolean;
  readonly isRepeated: boolean;
}

/** What the lines of one file say, as far as they were read. */
export class FileState {
  readonly options: FileOptions;
  readonly rows = new TraceRows();
  readonly messages = new RecordIndexState();
  readonly threads: ThreadState[] = [];
  readonly calls: ModelCall[] = [];
  readonly spawns = new Map<string, SpawnCall>();
  /** Which calls spawned which agent, or gave it more to do, as results and progress records tell. */
  readonly spawnsOf = new Map<string, Set<string>>();
  readonly toolNames: string[] = [];
  readonly summaries: { readonly leafUuid: string; readonly summary: string }[] = [];
  customTitle: string | undefined;
  aiTitle: string | undefined;
  /** The newest record of the conversation itself: what a summary names as its leaf. */
  leafUuid: string | undefined;
  /** Lines that are not blank. */
  lines = 0;
  replayed = 0;
  /** The first line that is a replay: what tells of a file that holds nothing else. */
  firstReplay: LinePlace | undefined;
  unreadable = 0;
  /** Where a last line without its line feed starts that was taken already. */
  tailStart = -1;
  readonly #ordinals = new Map<string, number>();
  readonly #sidechains = new Map<string, ThreadState>();
  readonly #callByKey = new Map<string, number>();
  readonly #openTools = new Map<string, number>();
  readonly #seen = new Set<number>();

  constructor(options: FileOptions) {
    this.options = options;
    this.thread(options.agentId);
  }

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    const entries = this.calls.length * 260 + this.threads.length * 500 + this.#sidechains.size * 100;
    const more = this.spawns.size * 400 + this.#openTools.size * 80 + this.#seen.size * 40;
    return entries + more + this.rows.bytes + this.messages.bytes + 2_000;
  }

  /** A thread by its agent. One that is made for a progress record is told from one that lines belong to. */
  thread(agentId: string, isProgress = false): ThreadState {
    const key = `${isProgress ? "progress" : ""}\0${agentId}`;
    const known = this.#ordinals.get(key);
    if (known !== undefined) return this.threads[known]!;
    const thread = new ThreadState(agentId, this.threads.length, isProgress);
    this.#ordinals.set(key, thread.ordinal);
    this.threads.push(thread);
    return thread;
  }

  /**
   * Whose line it is: that of the agent whose file it is in or that it names; else, in version 1.0, that of the sidechain
   * that it goes on, which is named by its root.
   */
  threadOf(record: JsonObject): ThreadState {
    if (this.options.isOneThread) return this.threads[0]!;
    const agentId = textField(record, "agentId");
    if (agentId !== undefined) return this.thread(agentId);
    if (record.isSidechain !== true) return this.threads[0]!;
    const uuid = textField(record, "uuid") ?? "";
    const parent = this.#sidechains.get(textField(record, "parentUuid") ?? "");
    const thread = parent ?? this.thread(uuid || "sidechain");
    this.#sidechains.set(uuid, thread);
    return thread;
  }

  /** Whether a record with the same `uuid` came before in the file. */
  isRepeated(record: JsonObject): boolean {
    if (!this.options.keepsRows) return false;
    const uuid = textField(record, "uuid");
    if (uuid === undefined) return false;
    const key = hash53(uuid);
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  isReplay(record: JsonObject): boolean {
    return recordKey(record) !== undefined && this.options.isReplay(record);
  }

  /** Notes where a message of the conversation lies, or that a line cannot be read. */
  note(line: JsonLine): void {
    if (this.options.keepsRows) this.messages.add(line);
  }

  push(origin: Origin, kind: TraceRow["kind"], row: Partial<TraceRow> = {}): void {
    const { thread, place, instant, isInner, isRepeated } = origin;
    const sequence = row.sequence ?? thread.nextSequence++;
    if (!this.options.keepsRows) return;
    const base = { kind, isMain: false, isInner, isRepeated, block: 0, instant, detail: 0 };
    this.rows.push({ ...base, ...place, thread: thread.ordinal, ...row, sequence });
  }

  /** The call that an assistant record belongs to, begun where it is new. */
  call(origin: Origin, messageId: string | undefined, lineId: string, usage: TokenUsage): void {
    const { thread, place, instant, isInner } = origin;
    const key = messageId ?? `line ${place.start}`;
    let ordinal = this.#callByKey.get(key);
    const isNew = ordinal === undefined;
    if (ordinal === undefined) {
      ordinal = this.calls.length;
      const hasMessageId = messageId !== undefined;
      this.calls.push({ thread: thread.ordinal, callId: messageId ?? lineId, hasMessageId, usage: NO_USAGE });
      this.#callByKey.set(key, ordinal);
    }
    if (thread.call !== undefined && thread.call.key !== key) this.endCall(thread);
    if (isNew) {
      const begun = known(thread.answered) === undefined ? instant : Math.min(thread.answered, instant);
      this.push(origin, RowKind.llmStart, { instant: begun, detail: ordinal });
    }
    this.#count(ordinal, usage);
    if (!isNew && thread.call === undefined) return;
    thread.call = { key, ordinal, place, isInner, instant, sequence: undefined };
  }

  /** Keeps the next sequence free for the end of the call, in case that its last line is this one. */
  markCallEnd({ thread }: Origin): void {
    if (thread.call !== undefined) thread.call.sequence ??= thread.nextSequence++;
  }

  endCall(thread: ThreadState): void {
    const row = this.callEnd(thread);
    if (row !== undefined && this.options.keepsRows) this.rows.push(row);
    thread.call = undefined;
  }

  /** The end of the call whose lines were read last. */
  callEnd(thread: ThreadState): TraceRow | undefined {
    if (thread.call === undefined) return undefined;
    const { ordinal, place, isInner, instant, sequence = thread.nextSequence } = thread.call;
    const row = { kind: RowKind.llmEnd, isMain: false, isInner, isRepeated: false, block: 0 };
    return { ...row, ...place, thread: thread.ordinal, instant, sequence, detail: ordinal };
  }

  link(agentId: string, toolUseId: string): void {
    const known = this.spawnsOf.get(agentId);
    if (known === undefined) this.spawnsOf.set(agentId, new Set([toolUseId]));
    else known.add(toolUseId);
  }

  beginTool(toolCallId: string, name: string): void {
    let ordinal = this.toolNames.indexOf(name);
    if (ordinal === -1) ordinal = this.toolNames.push(name) - 1;
    this.#openTools.set(toolCallId, ordinal);
  }

  /** The name of the tool that ends, by its number plus one; 0 for an end without a beginning. */
  endTool(toolCallId: string): number {
    const ordinal = this.#openTools.get(toolCallId);
    this.#openTools.delete(toolCallId);
    return ordinal === undefined ? 0 : ordinal + 1;
  }

  /** Every line of a message repeats its usage, the last one with all of its output: the largest output counts. */
  #count(ordinal: number, usage: TokenUsage): void {
    const call = this.calls[ordinal]!;
    const isFirst = call.usage === NO_USAGE;
    if (!isFirst && usage.outputTokens <= call.usage.outputTokens) return;
    const thread = this.threads[call.thread]!;
    thread.usage = addUsage(thread.usage, subtract(usage, call.usage));
    call.usage = usage;
  }
}

function subtract(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    cacheReadTokens: a.cacheReadTokens - b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens - b.cacheWriteTokens,
  };
}
