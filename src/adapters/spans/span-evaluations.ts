import { type JsonObject, labelField, present } from "../../domain/json/json.js";
import type { SpanEvaluation } from "../../recording/run-span.js";
import type { RecordedSpan } from "./recorded-span.js";

/** https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-events.md#event-gen_aievaluationresult */
const RESULT = "gen_ai.evaluation.result";

export function evaluationsOf({ events }: RecordedSpan): readonly SpanEvaluation[] | undefined {
  const results = events.filter(({ name }) => name === RESULT);
  if (results.length === 0) return undefined;
  return results.map(({ at, attributes }) => ({ ...evaluationIn(attributes), at }));
}

function evaluationIn(attributes: JsonObject): SpanEvaluation {
  const score = attributes["gen_ai.evaluation.score.value"];
  return {
    name: labelField(attributes, "gen_ai.evaluation.name") ?? "",
    ...present({
      score: typeof score === "number" ? score : undefined,
      label: labelField(attributes, "gen_ai.evaluation.score.label"),
      explanation: labelField(attributes, "gen_ai.evaluation.explanation"),
      failure: labelField(attributes, "error.type"),
    }),
  };
}
