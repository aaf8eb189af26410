import type { ArchiveHead } from "../../../domain/archive/archive-record.js";
import { OUTCOME_WORDS } from "../../../domain/diagnosis/outcome-words.js";
import type {
  ErrorGroup,
  ErrorOutcomes,
  ErrorPlace,
  FailedKind,
} from "../../../domain/diagnosis/session-diagnosis.js";
import type { ListedSession } from "../../../domain/session/model-usage.js";
import { formatCount, formatDuration } from "../../../domain/text/figures.js";
import { plausibleInstant } from "../../../domain/trace/instant.js";
import { minuteText } from "./figures.js";
import { inlineText } from "./markdown-text.js";
import { type SessionFigures, usedText } from "./session-figures.js";

export function titleOf({ title, prompt, sessionId }: ListedSession): string {
  return title || prompt || sessionId;
}

/** @param nameOf formats a model name. Default is Markdown for people */
export function factsLine(
  { counts, total, models, diagnosis, totalMs, from }: SessionFigures,
  nameOf: (model: string) => string = inlineText,
): string {
  const named = models.slice(0, 3).map(({ model }) => (model === "" ? "unknown model" : nameOf(model)));
  const more = models.length > named.length ? [`${models.length - named.length} more models`] : [];
  return [
    ...(plausibleInstant(from) === undefined ? [] : [minuteText(from)]),
    formatDuration(totalMs),
    ...named,
    ...more,
    ...usedText(total),
    formatCount(counts.turns, "turn"),
    formatCount(counts.modelCalls, "model call"),
    formatCount(counts.toolCalls, "tool call"),
    ...(counts.agents === 0 ? [] : [formatCount(counts.agents, "sub-agent")]),
    formatCount(diagnosis.errors, "error"),
  ].join(" · ");
}

export function headLines({ part, redaction }: ArchiveHead): readonly string[] {
  const lines: string[] = [];
  if (part !== null) lines.push(`A part of the session: ${inlineText(part)}. Figures are those of the part.`);
  if (redaction !== null) {
    const removed = Object.entries(redaction.removed).map(
      ([rule, n]) => `${formatCount(n)} × ${inlineText(rule)}`,
    );
    if (removed.length > 0) lines.push(`Removed before it was written: ${removed.join(", ")}.`);
    if (redaction.kept > 0) lines.push(`${formatCount(redaction.kept)} findings remain in the file.`);
  }
  return lines;
}

const KINDS: { readonly [kind in FailedKind]: string } = {
  tool: "Tool",
  model: "Model call",
  agent: "Agent",
  turn: "Turn",
  bookkeeping: "Hook",
  other: "Error",
};

const MOST_CAUSES = 10;
const MOST_LOOPS = 5;
const CAUSE = 300;

/**
 * Worst first.
 * @param turnNumbers the numbers of the turns, for a part of a session
 */
export function diagnosisLines(
  { diagnosis }: SessionFigures,
  turnNumbers: readonly number[],
): readonly string[] {
  const { errors, causeCount, causes, loops } = diagnosis;
  if (errors === 0 && loops.length === 0) return ["Nothing failed."];
  const lineOf = (cause: ErrorGroup) => causeLine(cause, turnNumbers);
  const listed = causes.slice(0, MOST_CAUSES);
  return [
    `${formatCount(errors, "error")}, ${formatCount(causeCount, "cause")}.`,
    "",
    ...listed.flatMap((cause) => [lineOf(cause), ...cause.consequences.map((one) => `  ${lineOf(one)}`)]),
    ...(causeCount > listed.length ? [`- ${formatCount(causeCount - listed.length, "further cause")}`] : []),
    ...loops
      .slice(0, MOST_LOOPS)
      .map(
        ({ name, subject, times, first }) =>
          `- **Loop**: ${inlineText(name)} ${inlineText(subject)}, the same call ${times} times in a row, with the same result${placeText(first, turnNumbers)}`,
      ),
  ];
}

function causeLine(cause: ErrorGroup, turnNumbers: readonly number[]): string {
  const { kind, name, count, outcomes, first } = cause;
  const names = Object.keys(OUTCOME_WORDS) as (keyof ErrorOutcomes)[];
  const how = names
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${formatCount(outcomes[outcome])} ${OUTCOME_WORDS[outcome]}`);
  const what = name === "" ? KINDS[kind] : inlineText(name);
  const spoken = inlineText(cause.cause, CAUSE);
  return `- ${formatCount(count)} × **${what}**: ${spoken} (${how.join(", ")})${placeText(first, turnNumbers)}`;
}

function placeText({ turn, agentId }: ErrorPlace, turnNumbers: readonly number[]): string {
  const number = turn !== undefined && agentId === "" ? (turnNumbers[turn - 1] ?? turn) : turn;
  const where = [
    ...(number === undefined ? [] : [`turn ${number}`]),
    ...(agentId === "" ? [] : [`agent ${inlineText(agentId)}`]),
  ];
  return where.length === 0 ? "" : `, first in ${where.join(" of ")}`;
}
