import { causeOf } from "../facts/cause-of.js";
import { FactsBuilder } from "../facts/facts-builder.js";
import type { SessionFacts } from "../facts/session-facts.js";
import { NO_USAGE } from "../session/session.js";
import { contextTokens, estimateTokens } from "../usage/token-counts.js";
import { isPlaceholder } from "./call-totals.js";
import type { SessionSteps } from "./session-steps.js";
import { filesReadBy } from "./tool-names.js";

const STEPS_PER_PAUSE = 256;

/** What a session did, by quarter hours, of a source that does not tell it by itself. */
export function* factsOfSteps(steps: SessionSteps): Generator<void, SessionFacts> {
  const facts = new FactsBuilder();
  const roles = new Map(steps.agents.map(({ agentId, name }) => [agentId, name]));
  let done = 0;
  for (const call of steps.calls) {
    const { agentId, usage = NO_USAGE } = call;
    facts.addCall({
      ...call,
      role: agentId === "" ? "" : (roles.get(agentId) ?? agentId),
      usage,
      contextTokens: contextTokens(usage),
      isPlaceholder: isPlaceholder({ usage, answerSize: call.answerSize }),
      hasFailed: call.error !== undefined,
    });
    facts.addActivity(call.at, agentId);
    facts.addActivity(call.endAt);
    if (call.error !== undefined) facts.addFailure(call.at, causeOf(call.error), undefined);
    if (++done % STEPS_PER_PAUSE === 0) yield;
  }
  for (const tool of steps.tools) {
    const outcome = tool.isRefused ? "refused" : tool.error === undefined ? "completed" : "failed";
    facts.addTool({
      at: tool.at,
      name: tool.name,
      outcome,
      durationMs: tool.isEnded ? tool.endAt - tool.at : undefined,
      resultTokens: estimateTokens(tool.outputSize),
    });
    facts.addActivity(tool.at);
    facts.addActivity(tool.endAt);
    if (outcome === "failed") facts.addFailure(tool.endAt, causeOf(tool.error ?? ""), tool.name);
    const read = filesReadBy(tool);
    for (const path of read) facts.addFile(path, "read");
    if (read.length === 0) for (const path of tool.paths) facts.addFile(path, "edited");
    if (++done % STEPS_PER_PAUSE === 0) yield;
  }
  for (const { at, message } of steps.errors) facts.addFailure(at, causeOf(message), undefined);
  for (const { at } of steps.turns) facts.addActivity(at);
  facts.addAgents(steps.agents.length);
  facts.addCompactions(steps.compactions.length);
  return facts.build();
}
