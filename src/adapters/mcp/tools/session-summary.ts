import { z } from "zod";
import type { InspectorUseCases } from "../../../application/questions/endpoints.js";
import type { SessionSummary } from "../../../domain/analysis/session-summary.js";
import { objectAnswer, partAnswer } from "../answers.js";
import { changed, JSON_FROM, SESSION, type Tool, tool } from "../tool.js";

export function sessionSummaryTool({ summarizeSession }: InspectorUseCases): Tool {
  return tool({
    name: "session_summary",
    title: "Summarize a session",
    description:
      "What a session's tokens, money and time went into: totals, by model, agent and turn, the calls that cost most, what filled the contexts " +
      "and was paid for again with every call (by tool, file, agent), and where a prompt cache missed and why. Tokens of whole calls are the " +
      "vendor's; those of a part of a context are estimated. Money is in US dollars, durations in milliseconds; what has no known price is counted " +
      "as unpriced, and is in no sum. stepId is an envelope's id (trace_slice, context_at_call). The curve of context sizes is left out.",
    input: z.strictObject({ ...SESSION, jsonFrom: JSON_FROM }),
    async execute({ jsonFrom, ...session }, signal) {
      const { value: summary } = changed(await summarizeSession.execute(session, { signal }));
      const shown = withoutCurve(summary);
      if (jsonFrom !== undefined) return partAnswer(JSON.stringify(shown), jsonFrom);
      return objectAnswer(shown, "To read it whole: the same, with jsonFrom 0.");
    },
  });
}

/** Hundreds of points are for eyes, and estimates have no ten digits. */
function withoutCurve({ context: { curve: _, ...context }, ...summary }: SessionSummary): object {
  return JSON.parse(JSON.stringify({ ...summary, context }, rounded)) as object;
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}
