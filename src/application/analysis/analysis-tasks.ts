import {
  type ComparedSessions,
  type CutText,
  compareSessions,
  cutAtDifference,
} from "../../domain/compare/compare-sessions.js";
import type { SessionComparison } from "../../domain/compare/session-comparison.js";
import { type SteppedRows, stepRows } from "../../domain/compare/step-rows.js";
import { inputText } from "../../domain/context/context-item.js";
import { readMessage } from "../../domain/conversation/conversation.js";
import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import { partText } from "../../domain/conversation/message-part.js";
import type { SessionFacts } from "../../domain/facts/session-facts.js";
import { recordIn } from "../../domain/json/json.js";
import type { PlainBatch } from "../../domain/json/record-batch.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { factsOfSteps } from "../../domain/summary/facts-of-steps.js";
import { SessionAnalysis } from "../../domain/summary/session-analysis.js";
import type { SessionSummary } from "../../domain/summary/session-summary.js";
import { pricedCalls } from "../../domain/summary/summarise-calls.js";
import { summariseSession } from "../../domain/summary/summarise-session.js";
import { ComparableTexts } from "../../domain/text/comparable-text.js";
import type { CallColumns, CallRates } from "../../domain/usage/call-prices.js";
import { ownModule } from "../ports/reading-pool.js";
import { recordsIn } from "../records/context-facts.js";
import { withState } from "../threads/thread-session.js";
import { alignConversations } from "./align-conversations.js";
import { alignSteps } from "./align-steps.js";

export interface AnalysedBatch extends PlainBatch {
  readonly of: number;
  /** Agent of the messages; `undefined` for envelopes of the trace. */
  readonly agentId: string | undefined;
}

export interface AnalysedTrace {
  readonly agentIds: readonly string[];
  readonly calls: CallColumns;
}

export interface AnalysedSession {
  readonly of: number;
  readonly key: SessionKey;
  readonly rates: CallRates;
}

function analysisOf(analyses: SessionAnalysis[], of: number): SessionAnalysis {
  analyses[of] ??= new SessionAnalysis();
  return analyses[of];
}

function stepsOf<Input, Output>(
  steps: (analyses: SessionAnalysis[], input: Input) => Generator<void, Output>,
) {
  return withState((): SessionAnalysis[] => [], steps);
}

export const addRecords = stepsOf(function* (analyses, { of, agentId, ...batch }: AnalysedBatch) {
  const analysis = analysisOf(analyses, of);
  for (const [i, record] of recordsIn(batch)) {
    if (agentId === undefined) analysis.addEnvelope(record, batch.ends[i]! - batch.starts[i]!);
    else analysis.addMessage(agentId, record);
    yield;
  }
});

export interface OutlinedConversation {
  readonly of: number;
  readonly agentId: string;
  readonly outline: ConversationOutline;
}

// biome-ignore lint/correctness/useYield: a task is a generator
export const addOutline = stepsOf(function* (
  analyses,
  { of, agentId, outline }: OutlinedConversation,
): Generator<void, void> {
  analysisOf(analyses, of).outlineConversation(agentId, outline);
});

export const readSteps = stepsOf(function* (analyses, of: number): Generator<void, AnalysedTrace> {
  const analysis = analysisOf(analyses, of);
  yield* analysis.errors();
  const steps = yield* analysis.steps();
  return { agentIds: [...new Set(steps.calls.map(({ agentId }) => agentId))], calls: pricedCalls(steps) };
});

export const summarise = stepsOf(
  (analyses, { of, key, rates }: AnalysedSession): Generator<void, SessionSummary> =>
    summariseSession(analysisOf(analyses, of), key, rates),
);

export const readFacts = stepsOf(function* (analyses, of: number): Generator<void, SessionFacts> {
  return yield* factsOfSteps(yield* analysisOf(analyses, of).steps());
});

// biome-ignore lint/correctness/useYield: a task is a generator
export const beginAnalysis = stepsOf(function* (analyses, of: number): Generator<void, void> {
  analysisOf(analyses, of);
});

export interface ComparedFolder {
  readonly of: number;
  readonly directory: string;
}

const COMPARED_LINE = 300;

export const beginCompared = stepsOf(function* (analyses, { of, directory }: ComparedFolder) {
  const texts = new ComparableTexts(directory);
  analyses[of] = new SessionAnalysis({
    line: COMPARED_LINE,
    comparableText: (text, isResult) => texts.of(text, isResult),
    visibleOf: (text) => texts.visibleText(text),
  });
});

export type AlignedSessions = Omit<ComparedSessions, "hashes" | "steps"> &
  Pick<SessionComparison, "conversation"> & {
    readonly steps: SteppedRows["comparison"];
    /** JSON texts of several rows each: a thread transfers a text faster than an object tree. */
    readonly rowTexts: readonly string[];
  };

export const ROWS_PER_TEXT = 250;

export const compare = stepsOf(function* (
  analyses,
  [a, b]: readonly [AnalysedSession, AnalysedSession],
): Generator<void, AlignedSessions> {
  const { hashes, steps, ...compared } = yield* compareSessions(
    { ...a, analysis: analysisOf(analyses, a.of) },
    { ...b, analysis: analysisOf(analyses, b.of) },
  );
  yield;
  const conversation = alignConversations(hashes);
  yield;
  const { comparison, rows } = yield* stepRows(...steps, yield* alignSteps(...steps));
  const rowTexts: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_TEXT) {
    rowTexts.push(JSON.stringify(rows.slice(at, at + ROWS_PER_TEXT)));
    yield;
  }
  return { ...compared, conversation, steps: comparison, rowTexts };
});

/** Records with two differing texts; `undefined` for a session that has ended there. */
export type DifferingRecords = readonly [DifferingRecord | undefined, DifferingRecord | undefined];

export interface DifferingRecord {
  readonly text: Uint8Array;
  readonly partIndex: number;
}

// biome-ignore lint/correctness/useYield: a task is a generator
export const cutDifference = stepsOf(function* (
  _,
  [a, b]: DifferingRecords,
): Generator<void, readonly [CutText, CutText]> {
  return cutAtDifference(textOf(a), textOf(b));
});

function taskOf<Input, Output>(name: string, steps: (input: Input) => Generator<unknown, Output>) {
  return { module: ownModule(import.meta.url, "analysis-tasks"), name, steps };
}

export const ADD_RECORDS = taskOf("addRecords", addRecords);
export const ADD_OUTLINE = taskOf("addOutline", addOutline);
export const BEGIN_ANALYSIS = taskOf("beginAnalysis", beginAnalysis);
export const BEGIN_COMPARED = taskOf("beginCompared", beginCompared);
export const READ_STEPS = taskOf("readSteps", readSteps);
export const SUMMARISE = taskOf("summarise", summarise);
export const READ_FACTS = taskOf("readFacts", readFacts);
export const COMPARE = taskOf("compare", compare);
export const CUT_DIFFERENCE = taskOf("cutDifference", cutDifference);

function textOf(record: DifferingRecord | undefined): string {
  if (record === undefined) return "";
  const message = readMessage(recordIn(new TextDecoder().decode(record.text)), 0);
  const part = message.parts[record.partIndex];
  if (part === undefined) return "";
  return part.type === "call" ? inputText(part.input) : partText(part);
}
