import { isModelCall } from "../../../domain/conversation/model-call-of.js";
import type { Failure } from "../../../domain/diagnosis/failures.js";
import type { Span } from "../../../domain/spans/span.js";
import { formatDuration } from "../../../domain/text/figures.js";
import { subjectLine } from "../../../domain/text/subject-line.js";
import { factsLine } from "../texts/session-head.js";
import {
  causesText,
  changePart,
  contextPart,
  filesLine,
  lookUpPart,
  modelName,
  promptPart,
  sessionPart,
  stepPart,
  toolCall,
} from "./prompt-parts.js";
import type { PromptSession } from "./prompt-reading.js";
import { fitted, lineText, type Quotes } from "./prompt-text.js";

const MOST_FAILURES = 3;
/** The last steps have priority. */
const MOST_STEPS = 25;

export function sessionPrompt(read: PromptSession, mark: string): string {
  const failures = failuresOf(read);
  return fitted(mark, (quotes) =>
    read.step === undefined
      ? stretchText(read, failures, quotes)
      : stepText(read, read.step, failures, quotes),
  );
}

function stepText(read: PromptSession, step: Span, failures: readonly FailedSpan[], quotes: Quotes): string {
  const failure = failures.find(({ place }) => place.stepId === step.id);
  const isFailed = failure !== undefined;
  const at = { at: step.start.sequence };
  return [
    `# ${isFailed ? "Continue from a failed step" : "Continue from a step"} of a recorded agent session\n\n`,
    `${quotes.notice}\n\n`,
    sessionPart(read, quotes),
    `\n## ${isFailed ? "Failure" : "Step"}\n\n`,
    stepPart(step, read, quotes, failure?.outcome),
    ...section("Prompt", promptPart(step, read, quotes)),
    ...section("Context", contextPart(read.call, read.context, quotes)),
    ...section("Change", changePart(read.spans, step, read, quotes)),
    ...task(isFailed),
    lookUpPart([
      `the step, and the steps after it: ${toolCall("trace_slice", read.session, { ...at, texts: true })}`,
      `the full context of its model call: ${toolCall("context_at_call", read.session, { ...at, texts: true })}`,
      `the other failures: ${toolCall("session_summary", read.session, { texts: true })}`,
    ]),
  ].join("");
}

function stretchText(read: PromptSession, failures: readonly FailedSpan[], quotes: Quotes): string {
  const { part } = read.head;
  const root = rootOf(read);
  const lastCall = read.spans.findLast((span) => isModelCall(span) && span.agentId === (root?.agentId ?? ""));
  const [first] = failures;
  const from = (first ?? root ?? read.spans[0])?.start?.sequence;
  return [
    `# Continue from ${titleOf(read)}\n\n`,
    `${quotes.notice}\n\n`,
    sessionPart(read, quotes),
    `\n${factsLine(read.figures, modelName)}\n`,
    ...section("Prompt", promptPart(root ?? read.spans.find(({ kind }) => kind === "turn"), read, quotes)),
    ...section("Failure", failures.length === 0 ? "" : quotes.quote({ text: causesText(read) }, 1_500)),
    ...worst(read, failures).map(
      ({ span, outcome }, i) => `\n### Failure ${i + 1}\n\n${stepPart(span, read, quotes, outcome)}`,
    ),
    ...section("Context", contextPart(lastCall, undefined, quotes)),
    ...section("Change", changePart(read.spans, undefined, read, quotes)),
    ...(part === "errors"
      ? []
      : section("Changed files", quotes.quote({ text: filesLine(read.spans) }, 600))),
    ...(part === "errors" ? [] : section("Last steps", quotes.quote({ text: stepLines(read) }, 1_800))),
    ...(part === "errors" ? [] : section("Last answer", quotes.quote({ text: lastAnswer(read) }, 1_000))),
    ...task(failures.length > 0),
    lookUpPart([
      ...(from === undefined
        ? []
        : [`the steps from there on: ${toolCall("trace_slice", read.session, { at: from, texts: true })}`]),
      `the failures and the cost: ${toolCall("session_summary", read.session, { texts: true })}`,
      `the conversation: ${toolCall("messages", read.session, { texts: true })}`,
    ]),
  ].join("");
}

function titleOf({ head: { part }, turnNumbers }: PromptSession): string {
  if (part === null) return "a recorded agent session";
  if (part === "errors") return "the errors of a recorded agent session";
  if (part.startsWith("turn:")) return `turn ${turnNumbers[0] ?? "?"} of a recorded agent session`;
  return "a sub-agent of a recorded agent session";
}

function rootOf({ head: { part }, spans }: PromptSession): Span | undefined {
  const agentId = /^agent:(.+)$/s.exec(part ?? "")?.[1];
  if (agentId !== undefined) {
    const agent = spans.find((span) => span.kind === "agent" && span.agentId === agentId);
    return agent?.children.find(({ kind }) => kind === "turn") ?? agent;
  }
  return part?.startsWith("turn:")
    ? spans.find(({ kind, agentId: id }) => kind === "turn" && id === "")
    : undefined;
}

interface FailedSpan extends Failure {
  readonly span: Span;
  readonly start: Span["start"];
}

function failuresOf({ failures, spans }: PromptSession): readonly FailedSpan[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  return failures.flatMap((failure) => {
    const span = byId.get(failure.place.stepId);
    return span === undefined ? [] : [{ ...failure, span, start: span.start }];
  });
}

function worst({ figures }: PromptSession, failures: readonly FailedSpan[]): readonly FailedSpan[] {
  return figures.diagnosis.causes
    .slice(0, MOST_FAILURES)
    .flatMap(({ first }) => failures.find(({ place }) => place.stepId === first.stepId) ?? []);
}

function stepLines({ spans, session }: PromptSession): string {
  const tools = spans.filter(({ kind }) => kind === "tool").sort((a, b) => a.start.index - b.start.index);
  return tools
    .slice(-MOST_STEPS)
    .map((span) => {
      const failed = span.hasFailedPart || span.end?.error !== undefined ? " FAILED" : "";
      const subject = lineText(subjectLine(span.start.subject, session.directory ?? "").text, 100);
      return `${span.start.sequence} ${lineText(span.name, 40)} ${subject} (${formatDuration(Math.max(0, span.endAt - span.start.at))})${failed}`;
    })
    .join("\n");
}

function lastAnswer({ spans, trace, session }: PromptSession): string {
  const texts = spans
    .filter(({ kind, agentId }) => (kind === "text" || kind === "llm") && agentId === "")
    .sort((a, b) => a.start.index - b.start.index)
    .map((span) => ({ ...trace.textsOf(span.start), ...trace.textsOf(span.end) }))
    .findLast(({ spoken: text, isThought }) => text !== undefined && text !== "" && !isThought);
  return texts?.spoken ?? session.lastAnswer ?? "";
}

function section(heading: string, text: string): readonly string[] {
  return text === "" ? [] : [`\n## ${heading}\n\n`, text];
}

function task(isFailed: boolean): readonly string[] {
  const what = isFailed
    ? "Find the cause of the failure and fix it."
    : "Continue from there with the user's request.";
  return [`\n## Your task\n\n${what} Files may have changed since it was recorded: read them first.\n\n`];
}
