import type { FileState } from "../../files/bytes/file-growth.js";
import type { LineProblem } from "../../files/bytes/line-problems.js";
import { type ConversationState, validInstant } from "../recorder/conversation-state.js";
import { rowOf } from "../recorder/row-of.js";
import type { TraceRecorder } from "../recorder/trace-recorder.js";
import { OUTCOMES, type RecordedRow, RowKind } from "../recorder/trace-rows.js";
import type { DerivedFile, FileConversation } from "./derived-file.js";

export function viewOf(
  recorder: TraceRecorder,
  { identity, fingerprint }: FileState,
  unread: LineProblem | undefined,
  isComplete: boolean,
): DerivedFile {
  const { rows } = recorder;
  const stored = rows.size;
  const { retainsRows } = recorder.options;
  const ends = retainsRows ? recorder.conversations.list.flatMap((one) => openEnds(recorder, one)) : [];
  return {
    identity,
    fingerprint,
    replayed: recorder.replayed,
    isComplete,
    problems: [...recorder.problems.list(), ...(unread === undefined ? [] : [unread])],
    unread,
    ...recorder.messages.view(),
    size: stored + ends.length,
    rowAt: (index) => (index < stored ? rows.at(index) : ends[index - stored]!),
    conversations: recorder.conversations.list.map(conversationOf),
    calls: [...recorder.calls.list],
    spawns: [...recorder.tools.spawns.values()].map((spawn) => ({ ...spawn, ends: [...spawn.ends] })),
    groups: new Map(recorder.tools.groups),
    spawnsOf: new Map([...recorder.tools.spawnsOf].map(([agentId, ids]) => [agentId, [...ids]])),
    toolNames: recorder.tools.names,
    titles: { ...recorder.titles, claims: [...recorder.titles.claims] },
    directory: recorder.directory,
    versions: recorder.versions,
    unknownTypes: recorder.unknownTypes,
    lastAnswer: recorder.lastAnswer,
    facts: recorder.facts,
  };
}

function openEnds(recorder: TraceRecorder, conversation: ConversationState): RecordedRow[] {
  const rows: RecordedRow[] = [];
  const { ordinal, end } = conversation;
  const firstPlace = conversation.firstPlace ?? (ordinal === 0 ? recorder.firstReplay : undefined);
  if (firstPlace === undefined) return rows;
  const origin = { conversation, place: firstPlace, instant: conversation.firstInstant };
  const first = { ...origin, isInner: false, isRepeated: false };
  if (!conversation.isStarted) rows.push(rowOf(first, RowKind.sessionStart, 0, {}));
  const call = recorder.callEnd(conversation);
  if (call !== undefined) rows.push(call);
  if (conversation.isTurnOpen && end !== undefined) {
    const detail = (conversation.turns - 1) * OUTCOMES.length + (conversation.hasFailed ? 1 : 0);
    rows.push(rowOf({ ...first, ...end }, RowKind.turnEnd, end.sequence, { detail }));
  }
  return rows;
}

function conversationOf(conversation: ConversationState): FileConversation {
  return {
    agentId: conversation.agentId,
    isProgress: conversation.isProgress,
    firstInstant: validInstant(conversation.firstInstant),
    newest: validInstant(conversation.newest),
    firstPromptAt: conversation.firstPromptAt,
    turns: conversation.turns - conversation.unaskedTurns,
    errors: conversation.errors,
    failedBookkeeping: conversation.failedBookkeeping,
    model: conversation.model,
    activity: conversation.activity(),
    isFinished: conversation.isFinished,
    hasFailed: conversation.hasFailed,
    firstPrompt: conversation.firstPrompt,
    promptKey: conversation.promptKey,
    lastText: conversation.lastText,
    messages: conversation.messages?.view(),
  };
}
