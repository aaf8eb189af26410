import { Conversation } from "./conversation.js";
import { promptIn } from "./message-texts.js";
import type { OpenSpan } from "./open-span.js";
import { recordEvaluations, recordOther } from "./record-step.js";
import { Run } from "./run.js";
import type { RunSpanFacts, RunSpanResult, SpanIdentity } from "./run-span.js";
import { titleOf, type WritersOfSessions } from "./session-writer.js";
import { outcomeOf } from "./span-outcome.js";

export function beginSpan(span: OpenSpan, facts: RunSpanFacts, writers: WritersOfSessions): void {
  span.kind = kindWhereItLies(span);
  const { kind, startedAt: at } = span;
  const around = span.run;
  if (around !== undefined) enter(span, around);
  if (kind === "other") return;
  span.isBegun = true;
  span.hasInput = facts.input !== undefined;
  if (kind === "agent" || kind === "turn") {
    if (span.began !== undefined) return;
    if (around === undefined) return beginRootRun(span, facts, writers);
    const toolCallId = span.toolAround?.toolCallId;
    span.began = new Run(
      around.session,
      {
        id: span.id,
        partOf: span.partOf,
        name: span.name,
        input: facts.input,
        at,
        startMembers: facts.startMembers,
      },
      { parent: around, toolCallId },
    );
    span.run = span.began;
    return;
  }
  const run = around ?? beginImpliedRun(span, writers);
  if (kind === "tool") {
    const { id, toolCallId, name: toolName } = span;
    const spanId = toolCallId === id ? undefined : id;
    run.requested.start(spanId === undefined ? undefined : toolCallId);
    const { partOf: parentSpanId } = span;
    const { input, startMembers } = facts;
    run.record(
      { type: "tool.start", toolCallId, toolName, spanId, parentSpanId, input, ...startMembers },
      at,
    );
    return;
  }
  if (kind === "compaction") {
    const { id, partOf: parentSpanId, name: trigger } = span;
    const type = "compaction.start";
    const { startMembers } = facts;
    const event = { type, compactionId: id, spanId: id, parentSpanId, trigger, ...startMembers } as const;
    run.beginCompaction(event, at, asideOf(span));
    return;
  }
  recordFailedCalls(run, facts, at);
  const { model, provider, startMembers } = facts;
  const { id: callId, partOf: parentSpanId } = span;
  run.record({ type: "llm.start", callId, parentSpanId, model, provider, ...startMembers }, at);
  askModel(span, run, facts, at);
}

function recordFailedCalls(run: Run, { messages = [] }: Partial<RunSpanFacts>, at: number): void {
  for (const { toolCallId, toolName, input, message } of run.requested.takeFailed(messages)) {
    run.record({ type: "tool.start", toolCallId, toolName, input }, at);
    run.record({ type: "tool.end", toolCallId, toolName, output: message, isError: true }, at);
  }
}

function askModel(span: OpenSpan, run: Run, facts: Partial<RunSpanFacts>, at: number): void {
  const { messages = [], isCompacted = false, addsMessages: isAdded = false } = facts;
  if (messages.length > 0) span.hasInput = true;
  else if (!isCompacted) return;
  run.ask({ messages, isCompacted, isAdded }, at, asideOf(span));
}

/** A conversation between a tool and a model is separate from the conversation that called the tool. */
function asideOf({ toolAround }: OpenSpan): Conversation | undefined {
  if (toolAround !== undefined) toolAround.conversation ??= new Conversation(false);
  return toolAround?.conversation;
}

/** Several spans may report one thing: the outermost retains its kind, those in it become other spans. */
function kindWhereItLies(span: OpenSpan): OpenSpan["kind"] {
  const { kind, around } = span;
  if (around === undefined) return kind;
  if (kind === "turn") return "other";
  if (kind === "model" && around.kind === "model") return "other";
  if (kind === "tool" && around.kind === "tool") {
    const isNamedAlike = span.toolCallId === span.id && span.name === around.name;
    return isNamedAlike || span.toolCallId === around.toolCallId ? "other" : kind;
  }
  if (kind === "agent" && around.kind === "turn" && !around.hasAgent) {
    around.hasAgent = true;
    return "other";
  }
  return kind;
}

function enter(span: OpenSpan, run: Run): void {
  if (span.entered !== undefined) return;
  span.entered = run;
  run.enter();
}

function beginRootRun(span: OpenSpan, facts: Partial<RunSpanFacts>, writers: WritersOfSessions): void {
  const run = rootRun(span, facts, writers);
  span.began = run;
  span.run = run;
  enter(span, run);
}

/** For calls that report no agent. The root is their outermost span, even if that has not been reported yet. */
function beginImpliedRun(span: OpenSpan, writers: WritersOfSessions): Run {
  const way = [...span.way()];
  const top = way.at(-1)!;
  const run = rootRun(top, {}, writers);
  top.run = run;
  if (top.parentId === undefined) top.began = run;
  else top.tree.awaited.set(top.parentId, run);
  for (const open of way) if (open.state === "open") enter(open, run);
  return run;
}

function rootRun(
  span: OpenSpan,
  { input, title, startMembers }: Partial<RunSpanFacts>,
  writers: WritersOfSessions,
): Run {
  const { id, partOf, name, kind, tree, startedAt: at } = span;
  const reported = Object.assign(
    {},
    tree.identity,
    ...[...span.way()].reverse().map((open) => open.identity),
  ) as SpanIdentity;
  const prompt = promptIn(input);
  const session = writers.of(
    { ...reported, sessionId: reported.sessionId ?? tree.key },
    {
      title: title ?? (prompt === undefined ? undefined : titleOf(prompt)),
      agentId: kind === "agent" ? name : undefined,
      at,
    },
  );
  const run = new Run(session, { id, partOf, name, input, at, title, startMembers });
  tree.beginRun(run);
  return run;
}

export function endSpan(
  span: OpenSpan,
  reported: RunSpanResult,
  at: number,
  writers: WritersOfSessions,
): void {
  if (!span.isBegun) {
    span.learn(reported);
    // The kind of this span arrived late: the spans of the agent have already been recorded around it.
    if (span.kind === "agent" && span.run !== undefined) span.kind = "other";
    beginSpan(span, { ...reported, kind: span.kind, name: span.name }, writers);
  }
  const result = isAgent(span) ? withError(reported) : reported;
  const { run } = span;
  recordEvaluations(span, result, at);
  if (span.kind === "model" && run !== undefined) endModel(span, run, result, at);
  else if (span.kind === "tool" && run !== undefined) endTool(span, run, result, at);
  else if (span.kind === "compaction" && run !== undefined) endCompaction(span, run, result, at);
  else if (span.kind === "other") recordOther(span, result, at);
  if (span.began !== undefined) {
    if (isAgent(span)) addTexts(span, result, at);
    const { error, isCancelled } = result;
    span.began.end(isAgent(span) ? result : { error, isCancelled }, at);
  }
  span.leave(result.usage, outcomeOf(result).outcome === "failed", "ended");
}

export function addTexts(
  span: OpenSpan,
  { addsMessages, messages = [], answer = [] }: Partial<RunSpanResult>,
  at: number,
): void {
  const { run } = span;
  if (!addsMessages || run === undefined) return;
  if (span.kind === "model") run.answer(answer, at, asideOf(span), true);
  else run.ask({ messages, isCompacted: false, isAdded: true }, at);
}

const isAgent = ({ kind }: OpenSpan) => kind === "agent" || kind === "turn";

/** An agent whose model stopped with an error has failed, even if it reports no error. */
function withError(result: RunSpanResult): RunSpanResult {
  const { error, stopReason, isCancelled } = result;
  if (error !== undefined || stopReason !== "error" || isCancelled === true) return result;
  return { ...result, error: { message: "The model stopped with an error." } };
}

function endModel(span: OpenSpan, run: Run, result: RunSpanResult, at: number): void {
  const { answer, usage, stopReason, model, provider, otherAttributes: attributes, endMembers } = result;
  const { outcome, error, cancelReason } = outcomeOf(result);
  if (!span.hasInput) {
    recordFailedCalls(run, result, span.startedAt);
    askModel(span, run, result, span.startedAt);
  }
  if (answer !== undefined && answer.length > 0) run.answer(answer, at, asideOf(span), result.addsMessages);
  const reason = stopReason ?? (outcome === "failed" ? "error" : undefined);
  run.record(
    {
      type: "llm.end",
      callId: span.id,
      model,
      provider,
      usage: span.usageOfCall(usage),
      stopReason: reason,
      outcome: outcome === "cancelled" ? outcome : undefined,
      error,
      cancelReason,
      attributes,
      ...endMembers,
    },
    at,
  );
}

function endTool(span: OpenSpan, run: Run, result: RunSpanResult, at: number): void {
  const { input, output, otherAttributes: attributes, endMembers } = result;
  const { outcome, error, cancelReason } = outcomeOf(result);
  const provided = output ?? error?.message;
  run.record(
    {
      type: "tool.end",
      toolCallId: span.toolCallId,
      toolName: span.name,
      input: span.hasInput ? undefined : input,
      output: provided,
      isError: outcome === "cancelled" ? undefined : outcome === "failed",
      outcome: outcome === "cancelled" ? outcome : undefined,
      cancelReason,
      attributes,
      ...endMembers,
    },
    at,
  );
}

function endCompaction({ id: compactionId }: OpenSpan, run: Run, result: RunSpanResult, at: number): void {
  const { tokensBefore, tokensAfter, otherAttributes: attributes, endMembers } = result;
  const { outcome, error } = outcomeOf(result);
  const failed = outcome === "failed" ? error : undefined;
  run.record(
    {
      type: "compaction.end",
      compactionId,
      tokensBefore,
      tokensAfter,
      error: failed,
      attributes,
      ...endMembers,
    },
    at,
  );
}
