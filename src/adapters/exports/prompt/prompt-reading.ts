import type { ReadOptions } from "../../../application/ports/record-stream.js";
import type { CallPricing } from "../../../application/pricing/call-pricing.js";
import { runInSlices } from "../../../application/threads/slices.js";
import type { ArchiveHead } from "../../../domain/archive/archive-record.js";
import { type ContextItem, itemisedMessage } from "../../../domain/context/context-item.js";
import { readMessage } from "../../../domain/conversation/conversation.js";
import { modelCallOf } from "../../../domain/conversation/model-call-of.js";
import { recordedContext } from "../../../domain/conversation/recorded-context.js";
import { type Failure, TraceOfFailures } from "../../../domain/diagnosis/failures.js";
import type { JsonObject } from "../../../domain/json/json.js";
import type { ListedSession } from "../../../domain/session/model-usage.js";
import { type Span, walkSpans } from "../../../domain/spans/span.js";
import { ComparableTexts } from "../../../domain/text/comparable-text.js";
import type { ExportedSession } from "../session/exported-session.js";
import type { Keep } from "../session/exported-trace.js";
import type { TextLimits } from "../texts/event-texts.js";
import { type EventExcerpt, keepExcerpts, type ReadTrace, readTrace } from "../texts/read-trace.js";
import { type SessionFigures, sessionFigures } from "../texts/session-figures.js";
import { CountedContext } from "./counted-context.js";

/** Characters: more than the prompt ever uses. */
const LIMITS: TextLimits = {
  spoken: 2_500,
  thought: 0,
  input: 2_000,
  change: 3_000,
  result: 2_000,
  error: 3_000,
};

/** Bounds for the comparison with another session. */
const MOST_ITEMS = 20_000;
const LINE = 300;

export interface PromptSession {
  readonly head: ArchiveHead;
  readonly session: ListedSession;
  readonly turnNumbers: readonly number[];
  readonly trace: ReadTrace;
  readonly spans: readonly Span[];
  readonly failures: readonly Failure[];
  readonly figures: SessionFigures;
  /** Only for a part about a single step. */
  readonly step: Span | undefined;
  readonly call: Span | undefined;
  readonly context: CountedContext;
  /** Parts of the main agent's conversation, up to `MOST_ITEMS`. */
  readonly items: readonly ContextItem[];
}

interface PromptEvent extends EventExcerpt {
  /** Context that is recorded on a model call itself. Only for a part about a single step. */
  readonly input: readonly JsonObject[] | undefined;
}

export function keepForPrompt(head: ArchiveHead): Keep<PromptEvent> {
  const keepTexts = keepExcerpts(LIMITS);
  const isOfStep = stepIdOf(head) !== undefined;
  return (event, facts, line) => ({
    ...keepTexts(event, facts, line),
    input: isOfStep ? recordedContext([event])?.messages : undefined,
  });
}

export async function readForPrompt(
  exported: ExportedSession<PromptEvent>,
  pricing: CallPricing,
  options: ReadOptions,
): Promise<PromptSession> {
  const { head, listed: session, turnNumbers } = exported;
  const trace = await runInSlices(readTrace(exported.trace), options.signal);
  const spans: Span[] = [];
  walkSpans(trace.roots, (span) => spans.push(span, ...span.bookkeeping));
  const id = stepIdOf(head);
  const step =
    id === undefined ? undefined : spans.find(({ start, end }) => start.id === id || end?.id === id);
  const call = step && modelCallOf(spans, step);
  const text = await readMessages(exported, step, call);
  return {
    head,
    session,
    turnNumbers,
    trace,
    spans,
    failures: await runInSlices(new TraceOfFailures(trace.roots).failures(), options.signal),
    figures: await sessionFigures(trace, pricing, options),
    step,
    call,
    context: recordedFor(call, exported) ?? text.context,
    items: text.items,
  };
}

function stepIdOf({ part }: ArchiveHead): string | undefined {
  return /^step:(.+)$/s.exec(part ?? "")?.[1];
}

function recordedFor(
  call: Span | undefined,
  { trace }: ExportedSession<PromptEvent>,
): CountedContext | undefined {
  const input =
    call && (trace.retainedOf(call.start).input ?? (call.end && trace.retainedOf(call.end).input));
  if (input === undefined) return undefined;
  const context = new CountedContext();
  for (const message of input) context.add(message, {});
  return context;
}

/** Without a call, it reads the messages for a comparison. */
async function readMessages(
  { listed, head, messages }: ExportedSession<PromptEvent>,
  step: Span | undefined,
  call: Span | undefined,
): Promise<Pick<PromptSession, "context" | "items">> {
  const context = new CountedContext();
  const items: ContextItem[] = [];
  const texts = new ComparableTexts(listed.directory ?? "");
  const answer = {
    toolCallId: step?.kind === "tool" ? step.start.key : call?.calls?.[0]?.start.key,
    messageId: call?.end?.messageId ?? call?.start.messageId ?? call?.start.key,
  };
  let count = 0;
  for await (const record of messages) {
    if (!("message" in record)) continue;
    const { agentId, message } = record;
    if (agentId === call?.agentId) context.add(message, answer);
    if (agentId !== "" || items.length >= MOST_ITEMS || stepIdOf(head) !== undefined) continue;
    const read = itemisedMessage(readMessage(message, count++), {
      line: LINE,
      comparableText: (text, isResult) => texts.of(text, isResult),
      visibleOf: (text) => texts.visibleText(text),
    });
    for (const item of read.items) items.push(item);
  }
  return { context, items };
}
