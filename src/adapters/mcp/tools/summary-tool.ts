import { changed } from "../../../application/questions/json-list.js";
import { oneOf } from "../../../application/questions/parameter-kinds.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import { ABOUTS, summaryParts } from "./summary-parts.js";
import { summarySteps } from "./summary-steps.js";
import { SESSION, TEXTS, type Tool, tool } from "./tool.js";
import { preset } from "./tool-input.js";

export function sessionSummaryTool({ summarizeSession }: InspectorUseCases): Tool {
  return tool({
    name: "session_summary",
    title: "Summarize a session",
    description:
      "Activity, failures, time and cost of a session. about: cost (by model, agent, turn, call, tool, file; cache misses), " +
      "failures (by cause, first step, outcome), context (content by size), repeats (calls, files), time.",
    input: { session: SESSION, about: preset(oneOf(ABOUTS), "overview", ""), texts: TEXTS },
    async execute({ session, about, texts = false }, { handles, signal }) {
      const named = await handles.sessionNamed(session, "session", signal);
      const { value, revision } = changed(await summarizeSession.execute(named.key, { signal }));
      const { of, changes } = handles.visit(named, revision);
      const parts = summaryParts(value, about, of, summarySteps(named, handles, texts));
      return { of, texts, parts: [...changes, ...parts] };
    },
  });
}
