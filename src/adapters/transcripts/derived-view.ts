import type { FileState } from "../files/bytes/file-growth.js";
import type { LineProblem } from "../files/bytes/line-problems.js";
import { type ConversationState, known } from "./conversation-state.js";
import type { DerivedFile, FileConversation } from "./derived-file.js";
import type { TraceRecorder } from "./trace-recorder.js";
import { OUTCOMES, type RecordedRow, RowKind } from "./trace-rows.js";

/**
 * What was derived from a file, as it is now.
 *
 * @param left what was left out
 */
export function viewOf(
  recorder: TraceRecorder,
  { identity, fingerprint }: FileState,
  left: readonly LineProblem[],
  isComplete: boolean,
): DerivedFile {
  const { rows } = recorder;
  const stored = rows.size;
  const { keepsRows } = recorder.options;
  const ends = keepsRows ? recorder.conversations.flatMap((one) => openEnds(recorder, one)) : [];
  return {
    identity,
    fingerprint,
    replayed: recorder.replayed,
    isComplete,
    problems: [...recorder.problems.list(), ...left],
    ...recorder.messages.view(),
    size: stored + ends.length,
    rowAt: (index) => (index < stored ? rows.at(index) : ends[index - stored]!),
    conversations: recorder.conversations.map(conversationOf),
    calls: [...recorder.calls.list],
    spawns: [...recorder.tools.spawns.values()].map((spawn) => ({ ...spawn })),
    spawnsOf: new Map([...recorder.tools.spawnsOf].map(([agentId, ids]) => [agentId, [...ids]])),
    toolNames: recorder.tools.names,
    titles: { ...recorder.titles, claims: [...recorder.titles.claims] },
    directory: recorder.directory,
    lastAnswer: recorder.lastAnswer,
  };
}

/** The ends that no later record gave: they hold as long as nothing is added. */
function openEnds(recorder: TraceRecorder, conversation: ConversationState): RecordedRow[] {
  const found: RecordedRow[] = [];
  const { ordinal } = conversation;
  const firstPlace = conversation.firstPlace ?? (ordinal === 0 ? recorder.firstReplay : undefined);
  if (firstPlace === undefined) return found;
  const row = { isMain: false, isRepeated: false, block: 0, conversation: ordinal, detail: 0 };
  if (!conversation.isStarted) {
    const kind = RowKind.sessionStart;
    found.push({
      ...row,
      ...firstPlace,
      kind,
      isInner: false,
      sequence: 0,
      instant: conversation.firstInstant,
    });
  }
  const call = recorder.callEnd(conversation);
  if (call !== undefined) found.push(call);
  if (conversation.isTurnOpen && conversation.end !== undefined) {
    const { place, isInner, instant, sequence } = conversation.end;
    const detail = (conversation.turns - 1) * OUTCOMES.length + (conversation.hasFailed ? 1 : 0);
    found.push({ ...row, ...place, kind: RowKind.turnEnd, isInner, sequence, instant, detail });
  }
  return found;
}

function conversationOf(conversation: ConversationState): FileConversation {
  return {
    agentId: conversation.agentId,
    isProgress: conversation.isProgress,
    firstInstant: known(conversation.firstInstant),
    newest: known(conversation.newest),
    askedAt: conversation.askedAt,
    turns: conversation.turns,
    errors: conversation.errors,
    failedBookkeeping: conversation.failedBookkeeping,
    model: conversation.model,
    activity: conversation.activity(),
    isFinished: conversation.isFinished,
    hasFailed: conversation.hasFailed,
    firstPrompt: conversation.firstPrompt,
    promptKey: conversation.promptKey,
    lastText: conversation.lastText,
  };
}
