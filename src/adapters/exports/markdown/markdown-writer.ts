import type { ExportWriter } from "../../../application/ports/export.js";
import type { ReadOptions } from "../../../application/ports/record-stream.js";
import type { CallPricing } from "../../../application/pricing/call-pricing.js";
import { runInSlices } from "../../../application/threads/slices.js";
import { type MessageOrigin, readMessage } from "../../../domain/conversation/conversation.js";
import type { JsonObject } from "../../../domain/json/json.js";
import { walkSpans } from "../../../domain/spans/span.js";
import { asBytes } from "../session/as-bytes.js";
import { type ExportedSession, sessionsIn } from "../session/exported-session.js";
import type { TextLimits } from "../texts/event-texts.js";
import { codeBlock, codeSpan, inlineText, shortenedText, wrapped } from "../texts/markdown-text.js";
import { type EventExcerpt, keepExcerpts, type ReadTrace, readTrace } from "../texts/read-trace.js";
import { type SessionFigures, sessionFigures } from "../texts/session-figures.js";
import { diagnosisLines, factsLine, headLines, titleOf } from "../texts/session-head.js";
import { sessionSections } from "./session-sections.js";

/** Characters. */
const LENGTHS: TextLimits = {
  spoken: 12_000,
  thought: 1_500,
  input: 2_000,
  change: 6_000,
  result: 2_000,
  error: 4_000,
};

/**
 * Writes sessions for people: failures first, then turn by turn, with a section for each sub-agent. All texts of a history are in code
 * blocks or code spans that they cannot end. A trace is held until its end, because only then are all failures available.
 */
export function markdownWriter(pricing: CallPricing): ExportWriter["write"] {
  return async function* (lines, options = {}) {
    for await (const session of sessionsIn(lines, () => keepExcerpts(LENGTHS), options)) {
      yield* asBytes(markdownTexts(session, pricing, options), options);
    }
  };
}

async function* markdownTexts(
  session: ExportedSession<EventExcerpt>,
  pricing: CallPricing,
  options: ReadOptions,
): AsyncGenerator<string> {
  const { listed, turnNumbers, messages } = session;
  const trace = await runInSlices(readTrace(session.trace), options.signal);
  yield headText(session, await sessionFigures(trace, pricing, options));
  yield* sessionSections({ trace, directory: listed.directory ?? "", turnNumbers });
  if (saysAnswers(trace)) return;
  let heading = "## Conversation\n\n";
  for await (const record of messages) {
    const text = record.agentId === "" && "message" in record ? messageText(record.message) : "";
    if (text === "") continue;
    yield heading + text;
    heading = "";
  }
}

function headText({ head, listed, turnNumbers }: ExportedSession<unknown>, figures: SessionFigures): string {
  const { tenantId, sessionId, directory = "" } = listed;
  return [
    `# ${inlineText(titleOf(listed))}`,
    "",
    factsLine(figures),
    "",
    `Session ${codeSpan(`${tenantId}/${sessionId}`)}${directory === "" ? "" : ` in ${codeSpan(directory)}`}`,
    ...headLines(head).flatMap((line) => ["", line]),
    "",
    "## What went wrong",
    "",
    ...diagnosisLines(figures, turnNumbers),
    "",
    "",
  ].join("\n");
}

const SPEAKERS: { readonly [origin in Exclude<MessageOrigin, "tool">]: string } = {
  user: "User",
  assistant: "Agent",
  system: "System",
  summary: "Summary",
};

/** Omits tool results: the trace contains them. */
function messageText(message: JsonObject): string {
  const { parts, origin } = readMessage(message, 0);
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (text.trim() === "" || origin === "tool") return "";
  return `**${SPEAKERS[origin]}**\n\n${codeBlock({ text: wrapped(shortenedText(text, LENGTHS.spoken)) })}\n`;
}

function saysAnswers({ roots, textsOf }: ReadTrace): boolean {
  let hasText = false;
  walkSpans(roots, ({ kind, start, end }) => {
    if (kind === "text" || kind === "llm")
      hasText ||= (textsOf(end).spoken ?? textsOf(start).spoken) !== undefined;
  });
  return hasText;
}
