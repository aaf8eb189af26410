import { type JsonObject, textField } from "../../domain/json.js";
import type { TokenUsage } from "../../domain/session.js";
import type { JsonLine } from "../jsonl/json-line.js";
import { RecordIndexState } from "../jsonl/record-index.js";
import { hash53, recordKey } from "./claude-record.js";
import { ModelCalls } from "./model-calls.js";
import { ThreadState } from "./thread-state.js";
import { ToolCalls } from "./tool-calls.js";
import { type LinePlace, RowKind, type TraceRow, TraceRows } from "./trace-rows.js";

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
  readonly calls = new ModelCalls();
  readonly tools = new ToolCalls();
  readonly summaries: { readonly leafUuid: string; readonly summary: string }[] = [];
  customTitle: string | undefined;
  aiTitle: string | undefined;
  /** The newest record of the conversation itself: what a summary names as its leaf. */
  leafUuid: string | undefined;
  /** How many lines are replays. */
  replayed = 0;
  /** The first line that is a replay: what tells of a file that holds nothing else. */
  firstReplay: LinePlace | undefined;
  /** Where a last line without its line feed starts that was taken already. */
  tailStart = -1;
  readonly #ordinals = new Map<string, number>();
  readonly #sidechains = new Map<string, ThreadState>();
  readonly #seen = new Set<number>();

  constructor(options: FileOptions) {
    this.options = options;
    this.thread(options.agentId);
  }

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    const entries = this.threads.length * 500 + this.#sidechains.size * 100 + this.#seen.size * 40;
    const parts = [this.calls, this.tools, this.rows, this.messages];
    return parts.reduce((sum, part) => sum + part.bytes, entries + 2_000);
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
    // Progress records repeat messages that other lines may hold: they are counted apart, because one of the two is hidden.
    const scope = thread.isProgress ? `${thread.ordinal} ` : "";
    const key = scope + (messageId ?? `line ${place.start}`);
    const known = this.calls.find(key);
    const call = {
      thread: thread.ordinal,
      callId: messageId ?? lineId,
      hasMessageId: messageId !== undefined,
    };
    const ordinal = known ?? this.calls.add(key, call);
    if (thread.call !== undefined && thread.call.key !== key) this.endCall(thread);
    if (known === undefined) {
      const begun = Number.isNaN(thread.answered) ? instant : Math.min(thread.answered, instant);
      this.push(origin, RowKind.llmStart, { instant: begun, detail: ordinal });
    }
    this.calls.count(ordinal, usage);
    // A line of a call that ended already has nothing to move.
    if (known !== undefined && thread.call === undefined) return;
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
}
