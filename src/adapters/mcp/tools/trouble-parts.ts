import type { MessageOrigin } from "../../../domain/conversation/conversation.js";
import type { MessagePart } from "../../../domain/conversation/message-part.js";
import type { DiagnosedCause, FailedKind } from "../../../domain/diagnosis/session-diagnosis.js";
import type { SessionSummary } from "../../../domain/summary/session-summary.js";
import { formatInstant, plausibleInstant } from "../../../domain/trace/instant.js";
import { type AnswerText, fields, tableOf } from "../answer/answer.js";
import { cents, seconds } from "../answer/figures.js";
import { listed, name, own } from "../answer/own-words.js";
import type { NameKind } from "../answer/registered-names.js";
import { carriedTable } from "./cost-parts.js";
import type { SummarySteps } from "./summary-steps.js";

const MOST_ROWS = 10;

const KINDS: readonly FailedKind[] = ["tool", "model", "agent", "turn", "bookkeeping", "other"];
const ORIGINS: readonly MessageOrigin[] = ["user", "assistant", "tool", "system", "summary"];
const PARTS: readonly MessagePart["type"][] = ["text", "thinking", "call", "result", "image", "other"];

export function causesTable(
  causes: readonly DiagnosedCause[],
  { step, agent, texts }: SummarySteps,
): AnswerText {
  return tableOf(own`causes`, causes, {
    kind: ({ kind }) => listed(KINDS, kind),
    name: (cause) => name(NAMES[cause.kind] ?? "tool", cause.name),
    count: ({ count }) => count,
    firstStep: ({ first }) => step(first.stepId),
    time: ({ first }) => {
      const at = plausibleInstant(first.at);
      return at === undefined ? undefined : formatInstant(at);
    },
    agent: ({ first }) => agent(first.agentId),
    turn: ({ first }) => first.turn,
    endedTurn: ({ outcomes }) => outcomes.endedTurn,
    notRecovered: ({ outcomes }) => outcomes.notRecovered,
    retried: ({ outcomes }) => outcomes.retried,
    continued: ({ outcomes }) => outcomes.continued,
    unknown: ({ outcomes }) => outcomes.unknown,
    sameCall: ({ sameCall }) => sameCall,
    led: ({ consequences }) => consequences.reduce((sum, { count }) => sum + count, 0),
    text: texts ? ({ cause }) => cause : undefined,
  });
}

const NAMES: { readonly [Kind in FailedKind]?: NameKind } = { tool: "tool", model: "model", agent: "agent" };

export function failureParts(
  { diagnosis, waste }: SessionSummary,
  steps: SummarySteps,
): readonly AnswerText[] {
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
    tableOf(own`tools that failed`, failedTools.tools.slice(0, MOST_ROWS), {
      name: (one) => name("tool", one.name),
      failures: ({ calls }) => calls,
      seconds: ({ ms }) => seconds(ms),
      firstStep: ({ stepIds }) => step(stepIds[0]),
    }),
    ...(texts ? [examplesTable(failedTools.tools.slice(0, MOST_ROWS), step)] : []),
  ];
}

type FailedTools = SessionSummary["waste"]["failedTools"]["tools"];

function examplesTable(tools: FailedTools, step: SummarySteps["step"]): AnswerText {
  const examples = tools.flatMap(({ name: tool, examples }) =>
    examples.slice(0, 1).map((example) => ({ tool, example })),
  );
  return tableOf(own`examples`, examples, {
    step: ({ example }) => step(example.stepId),
    tool: ({ tool }) => name("tool", tool),
    of: ({ example }) => example.subject,
    error: ({ example }) => example.error,
  });
}

export function contextParts(
  { context }: SessionSummary,
  { step, agent, texts }: SummarySteps,
): readonly AnswerText[] {
  return [
    fields(own`contexts`, {
      largest: Math.max(0, ...context.curve.map(({ tokens }) => Math.round(tokens))),
      systemTokensRead: Math.round(context.system.tokens),
      unaccountedTokensRead: Math.round(context.unaccounted.tokens),
      unseenTokensRead: Math.round(context.unseen.tokens),
      items: context.itemCount,
    }),
    tableOf(own`read again, by origin`, context.byOrigin, {
      origin: (one) => listed(ORIGINS, one.name),
      items: ({ items }) => items,
      tokensRead: ({ tokens }) => Math.round(tokens),
      usd: (one) => cents(one.usd),
    }),
    carriedTable(context.byTool, "tool", MOST_ROWS),
    carriedTable(context.byFile, "file", MOST_ROWS),
    tableOf(own`largest items`, context.items.slice(0, MOST_ROWS), {
      origin: ({ origin }) => listed(ORIGINS, origin),
      part: ({ part }) => listed(PARTS, part),
      tool: ({ toolName }) => name("tool", toolName),
      message: ({ messageIndex }) => messageIndex,
      step: ({ stepId }) => step(stepId),
      agent: ({ agentId }) => agent(agentId),
      size: ({ size }) => Math.round(size),
      calls: ({ calls }) => calls,
      tokensRead: ({ tokens }) => Math.round(tokens),
      usd: (one) => cents(one.usd),
      text: texts ? ({ text }) => text : undefined,
    }),
  ];
}

export function repeatParts(
  { waste, diagnosis }: SessionSummary,
  { step, texts }: SummarySteps,
): readonly AnswerText[] {
  const { repeatedCalls, rereadFiles, unchangedCarried } = waste;
  return [
    fields(own`calls with a repeated input`, {
      calls: repeatedCalls.calls,
      sameResult: repeatedCalls.unchanged,
      afterCompaction: repeatedCalls.afterCompaction,
      inputs: repeatedCalls.inputs,
      tokensRead: Math.round(unchangedCarried.tokens),
      usd: cents(unchangedCarried.usd),
    }),
    tableOf(own`repeated calls`, repeatedCalls.groups.slice(0, MOST_ROWS), {
      tool: (one) => name("tool", one.name),
      times: ({ times }) => times,
      sameResult: ({ unchanged }) => unchanged,
      inARow: ({ inARow }) => inARow,
      afterCompaction: ({ afterCompaction }) => afterCompaction,
      firstStep: ({ stepIds }) => step(stepIds[0]),
      lastStep: ({ stepIds }) => step(stepIds.at(-1)),
      text: texts ? ({ subject }) => subject : undefined,
    }),
    fields(own`files read again`, {
      files: rereadFiles.count,
      sameText: rereadFiles.unchanged,
      changed: rereadFiles.changed,
      otherParts: rereadFiles.otherParts,
    }),
    tableOf(own`files`, rereadFiles.files.slice(0, MOST_ROWS), {
      file: ({ path }) => name("file", path),
      reads: ({ reads }) => reads,
      sameText: ({ unchanged }) => unchanged,
      changed: ({ changed }) => changed,
      otherParts: ({ otherParts }) => otherParts,
      firstStep: ({ stepIds }) => step(stepIds[0]),
    }),
    tableOf(own`loops`, diagnosis.loops.slice(0, MOST_ROWS), {
      tool: (one) => name("tool", one.name),
      times: ({ times }) => times,
      seconds: ({ ms }) => seconds(ms),
      firstStep: ({ first }) => step(first.stepId),
      text: texts ? ({ subject }) => subject : undefined,
    }),
  ];
}
