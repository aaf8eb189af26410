import { comparedItems, firstDifference } from "../../../domain/compare/compare-sessions.js";
import type { DifferenceKind } from "../../../domain/compare/session-comparison.js";
import type { ContextItem } from "../../../domain/context/context-item.js";
import { formatCount } from "../../../domain/text/figures.js";
import { factsLine } from "../texts/session-head.js";
import { causesText, lookUpPart, modelName, sessionPart, toolCall } from "./prompt-parts.js";
import type { PromptSession } from "./prompt-reading.js";
import { fitted, lineText, type Quotes } from "./prompt-text.js";

const NAMES = ["A", "B"] as const;

const MAX_VISIBLE = 6;

const KINDS: { readonly [kind in DifferenceKind]: string } = {
  argument: "different tool input",
  result: "different tool result",
  message: "different message",
  order: "same content in another order",
  end: "one session ends, the other continues",
};

export function comparisonPrompt(sessions: readonly [PromptSession, PromptSession], mark: string): string {
  const [a, b] = sessions;
  const items = sessions.map((one) => comparedItems(one.items));
  const difference = firstDifference(items[0]!, items[1]!);
  return fitted(mark, (quotes) =>
    [
      "# Compare two recorded agent sessions\n\n",
      `${quotes.notice}\n\n`,
      ...sessions.flatMap((one, i) => [
        `## Session ${NAMES[i]}\n\n`,
        sessionPart(one, quotes),
        `\n${factsLine(one.figures, modelName)}\n\n`,
      ]),
      "## First divergence\n\n",
      difference === undefined
        ? "Both are equal, as far as they were compared.\n\n"
        : `Equal before it: ${formatCount(difference.at, "part")} of messages; then: ${KINDS[difference.kind]}.\n\n`,
      ...sessions.map((_, i) =>
        sideText(NAMES[i]!, items[i]!.slice(difference?.at ?? items[i]!.length), quotes),
      ),
      "## What went wrong\n\n",
      ...sessions.map((one, i) => `${NAMES[i]}:\n\n${quotes.quote({ text: causesText(one) }, 1_000)}\n`),
      "## Your task\n\nExplain why the two diverged, and which result is better. Files may have changed since: read them first.\n\n",
      lookUpPart([
        `the steps that differ, side by side: ${toolCall("compare", a.session, { other: `${b.session.tenantId}/${b.session.sessionId}`, texts: true })}`,
        ...sessions.map(
          (one, i) => `summary of ${NAMES[i]}: ${toolCall("session_summary", one.session, { texts: true })}`,
        ),
      ]),
    ].join(""),
  );
}

function sideText(name: string, items: readonly ContextItem[], quotes: Quotes): string {
  const lines = items
    .slice(0, MAX_VISIBLE)
    .map(
      ({ origin, part, text }) =>
        `${origin === "assistant" ? "model" : origin}, ${part}: ${lineText(text, quotes.room(300))}`,
    );
  if (lines.length === 0) return `${name} has nothing more.\n\n`;
  return `${name} from there on:\n\n${quotes.quote({ text: lines.join("\n") }, 2_000)}\n`;
}
