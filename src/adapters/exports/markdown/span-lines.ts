import { durationMs, type Span, spanError } from "../../../domain/spans/span.js";
import { formatCount, formatDuration } from "../../../domain/text/figures.js";
import { previewText } from "../../../domain/text/preview-text.js";
import { subjectLine } from "../../../domain/text/subject-line.js";
import type { EventTexts } from "../texts/event-texts.js";
import { codeBlock, inlineText } from "../texts/markdown-text.js";
import type { ReadTrace } from "../texts/read-trace.js";

export interface WrittenTrace {
  readonly trace: ReadTrace;
  /** `""` if the folder is not recorded. */
  readonly directory: string;
  /** Only for a part of a session: the numbers of its turns. */
  readonly turnNumbers: readonly number[];
}

/** `""` for a step without text for people. */
export function stepText(span: Span, written: WrittenTrace): string {
  const { trace } = written;
  const texts = { ...trace.textsOf(span.start), ...definedOf(trace.textsOf(span.end)) };
  switch (span.kind) {
    case "turn":
      return promptText(texts) + failureText("Turn failed", span, texts);
    case "text":
      return spokenText(span, texts);
    case "llm":
      return modelCallText(span, texts);
    case "tool":
      return toolText(span, texts, written);
    case "compaction":
      return `*${compactionText(span)}*\n\n`;
    case "input":
      return block("*Waiting for user*", span.start.subject.text);
    case "error":
      return failureText("Error", span, texts);
    case "job":
      return jobText(span, trace);
    case "skill":
      return `**Skill** ${inlineText(span.name)}\n\n${failureText("Skill failed", span, texts)}`;
    case "evaluation":
      return `**Evaluation** ${inlineText(span.name)}: ${inlineText(span.start.subject.text, 300)}\n\n`;
    case "span":
      return span.children.length > 0 ? "" : `**${inlineText(span.name || "step")}** ${took(span)}\n\n`;
    default:
      return failureText(span.start.type, span, texts);
  }
}

export function bookkeepingText({ bookkeeping }: Span, { trace }: WrittenTrace): string {
  return bookkeeping
    .filter((record) => spanError(record) !== undefined)
    .map((record) => failureText(record.start.type, record, trace.textsOf(record.start)))
    .join("");
}

function promptText({ spoken: text = "" }: EventTexts): string {
  return block("**Prompt**", text);
}

function spokenText({ name, agentId }: Span, { spoken: text = "", isThought }: EventTexts): string {
  if (isThought) return block("*Thinking*", text);
  const isModel = name === "" || name === "assistant" || name === "model";
  const speaker = isModel
    ? agentId === ""
      ? "Agent"
      : "Sub-agent"
    : name === "user"
      ? "User"
      : inlineText(name);
  return block(`**${speaker}**`, text);
}

/** Omits the answer if a separate event contains its text. */
function modelCallText(span: Span, texts: EventTexts): string {
  const hasText = span.children.some(({ kind }) => kind === "text");
  const model = span.end?.name ?? span.name;
  const failed = failureText(
    `Model call failed${model === "" ? "" : ` (${inlineText(model)})`}`,
    span,
    texts,
  );
  return (hasText ? "" : spokenText({ ...span, name: "" }, { spoken: texts.spoken })) + failed;
}

function toolText(span: Span, texts: EventTexts, { directory }: WrittenTrace): string {
  const { input, result, error } = texts;
  const subject = previewText(subjectLine(span.start.subject, directory).text, 120);
  const isComplete = input?.language === "sh" && input.text === subject;
  const isFailed = spanError(span) !== undefined;
  const head = [
    `**${inlineText(span.name || "tool")}**`,
    ...(subject === "" || isComplete ? [] : [inlineText(subject)]),
    ...(isFailed ? ["**failed**"] : span.end === undefined ? ["no end recorded"] : []),
    took(span),
  ].filter((part) => part !== "");
  const text = result ?? error;
  return [
    `${head.join(" · ")}\n\n`,
    ...(input === undefined ? [] : [`${codeBlock(input)}\n`]),
    ...(text === undefined ? [] : [`${isFailed ? "Error:" : "Result:"}\n\n${codeBlock({ text })}\n`]),
  ].join("");
}

/** Only if the agent's own steps are not recorded. */
function jobText(span: Span, trace: ReadTrace): string {
  if (span.parent?.children.some(({ kind }) => kind === "turn" || kind === "llm")) return "";
  const [input, output] = [trace.textsOf(span.start), trace.textsOf(span.end)];
  const result =
    span.end === undefined || span.end === span.start ? "" : block("**Result**", output.spoken ?? "");
  return block("**Task**", input.spoken ?? "") + result + failureText("Task failed", span, output);
}

function failureText(what: string, span: Span, { error }: EventTexts): string {
  const text = error ?? spanError(span);
  return text === undefined ? "" : block(`**${what}**`, text);
}

function block(heading: string, text: string): string {
  return text.trim() === "" ? "" : `${heading}\n\n${codeBlock({ text })}\n`;
}

function compactionText({ start, end }: Span): string {
  const before = end?.tokensBefore ?? start.tokensBefore;
  const after = end?.tokensAfter ?? start.tokensAfter;
  const tokens = [before, after].map((count) => (count === undefined ? "?" : formatCount(count)));
  const tokenChange = before === undefined && after === undefined ? "" : `: ${tokens.join(" → ")} tokens`;
  return `Context compacted${tokenChange}`;
}

export function partsText(span: Span): string {
  const { llmCalls, toolCalls, subAgents, errors } = span.totals;
  return [
    took(span),
    ...(llmCalls === 0 ? [] : [formatCount(llmCalls, "model call")]),
    ...(toolCalls === 0 ? [] : [formatCount(toolCalls, "tool call")]),
    ...(subAgents === 0 ? [] : [formatCount(subAgents, "sub-agent")]),
    ...(errors === 0 ? [] : [`**${formatCount(errors, "error")}**`]),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function took(span: Span): string {
  const ms = durationMs(span);
  return ms === 0 ? "" : formatDuration(ms);
}

function definedOf(texts: EventTexts): EventTexts {
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
}
