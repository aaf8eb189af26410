import type { DiagnosedCause, FailedKind } from "../../domain/analysis/session-diagnosis.js";
import type { SessionSummary } from "../../domain/analysis/session-summary.js";
import type { MessageOrigin } from "../../domain/conversation/conversation.js";
import type { MessagePart } from "../../domain/conversation/message-part.js";
import { fields, type ShownPart, table } from "./answer.js";
import { carriedTable } from "./cost-parts.js";
import { cents, seconds } from "./figures.js";
import type { NameKind } from "./known-names.js";
import { listed, name, own } from "./own-words.js";
import type { SummarySteps } from "./summary-steps.js";

const MOST_ROWS = 10;

const KINDS: readonly FailedKind[] = ["tool", "model", "agent", "turn", "bookkeeping", "other"];
const ORIGINS: readonly MessageOrigin[] = ["user", "assistant", "tool", "system", "summary"];
const PARTS: readonly MessagePart["type"][] = ["text", "thinking", "call", "result", "image", "other"];

/** Errors by their causes, with where each happened first and how it went on. */
export function causesTable(
  causes: readonly DiagnosedCause[],
  { step, agent, texts }: SummarySteps,
): ShownPart {
  const columns = ["kind", "name", "count", "firstStep", "time", "agent", "turn"] as const;
  const outcomes = [
    "endedTurn",
    "notRecovered",
    "retried",
    "continued",
    "unknown",
    "sameCall",
    "led",
  ] as const;
  return table(
    own`causes`,
    texts ? [...columns, ...outcomes, "text"] : [...columns, ...outcomes],
    causes.map(({ kind, first, outcomes, ...cause }) => [
      listed(KINDS, kind),
      name(NAMES[kind] ?? "tool", cause.name),
      cause.count,
      step(first.stepId),
      Number.isFinite(first.at) ? new Date(first.at).toISOString() : undefined,
      agent(first.agentId),
      first.turn,
      outcomes.endedTurn,
      outcomes.notRecovered,
      outcomes.retried,
      outcomes.continued,
      outcomes.unknown,
      cause.sameCall,
      cause.consequences.reduce((sum, { count }) => sum + count, 0),
      ...(texts ? [cause.cause] : []),
    ]),
  );
}

const NAMES: { readonly [Kind in FailedKind]?: NameKind } = { tool: "tool", model: "model", agent: "agent" };

export function failureParts(
  { diagnosis, waste }: SessionSummary,
  steps: SummarySteps,
): readonly ShownPart[] {
  const { failedTools, refusedTools, failedModelCalls } = waste;
  const { step, texts } = steps;
  return [
    fields(own`errors`, {
      errors: diagnosis.errors,
      causes: diagnosis.causeCount,
      failedToolCalls: failedTools.calls,
      secondsInThem: seconds(failedTools.ms),
      refusedByPerson: refusedTools.calls,
      failedModelCalls: failedModelCalls.calls,
      retriesAndOthers: failedModelCalls.errors,
    }),
    causesTable(diagnosis.causes.slice(0, MOST_ROWS), steps),
    table(
      own`tools that failed`,
      ["name", "failures", "seconds", "firstStep"],
      failedTools.tools
        .slice(0, MOST_ROWS)
        .map((one) => [name("tool", one.name), one.calls, seconds(one.ms), step(one.stepIds[0])]),
    ),
    ...(texts
      ? [
          table(
            own`examples`,
            ["step", "tool", "of", "error"],
            failedTools.tools
              .slice(0, MOST_ROWS)
              .flatMap(({ name: tool, examples }) =>
                examples
                  .slice(0, 1)
                  .map((one) => [step(one.stepId), name("tool", tool), one.subject, one.error]),
              ),
          ),
        ]
      : []),
  ];
}

/** What filled the contexts. */
export function contextParts(
  { context }: SessionSummary,
  { step, agent, texts }: SummarySteps,
): readonly ShownPart[] {
  const columns = [
    "origin",
    "part",
    "tool",
    "message",
    "step",
    "agent",
    "size",
    "calls",
    "tokensRead",
    "usd",
  ] as const;
  return [
    fields(own`contexts`, {
      largest: Math.max(0, ...context.curve.map(({ tokens }) => Math.round(tokens))),
      systemTokensRead: Math.round(context.system.tokens),
      unaccountedTokensRead: Math.round(context.unaccounted.tokens),
      unseenTokensRead: Math.round(context.unseen.tokens),
      items: context.itemCount,
    }),
    table(
      own`read again, by origin`,
      ["origin", "items", "tokensRead", "usd"],
      context.byOrigin.map((one) => [
        listed(ORIGINS, one.name),
        one.items,
        Math.round(one.tokens),
        cents(one.usd),
      ]),
    ),
    carriedTable(context.byTool, "tool", MOST_ROWS),
    carriedTable(context.byFile, "file", MOST_ROWS),
    table(
      own`largest items`,
      texts ? [...columns, "text"] : columns,
      context.items
        .slice(0, MOST_ROWS)
        .map((one) => [
          listed(ORIGINS, one.origin),
          listed(PARTS, one.part),
          name("tool", one.toolName),
          one.messageIndex,
          step(one.stepId),
          agent(one.agentId),
          Math.round(one.size),
          one.calls,
          Math.round(one.tokens),
          cents(one.usd),
          ...(texts ? [one.text] : []),
        ]),
    ),
  ];
}

/** What was done again. */
export function repeatParts(
  { waste, diagnosis }: SessionSummary,
  { step, texts }: SummarySteps,
): readonly ShownPart[] {
  const { repeatedCalls, rereadFiles, unchangedCarried } = waste;
  const calls = [
    "tool",
    "times",
    "sameResult",
    "inARow",
    "afterCompaction",
    "firstStep",
    "lastStep",
  ] as const;
  const loops = ["tool", "times", "seconds", "firstStep"] as const;
  return [
    fields(own`calls with an input that was there before`, {
      calls: repeatedCalls.calls,
      sameResult: repeatedCalls.unchanged,
      afterCompaction: repeatedCalls.afterCompaction,
      inputs: repeatedCalls.inputs,
      tokensRead: Math.round(unchangedCarried.tokens),
      usd: cents(unchangedCarried.usd),
    }),
    table(
      own`calls made again`,
      texts ? [...calls, "text"] : calls,
      repeatedCalls.groups
        .slice(0, MOST_ROWS)
        .map((one) => [
          name("tool", one.name),
          one.times,
          one.unchanged,
          one.inARow,
          one.afterCompaction,
          step(one.stepIds[0]),
          step(one.stepIds.at(-1)),
          ...(texts ? [one.subject] : []),
        ]),
    ),
    fields(own`files read again`, {
      files: rereadFiles.count,
      sameText: rereadFiles.unchanged,
      changed: rereadFiles.changed,
      otherParts: rereadFiles.otherParts,
    }),
    table(
      own`files`,
      ["file", "reads", "sameText", "changed", "otherParts", "firstStep"],
      rereadFiles.files
        .slice(0, MOST_ROWS)
        .map((one) => [
          name("file", one.path),
          one.reads,
          one.unchanged,
          one.changed,
          one.otherParts,
          step(one.stepIds[0]),
        ]),
    ),
    table(
      own`loops`,
      texts ? [...loops, "text"] : loops,
      diagnosis.loops
        .slice(0, MOST_ROWS)
        .map((one) => [
          name("tool", one.name),
          one.times,
          seconds(one.ms),
          step(one.first.stepId),
          ...(texts ? [one.subject] : []),
        ]),
    ),
  ];
}
