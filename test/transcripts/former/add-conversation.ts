import { storedText } from "../../../src/adapters/transcripts/recorder/stored-text.js";
import type { FactsBuilder } from "../../../src/domain/facts/facts-builder.js";
import { QUARTER_MS } from "../../../src/domain/facts/session-facts.js";
import type { ConversationFacts } from "./conversation-facts.js";
import { type FactsRecorder, UNKNOWN_QUARTER } from "./facts-recorder.js";

export function addConversation(
  facts: FactsBuilder,
  { tools, causes, models }: FactsRecorder,
  own: ConversationFacts,
  newest: number,
): void {
  const names = tools.map(storedText);
  const atOf = (quarter: number) => (quarter === UNKNOWN_QUARTER ? newest : quarter * QUARTER_MS);
  facts.addCompactions(own.compactions);
  for (const [quarter, , , [minutes = 0]] of own.minutes()) {
    for (let minute = 0; minute < 15; minute++)
      if ((minutes & (1 << minute)) !== 0) facts.addActivity(quarter * QUARTER_MS + minute * 60_000);
  }
  for (const [quarter, tool, , row] of own.tools()) {
    const [calls = 0, failures = 0, refused = 0, resultTokens = 0] = row;
    facts.addTools(atOf(quarter), names[tool]!, { calls, failures, refused, resultTokens });
  }
  for (const [quarter, tool, length, [calls = 0]] of own.durations())
    facts.addDurations(atOf(quarter), names[tool]!, length, calls);
  for (const [quarter, tool, model, [first = 0, again = 0]] of own.carried())
    facts.addCarried(atOf(quarter), names[tool]!, { model: models[model] }, { first, again });
  for (const [quarter, cause, tool, [count = 0, firstAt = 0, lastAt = 0]] of own.failures()) {
    const hasQuarter = quarter !== UNKNOWN_QUARTER;
    const last = { count, lastAt: hasQuarter ? lastAt : newest };
    facts.addFailures(hasQuarter ? firstAt : newest, causes[cause]!, names[tool], last);
  }
}
