import type { RunActivity } from "../../../domain/session/session-activity.js";
import type { FileState } from "../../files/bytes/file-growth.js";
import type { LineProblem } from "../../files/bytes/line-problems.js";
import type { TranscriptFile } from "../folder/transcript-files.js";
import type { GroupCall, SpawnCall, TranscriptCall } from "../recorder/calls.js";
import type { FactsRecorder } from "../recorder/facts-recorder.js";
import type { MessageColumns } from "../recorder/message-places.js";
import type { TitleHints, TypeCount } from "../recorder/record-origin.js";
import type { LineLocation, RecordedRow } from "../recorder/trace-rows.js";

export interface FileConversation {
  readonly agentId: string;
  readonly isProgress: boolean;
  readonly firstInstant: number | undefined;
  readonly newest: number | undefined;
  readonly firstPromptAt: number | undefined;
  readonly turns: number;
  /** Failed calls and turns; a failed turn counts only if nothing in it failed. */
  readonly errors: number;
  /** Bookkeeping records that report a failure: errors that belong to no call or turn. */
  readonly failedBookkeeping: number;
  readonly model: string | undefined;
  readonly activity: RunActivity;
  readonly isFinished: boolean;
  readonly hasFailed: boolean;
  readonly firstPrompt: string | undefined;
  readonly promptKey: number | undefined;
  readonly lastText: (LineLocation & { readonly isInner: boolean }) | undefined;
  readonly messages: MessageColumns | undefined;
}

/** Snapshot of the data from one file; later additions do not change it. The messages are those of the file's own conversation. */
export interface DerivedFile extends FileState, MessageColumns {
  readonly isComplete: boolean;
  /** Replayed lines; all others produced envelopes or are among the problems. */
  readonly replayed: number;
  readonly problems: readonly LineProblem[];
  /** The first unread line of a file that exceeds a bound; also among the problems. */
  readonly unread: LineProblem | undefined;
  readonly size: number;
  rowAt(index: number): RecordedRow;
  readonly conversations: readonly FileConversation[];
  readonly calls: readonly TranscriptCall[];
  readonly spawns: readonly SpawnCall[];
  readonly spawnsOf: ReadonlyMap<string, readonly string[]>;
  readonly groups: ReadonlyMap<string, GroupCall>;
  readonly toolNames: readonly string[];
  readonly titles: TitleHints;
  readonly directory: string | undefined;
  readonly versions: readonly string[];
  readonly unknownTypes: readonly TypeCount[];
  readonly lastAnswer: string | undefined;
  readonly facts: FactsRecorder | undefined;
}

export interface SessionFile extends TranscriptFile {
  /** Relative to the tenant's folder; never a path of the machine. */
  readonly name: string;
  readonly derived: DerivedFile;
  /** True if the messages are inside records of another conversation. Default is false. */
  readonly isInner?: boolean;
}

export function agentsWithin(files: readonly SessionFile[]): readonly string[] {
  const conversations = files.flatMap(({ derived }) => derived.conversations);
  return conversations.flatMap(({ agentId, messages }) => (messages === undefined ? [] : [agentId]));
}

export function agentsWithLines(files: readonly SessionFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { derived } of files) {
    for (const { agentId, isProgress } of derived.conversations) {
      if (agentId !== "" && !isProgress) names.add(agentId);
    }
  }
  return names;
}

export function beginningOf(files: readonly SessionFile[]): number {
  const derivedFiles = files.flatMap(({ derived }) =>
    derived.conversations.map(({ firstInstant }) => firstInstant ?? Infinity),
  );
  const oldest = derivedFiles.reduce((a, b) => Math.min(a, b), Infinity);
  return Number.isFinite(oldest) ? oldest : Math.floor(files[0]?.derived.identity.modifiedAt ?? 0);
}
