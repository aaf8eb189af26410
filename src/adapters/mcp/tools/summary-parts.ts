import type { SessionSummary } from "../../../domain/summary/session-summary.js";
import type { TimeByClass } from "../../../domain/time/time-by-class.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { type AnswerText, fields, tableOf } from "../answer/answer.js";
import { seconds, tokenFields, usd } from "../answer/figures.js";
import { name, type Own, own } from "../answer/own-words.js";
import { costParts } from "./cost-parts.js";
import type { SummarySteps } from "./summary-steps.js";
import { causesTable, contextParts, failureParts, repeatParts } from "./trouble-parts.js";

export const ABOUTS = ["overview", "cost", "failures", "context", "repeats", "time"] as const;
export type About = (typeof ABOUTS)[number];

export function summaryParts(
  summary: SessionSummary,
  about: About,
  of: Own,
  steps: SummarySteps,
): readonly AnswerText[] {
  return [...headParts(summary, of), ...partsAbout(summary, about, steps)];
}

function partsAbout(summary: SessionSummary, about: About, steps: SummarySteps): readonly AnswerText[] {
  switch (about) {
    case "overview":
      return overviewParts(summary, steps);
    case "cost":
      return costParts(summary, steps);
    case "failures":
      return failureParts(summary, steps);
    case "context":
      return contextParts(summary, steps);
    case "repeats":
      return repeatParts(summary, steps);
    case "time":
      return timeParts(summary, steps);
    default:
      return about satisfies never;
  }
}

function headParts({ startedAt, endedAt, counts, total }: SessionSummary, of: Own): readonly AnswerText[] {
  return [
    fields(own`session ${of}`, {
      from: plausibleTime(startedAt),
      to: plausibleTime(endedAt),
      turns: counts.turns,
      modelCalls: counts.modelCalls,
      toolCalls: counts.toolCalls,
      agents: counts.agents,
      compactions: counts.compactions,
    }),
    fields(own`total`, {
      usd: usd(total.cost),
      ...tokenFields(total.usage),
      unpricedTokens: total.cost.unpricedTokens || undefined,
      uncountedCalls: total.uncountedCalls || undefined,
    }),
  ];
}

const MOST_CAUSES = 3;

function overviewParts(summary: SessionSummary, steps: SummarySteps): readonly AnswerText[] {
  const { diagnosis, counts, waste, cacheMisses, time, context, models } = summary;
  const [model] = models.toSorted((a, b) => b.cost.usd - a.cost.usd);
  return [
    fields(own`failures`, {
      errors: diagnosis.errors,
      causes: diagnosis.causeCount,
      refusedByPerson: counts.refusedToolCalls,
    }),
    causesTable(diagnosis.causes.slice(0, MOST_CAUSES), steps),
    fields(own`repeats`, {
      callsAgain: waste.repeatedCalls.calls,
      sameResult: waste.repeatedCalls.unchanged,
      filesReadAgain: waste.rereadFiles.count,
      loops: diagnosis.loops.length,
    }),
    fields(own`cost`, {
      costliestModel: name("model", model?.model),
      usd: usd(model?.cost),
      cacheMissUsd: cacheMisses.usd,
      cacheMisses: cacheMisses.count,
      largestContext: Math.max(0, ...context.curve.map(({ tokens }) => Math.round(tokens))),
    }),
    secondsPart(time.wholeMs, time.classes),
  ];
}

function secondsPart(
  totalMs: number,
  { model, tools, subAgents, person, retrying, unknown }: TimeByClass,
): AnswerText {
  return fields(own`seconds of the main agent`, {
    whole: seconds(totalMs),
    model: seconds(model),
    tools: seconds(tools),
    subAgents: seconds(subAgents),
    person: seconds(person),
    retrying: seconds(retrying),
    unknown: seconds(unknown),
  });
}

const MOST_ROWS = 10;

function timeParts({ time }: SessionSummary, { step, agent, texts }: SummarySteps): readonly AnswerText[] {
  return [
    secondsPart(time.wholeMs, time.classes),
    tableOf(own`tools by time`, time.tools.slice(0, MOST_ROWS), {
      name: (one) => name("tool", one.name),
      calls: ({ calls }) => calls,
      seconds: ({ wallMs }) => seconds(wallMs),
      sumSeconds: ({ sumMs }) => seconds(sumMs),
      slowest: ({ slowestMs }) => seconds(slowestMs),
      step: ({ slowestStepId }) => step(slowestStepId),
    }),
    tableOf(own`slowest calls`, time.slowestTools.slice(0, MOST_ROWS), {
      step: ({ stepId }) => step(stepId),
      agent: ({ agentId }) => agent(agentId),
      tool: (one) => name("tool", one.name),
      seconds: ({ ms }) => seconds(ms),
      text: texts ? ({ subject }) => subject : undefined,
    }),
    tableOf(own`sub-agents`, time.agents.toSorted((a, b) => b.wholeMs - a.wholeMs).slice(0, MOST_ROWS), {
      agent: ({ agentId }) => agent(agentId),
      role: (one) => name("agent", one.name),
      step: ({ stepId }) => step(stepId),
      whole: ({ wholeMs: totalMs }) => seconds(totalMs),
      model: ({ modelMs }) => seconds(modelMs),
      tools: ({ toolsMs }) => seconds(toolsMs),
      subAgents: ({ subAgentsMs }) => seconds(subAgentsMs),
      person: ({ personMs }) => seconds(personMs),
      idle: ({ idleMs }) => seconds(idleMs),
    }),
  ];
}
