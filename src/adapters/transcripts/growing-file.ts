import { closeSync } from "node:fs";
import { openContained } from "../jsonl/contained-files.js";
import { type FileEnd, type FileState, readGrowth } from "../jsonl/file-growth.js";
import { isUnchanged } from "../jsonl/file-identity.js";
import { type ParsedLine, parseRecord } from "../jsonl/parse-line.js";
import { type Line, readLines } from "../jsonl/read-lines.js";
import { type ConversationState, known } from "./conversation-state.js";
import type { Conversation, DerivedFile } from "./derived-file.js";
import type { TranscriptFormat } from "./format.js";
import type { RecorderOptions } from "./recorded.js";
import { TraceRecorder } from "./trace-recorder.js";
import { OUTCOMES, RowKind, type TraceRow } from "./trace-rows.js";

/** A file of a transcript that is derived from as it grows. */
export class GrowingFile {
  readonly #root: string;
  readonly #path: string;
  readonly #format: TranscriptFormat;
  readonly #options: RecorderOptions;
  #recorder: TraceRecorder;
  /** Where the last reading ended, and the number of the line that starts there. */
  #end: FileEnd | undefined;
  #line = 1;
  /** Where a last line without its line feed starts that was taken already. */
  #tailStart = -1;
  #view: DerivedFile | undefined;

  constructor(root: string, path: string, format: TranscriptFormat, options: RecorderOptions) {
    this.#root = root;
    this.#path = path;
    this.#format = format;
    this.#options = options;
    this.#recorder = new TraceRecorder(options);
  }

  /** About how many bytes of memory it takes: what was recorded, and the view of it. */
  get bytes(): number {
    return this.#recorder.bytes * 2;
  }

  /**
   * Reads what was added to the file since; `undefined` where it is gone.
   *
   * @throws SourceChangedError for a file that is written over again and again
   */
  *read(): Generator<void, DerivedFile | undefined> {
    const opened = openContained(this.#root, this.#path);
    if (opened === undefined) return undefined;
    const { descriptor, identity } = opened;
    try {
      if (this.#end !== undefined && isUnchanged(this.#end.identity, identity)) return this.#view;
      const known = this.#end;
      // A reading that is given up half-way leaves no end: the next one begins anew.
      this.#end = undefined;
      this.#end = yield* readGrowth(opened, known, (from, state) => this.#readFrom(descriptor, from, state));
      this.#view = viewOf(this.#recorder, this.#end);
      return this.#view;
    } finally {
      closeSync(descriptor);
    }
  }

  *#readFrom(descriptor: number, from: FileEnd | undefined, state: FileState): Generator<void, FileEnd> {
    if (from === undefined) this.#begin();
    const range = { from: from?.offset ?? 0, to: state.identity.size, line: this.#line };
    const { offset, line, tail } = yield* readLines(descriptor, range, (one) => this.#add(one));
    this.#line = line;
    // A whole object without its line feed is a whole record already: no text that goes on from it is one.
    if (tail !== undefined && tail.start !== this.#tailStart && parseRecord(tail).problem === undefined) {
      this.#add(tail);
      this.#tailStart = tail.start;
    }
    return { ...state, offset };
  }

  #add(line: Line): void {
    // A last line without its line feed was taken when it was first seen.
    if (line.start === this.#tailStart) return;
    const { record, problem } = this.#parse(line);
    if (record === undefined) this.#recorder.problems.add(line.number, problem);
    else
      this.#format.interpret(
        record,
        { start: line.start, length: line.length, line: line.number },
        this.#recorder,
      );
  }

  /** What is only summed up needs few texts: those alone are decoded. */
  #parse(line: Line): ParsedLine {
    if (this.#options.keepsRows) return parseRecord(line);
    const parsed = parseRecord(line, "latin1");
    return parsed.record !== undefined && this.#format.hasText(parsed.record) ? parseRecord(line) : parsed;
  }

  #begin(): void {
    this.#recorder = new TraceRecorder(this.#options);
    this.#line = 1;
    this.#tailStart = -1;
  }
}

function viewOf(recorder: TraceRecorder, { identity, fingerprint }: FileState): DerivedFile {
  const { rows } = recorder;
  const stored = rows.size;
  const { keepsRows } = recorder.options;
  const ends = keepsRows ? recorder.conversations.flatMap((one) => openEnds(recorder, one)) : [];
  return {
    identity,
    fingerprint,
    replayed: recorder.replayed,
    problems: recorder.problems.list(),
    messageStarts: recorder.messageStarts.view(),
    messageLengths: recorder.messageLengths.view(),
    size: stored + ends.length,
    rowAt: (index) => (index < stored ? rows.at(index) : ends[index - stored]!),
    conversations: recorder.conversations.map(conversationOf),
    calls: [...recorder.calls.list],
    spawns: [...recorder.tools.spawns.values()].map((spawn) => ({ ...spawn })),
    spawnsOf: new Map([...recorder.tools.spawnsOf].map(([agentId, ids]) => [agentId, [...ids]])),
    toolNames: recorder.tools.names,
    titles: { ...recorder.titles, claims: [...recorder.titles.claims] },
  };
}

/** The ends that no later record gave: they hold as long as nothing is added. */
function openEnds(recorder: TraceRecorder, conversation: ConversationState): TraceRow[] {
  const found: TraceRow[] = [];
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

function conversationOf(conversation: ConversationState): Conversation {
  return {
    agentId: conversation.agentId,
    isProgress: conversation.isProgress,
    firstInstant: known(conversation.firstInstant),
    newest: known(conversation.newest),
    askedAt: conversation.askedAt,
    turns: conversation.turns,
    activity: conversation.activity(),
    isFinished: conversation.isFinished,
    hasFailed: conversation.hasFailed,
    firstPrompt: conversation.firstPrompt,
    promptKey: conversation.promptKey,
    lastText: conversation.lastText,
  };
}
