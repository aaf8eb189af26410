import type { RunActivity } from "../../domain/session/session-activity.js";
import type { FileState } from "../files/bytes/file-growth.js";
import type { LineProblem } from "../files/bytes/line-problems.js";
import type { GroupCall, SpawnCall, TranscriptCall } from "./calls.js";
import type { FactsRecorder } from "./facts-recorder.js";
import type { MessageColumns } from "./message-places.js";
import type { TitleHints, TypeCount } from "./recorded.js";
import type { LineLocation, RecordedRow } from "./trace-rows.js";
import type { TranscriptFile } from "./transcript-files.js";

export interface FileConversation {
  readonly agentId: string;
  readonly isProgress: boolean;
  readonly firstInstant: number | undefined;
  readonly newest: number | undefined;
  /** The instant of the first prompt. */
  readonly askedAt: number | undefined;
  /** Number of turns with a person's prompt. */
  readonly turns: number;
  /** Number of failed calls and turns: a turn counts only if nothing in it failed. */
  readonly errors: number;
  /** Number of bookkeeping records that report a failure: these are errors as well, but not parts of anything. */
  readonly failedBookkeeping: number;
  /** The model of the newest call. */
  readonly model: string | undefined;
  readonly activity: RunActivity;
  readonly isFinished: boolean;
  readonly hasFailed: boolean;
  /** The beginning of the first prompt, as a person would say it. */
  readonly asked: string | undefined;
  readonly promptKey: number | undefined;
  readonly lastText: (LineLocation & { readonly isInner: boolean }) | undefined;
  /** Of a sub-agent whose messages lie in the file of another conversation. */
  readonly messages: MessageColumns | undefined;
}

/**
 * Data derived from one file at the time of reading: a snapshot that later additions to the file do not change. The messages are those of
 * the file's own conversation.
 */
export interface DerivedFile extends FileState, MessageColumns {
  /** False where lines follow that the next reading takes. */
  readonly isComplete: boolean;
  /** Number of replayed lines; all others produced envelopes or are among the problems. */
  readonly replayed: number;
  readonly problems: readonly LineProblem[];
  /** The first line that is not read because the file exceeds a bound; nothing where all are. It is among the problems. */
  readonly unread: LineProblem | undefined;
  /** Number of its envelopes. */
  readonly size: number;
  rowAt(index: number): RecordedRow;
  readonly conversations: readonly FileConversation[];
  readonly calls: readonly TranscriptCall[];
  readonly spawns: readonly SpawnCall[];
  /** Calls that spawned each agent, or gave it another task. */
  readonly spawnsOf: ReadonlyMap<string, readonly string[]>;
  /** Calls that started each group of agents. */
  readonly groups: ReadonlyMap<string, GroupCall>;
  readonly toolNames: readonly string[];
  readonly titles: TitleHints;
  readonly directory: string | undefined;
  /** The versions of the programs that wrote it. */
  readonly versions: readonly string[];
  /** Number of records by type, for types that the format does not recognise. */
  readonly unknownTypes: readonly TypeCount[];
  /** Last answer in the file's own conversation; only for a summarised file. */
  readonly lastAnswer: string | undefined;
  /** Activity of its conversations, as of the newest reading; only for a summarised file. */
  readonly facts: FactsRecorder | undefined;
}

export interface SessionFile extends TranscriptFile {
  /** As the tenant's folder lays it out; never a path of the machine. */
  readonly name: string;
  readonly derived: DerivedFile;
  /** True if the messages are within records of another conversation. Default is false. */
  readonly isInner?: boolean;
}

/** The sub-agents whose messages lie in files of other conversations. */
export function agentsWithin(files: readonly SessionFile[]): readonly string[] {
  const conversations = files.flatMap(({ derived }) => derived.conversations);
  return conversations.flatMap(({ agentId, messages }) => (messages === undefined ? [] : [agentId]));
}

/** Returns the sub-agents that have their own lines; others occur only in progress records. */
export function agentsWithLines(files: readonly SessionFile[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { derived } of files) {
    for (const { agentId, isProgress } of derived.conversations) {
      if (agentId !== "" && !isProgress) found.add(agentId);
    }
  }
  return found;
}

/** The oldest instant that any file knows; where none does, when the first one was written. */
export function beginningOf(files: readonly SessionFile[]): number {
  const known = files.flatMap(({ derived }) =>
    derived.conversations.map(({ firstInstant }) => firstInstant ?? Infinity),
  );
  const oldest = known.reduce((a, b) => Math.min(a, b), Infinity);
  return Number.isFinite(oldest) ? oldest : Math.floor(files[0]?.derived.identity.modifiedAt ?? 0);
}
