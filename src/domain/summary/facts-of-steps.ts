import { isPlaceholder } from "../cost/call-totals.js";
import { filesReadBy, fileUseOf } from "../dialects/file-tools.js";
import { causeOf } from "../facts/cause-of.js";
import { HeldResults } from "../facts/context-results.js";
import { FactsBuilder } from "../facts/facts-builder.js";
import type { SessionFacts } from "../facts/session-facts.js";
import { isPause } from "../lists/is-pause.js";
import type { SessionSteps, ToolCall } from "../steps/session-steps.js";
import { contextTokens, estimateTokens } from "../usage/token-counts.js";
import { NO_USAGE } from "../usage/token-usage.js";

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
    if (isPause(++done)) yield;
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
    if (outcome === "completed") addFiles(facts, tool);
    if (isPause(++done)) yield;
  }
  yield* addCarried(facts, steps);
  for (const { at, message } of steps.errors) facts.addFailure(at, causeOf(message), undefined);
  for (const { at } of steps.turns) facts.addActivity(at);
  facts.addAgents(steps.agents.length);
  facts.addCompactions(steps.compactions.length);
  return facts.build();
}

function addFiles(facts: FactsBuilder, tool: ToolCall): void {
  const read = filesReadBy(tool);
  for (const path of read) facts.addFile(path, "read");
  const use = fileUseOf(tool.name);
  if (read.length > 0 || (use !== "writes" && use !== "edits")) return;
  for (const path of tool.paths) facts.addFile(path, "edited");
}

function* addCarried(facts: FactsBuilder, steps: SessionSteps): Generator<void, void> {
  const happened = [
    ...steps.calls.map((call) => ({ is: "call", at: call.at, call }) as const),
    ...steps.tools.map((tool) => ({ is: "tool", at: tool.endAt, tool }) as const),
    ...steps.compactions.map(
      (compaction) => ({ is: "compaction", at: compaction.endAt, compaction }) as const,
    ),
  ].sort((a, b) => a.at - b.at);
  const held = new Map<string, HeldResults<string>>();
  const heldBy = (agentId: string) => {
    const existing = held.get(agentId) ?? new HeldResults<string>();
    held.set(agentId, existing);
    return existing;
  };
  for (const [i, one] of happened.entries()) {
    if (isPause(i)) yield;
    if (one.is === "compaction") heldBy(one.compaction.agentId).compact();
    else if (one.is === "tool")
      heldBy(one.tool.agentId).add(one.tool.name, estimateTokens(one.tool.outputSize));
    else heldBy(one.call.agentId).read((name, tokens) => facts.addCarried(one.at, name, one.call, tokens));
  }
}
