import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import { PARAMETERS } from "../../application/questions/parameters.js";
import type { ComparedSession } from "../../domain/analysis/session-comparison.js";
import type { StepComparison } from "../../domain/analysis/step-comparison.js";
import { listAnswer, MOST_CHARACTERS } from "./answers.js";
import { shortenable } from "./shorten.js";
import { PAGE, SESSION, type Tool, tool } from "./tool.js";
import { preset, required } from "./tool-input.js";

/** How many rows are looked through at a time. */
const ROWS = 1_000;
/** Of the divergences that cost most. */
const MOST_LARGEST = 5;

/** Two sessions, as the rows of their steps that are not the same. */
export function compareSessionsTool({ compareSessions }: InspectorUseCases): Tool {
  return tool({
    name: "compare_sessions",
    title: "Compare two sessions",
    description:
      "Where two sessions part: their steps (what was said, and each call of a tool with its result) are lined up, and rows holds those that are not the same, " +
      "in order: changed ones, and those of the first or the second alone. Ids, instants, the session's folder and injected reminders do not count. " +
      "steps counts all; largest are the places that differ most in cost. What has two values has the first session's first; until is what each " +
      "session took up to the row. Money is in US dollars, durations in milliseconds. nextRow goes on; null means the end.",
    input: {
      ...SESSION,
      otherSessionId: required(PARAMETERS.otherSessionId, "The session to compare with."),
      otherTenantId: preset(PARAMETERS.otherTenantId, "default", "The tenant of that session."),
      row: preset(PARAMETERS.row, 0, "The nextRow of the answer before."),
      limit: PAGE.limit,
    },
    async execute({ sessionId, tenantId, otherSessionId, otherTenantId, row, limit }, { signal }) {
      const sessions = [
        { tenantId, sessionId },
        { tenantId: otherTenantId, sessionId: otherSessionId },
      ] as const;
      const compared = await compareSessions.execute({ sessions, row, limit: ROWS }, { signal });
      const { rows, divergences, ...steps } = compared.steps;
      const numbered = rows.map((one, i) => ({ row: row + i, ...one }));
      const different = numbered.filter(({ relation }) => relation !== "same");
      const shown = different.slice(0, limit);
      const next = different[limit]?.row ?? row + rows.length;
      const isEnd = rows.length === 0 || next >= steps.rowCount;
      return listAnswer({
        member: "rows",
        records: shown.map((one) => shortenable(one, MOST_CHARACTERS)),
        head: { sessions: compared.sessions.map(totalsOf), steps },
        nextCursor: undefined,
        rest: { nextRow: isEnd ? null : next, largest: largestOf(divergences) },
        whole: "Ask for fewer rows with limit; messages and trace_slice (id: a stepId) give texts whole.",
      });
    },
  });
}

function totalsOf({ tenantId, sessionId, ms, counts, total }: ComparedSession): object {
  return { tenantId, sessionId, ms, counts, usd: total.cost.usd, usage: total.usage };
}

function largestOf(divergences: StepComparison["divergences"]): readonly object[] {
  const more = ({ used: [a, b] }: (typeof divergences)[number]) => b.usd - a.usd;
  return divergences
    .filter((one) => more(one) !== 0)
    .toSorted((a, b) => Math.abs(more(b)) - Math.abs(more(a)))
    .slice(0, MOST_LARGEST)
    .map(({ row, rows, used, sides }) => ({
      row,
      rows,
      used,
      texts: sides.map((side) => side?.text ?? null),
    }));
}
