import {
  type ComparedSessions,
  type CutText,
  compareSessions,
  cutAtDifference,
} from "../../domain/analysis/compare-sessions.js";
import { inputText } from "../../domain/analysis/context-item.js";
import { SessionAnalysis } from "../../domain/analysis/session-analysis.js";
import type { SessionComparison } from "../../domain/analysis/session-comparison.js";
import type { SessionSummary } from "../../domain/analysis/session-summary.js";
import { pricedCalls } from "../../domain/analysis/summarise-calls.js";
import { summariseSession } from "../../domain/analysis/summarise-session.js";
import { readMessage } from "../../domain/conversation/conversation.js";
import { partText } from "../../domain/conversation/message-part.js";
import { recordIn } from "../../domain/json/json.js";
import type { PlainBatch } from "../../domain/json/record-batch.js";
import type { CallColumns, CallRates } from "../../domain/usage/call-prices.js";
import { SourceUnavailableError } from "../errors.js";
import type { SessionKey } from "../ports/session-store.js";
import { alignConversations } from "./align-conversations.js";

/**
 * The steps of an analysis that goes on in one thread, task after task: what has been read stays there. An analysis is known by an id
 * of whoever began it, and is gone with its summary or with `drop`.
 */

/** Some records of a session. Plain data, for a thread. */
export interface AnalysedBatch extends PlainBatch {
  readonly id: string;
  /** Whose conversation the records are messages of; `undefined` for envelopes of the trace. */
  readonly agentId: string | undefined;
}

/** What is known of a session's steps when its trace has been read. */
export interface AnalysedTrace {
  /** The agents that called a model, whose conversations explain what the calls read. */
  readonly agentIds: readonly string[];
  /** What their prices depend on, in the order of the steps. */
  readonly calls: CallColumns;
}

const analyses = new Map<string, SessionAnalysis>();
const decoder = new TextDecoder();

function taskOf<Input, Output>(name: string, steps: (input: Input) => Generator<void, Output>) {
  return { module: import.meta.url, name, steps };
}

export const BEGIN_ANALYSIS = taskOf("beginAnalysis", beginAnalysis);
export const ADD_RECORDS = taskOf("addRecords", addRecords);
export const READ_STEPS = taskOf("readSteps", readSteps);
export const SUMMARISE = taskOf("summarise", summarise);
export const COMPARE = taskOf("compare", compare);
export const CUT_DIFFERENCE = taskOf("cutDifference", cutDifference);
export const DROP_ANALYSIS = taskOf("dropAnalysis", dropAnalysis);

// biome-ignore lint/correctness/useYield: a task is a generator
export function* beginAnalysis(id: string): Generator<void, void> {
  analyses.set(id, new SessionAnalysis());
}

export function* addRecords({ id, agentId, text, starts, ends }: AnalysedBatch): Generator<void, void> {
  const analysis = analysisOf(id);
  for (let i = 0; i < ends.length; i++) {
    const record = recordIn(decoder.decode(text.subarray(starts[i], ends[i])));
    if (agentId === undefined) analysis.addEnvelope(record, ends[i]! - starts[i]!);
    else analysis.addMessage(agentId, record);
    yield;
  }
}

export function* readSteps(id: string): Generator<void, AnalysedTrace> {
  const steps = yield* analysisOf(id).steps();
  return { agentIds: [...new Set(steps.calls.map(({ agentId }) => agentId))], calls: pricedCalls(steps) };
}

export function* summarise(input: {
  readonly id: string;
  readonly key: SessionKey;
  readonly rates: CallRates;
}): Generator<void, SessionSummary> {
  return yield* summariseSession(analysisOf(input.id), input.key, input.rates);
}

/** One of two analyses that are to be compared. */
interface ComparedId {
  readonly id: string;
  readonly key: SessionKey;
  readonly rates: CallRates;
}

/** What was compared, the conversations aligned. */
export type AlignedSessions = Omit<ComparedSessions, "hashes"> & Pick<SessionComparison, "conversation">;

export function* compare([a, b]: readonly [ComparedId, ComparedId]): Generator<void, AlignedSessions> {
  const { hashes, ...compared } = yield* compareSessions(
    { ...a, analysis: analysisOf(a.id) },
    { ...b, analysis: analysisOf(b.id) },
  );
  yield;
  return { ...compared, conversation: alignConversations(hashes) };
}

/** The records that two texts are in, and which parts of them they are; `undefined` of a session that has ended there. */
export type DifferingRecords = readonly [DifferingRecord | undefined, DifferingRecord | undefined];

export interface DifferingRecord {
  readonly text: Uint8Array;
  readonly partIndex: number;
}

// biome-ignore lint/correctness/useYield: a task is a generator
export function* cutDifference([a, b]: DifferingRecords): Generator<void, readonly [CutText, CutText]> {
  return cutAtDifference(textOf(a), textOf(b));
}

function textOf(record: DifferingRecord | undefined): string {
  if (record === undefined) return "";
  const message = readMessage(recordIn(decoder.decode(record.text)), 0);
  const part = message.parts[record.partIndex];
  if (part === undefined) return "";
  return part.type === "call" ? inputText(part.input) : partText(part);
}

// biome-ignore lint/correctness/useYield: a task is a generator
export function* dropAnalysis(id: string): Generator<void, void> {
  analyses.delete(id);
}

function analysisOf(id: string): SessionAnalysis {
  const analysis = analyses.get(id);
  // The thread ended meanwhile, and another one took its place.
  if (analysis === undefined)
    throw new SourceUnavailableError("The session could not be read to its end. Try again.");
  return analysis;
}
