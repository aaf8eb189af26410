import type { RunActivity } from "../../domain/session-activity.js";
import type { Digest } from "../jsonl/follow-file.js";
import type { LineProblem, RecordPlaces } from "../jsonl/record-index.js";
import { type FileOptions, FileState } from "./file-state.js";
import { interpretLine } from "./interpret-line.js";
import { OUTCOMES } from "./interpret-record.js";
import type { ModelCall } from "./model-calls.js";
import { known, type ThreadState } from "./thread-state.js";
import type { SpawnCall } from "./tool-calls.js";
import { type LinePlace, RowKind, type TraceRow } from "./trace-rows.js";

/** What one file says of one thread. */
export interface ClaudeThread {
  readonly agentId: string;
  readonly isProgress: boolean;
  readonly firstInstant: number | undefined;
  readonly newest: number | undefined;
  /** When it was first asked for something. */
  readonly askedAt: number | undefined;
  readonly turns: number;
  readonly activity: RunActivity;
  readonly isFinished: boolean;
  readonly hasFailed: boolean;
  readonly firstPrompt: string | undefined;
  readonly promptKey: number | undefined;
  readonly lastText: (LinePlace & { readonly isInner: boolean }) | undefined;
}

/** What one file says, as it was when it was looked at. */
export interface ClaudeFile {
  /** How many lines are replays; all others gave envelopes, or are among the problems. */
  readonly replayed: number;
  readonly problems: readonly LineProblem[];
  /** Where the records lie that hold the messages of the conversation. */
  readonly messages: RecordPlaces;
  readonly size: number;
  rowAt(index: number): TraceRow;
  readonly threads: readonly ClaudeThread[];
  readonly calls: readonly ModelCall[];
  readonly spawns: readonly SpawnCall[];
  /** Which calls spawned which agent, or gave it more to do. */
  readonly spawnsOf: ReadonlyMap<string, readonly string[]>;
  readonly toolNames: readonly string[];
  readonly summaries: readonly { readonly leafUuid: string; readonly summary: string }[];
  readonly leafUuid: string | undefined;
  readonly customTitle: string | undefined;
  readonly aiTitle: string | undefined;
}

/** A digest of a file of Claude Code. */
export function claudeFileDigest(options: FileOptions): Digest<FileState, ClaudeFile> {
  return {
    begin: () => new FileState(options),
    add: interpretLine,
    view: (state, tail) => {
      if (tail !== undefined && tail.start !== state.tailStart) {
        // A whole object without its line feed is a whole record already: no text that goes on from it is one.
        interpretLine(state, tail);
        state.tailStart = tail.start;
      }
      return viewOf(state);
    },
    weigh: (state) => state.bytes,
    wanted: { shortensLongLines: true },
  };
}

function viewOf(state: FileState): ClaudeFile {
  const { rows } = state;
  const stored = rows.size;
  const ends = state.options.keepsRows ? state.threads.flatMap((thread) => openEnds(state, thread)) : [];
  const messages = state.messages.places(undefined);
  return {
    replayed: state.replayed,
    problems: messages.problems,
    messages,
    size: stored + ends.length,
    rowAt: (index) => (index < stored ? rows.at(index) : ends[index - stored]!),
    threads: state.threads.map(threadOf),
    calls: [...state.calls.list],
    spawns: [...state.tools.spawns.values()].map((spawn) => ({ ...spawn })),
    spawnsOf: new Map([...state.tools.spawnsOf].map(([agentId, ids]) => [agentId, [...ids]])),
    toolNames: state.tools.names,
    summaries: [...state.summaries],
    leafUuid: state.leafUuid,
    customTitle: state.customTitle,
    aiTitle: state.aiTitle,
  };
}

/** The ends that no later record told of: they hold as long as nothing is added. */
function openEnds(state: FileState, thread: ThreadState): TraceRow[] {
  const found: TraceRow[] = [];
  const firstPlace = thread.firstPlace ?? (thread.ordinal === 0 ? state.firstReplay : undefined);
  if (firstPlace === undefined) return found;
  const row = { isMain: false, isRepeated: false, block: 0, thread: thread.ordinal, detail: 0 };
  if (!thread.isStarted) {
    const kind = RowKind.sessionStart;
    found.push({ ...row, ...firstPlace, kind, isInner: false, sequence: 0, instant: thread.firstInstant });
  }
  const call = state.callEnd(thread);
  if (call !== undefined) found.push(call);
  if (thread.isTurnOpen && thread.end !== undefined) {
    const { place, isInner, instant, sequence } = thread.end;
    const detail = (thread.turns - 1) * OUTCOMES.length + (thread.hasFailed ? 1 : 0);
    found.push({ ...row, ...place, kind: RowKind.turnEnd, isInner, sequence, instant, detail });
  }
  return found;
}

function threadOf(thread: ThreadState): ClaudeThread {
  return {
    agentId: thread.agentId,
    isProgress: thread.isProgress,
    firstInstant: known(thread.firstInstant),
    newest: known(thread.newest),
    askedAt: thread.askedAt,
    turns: thread.turns,
    activity: thread.activity(),
    isFinished: thread.isFinished,
    hasFailed: thread.hasFailed,
    firstPrompt: thread.firstPrompt,
    promptKey: thread.promptKey,
    lastText: thread.lastText,
  };
}
