import { text } from "../../../application/questions/parameter-kinds.js";
import { PARAMETERS } from "../../../application/questions/parameters.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { StepComparison, StepKind } from "../../../domain/compare/step-comparison.js";
import { type AnswerText, fields, tableOf } from "../answer/answer.js";
import { cents, seconds, usd } from "../answer/figures.js";
import { listed, name, type Own, own } from "../answer/own-words.js";
import { atRevision } from "./places.js";
import { PAGE, SESSION, TEXTS, type Tool, tool } from "./tool.js";
import { preset, required } from "./tool-input.js";

const ROWS = 1_000;
const MOST_LARGEST = 5;

const RELATIONS = ["same", "changed", "first", "second"] as const;
const KINDS: readonly StepKind[] = ["prompt", "answer", "tool", "result", "system", "summary"];

export function compareTool(useCases: InspectorUseCases): Tool {
  const { compareSessions } = useCases;
  return tool({
    name: "compare",
    title: "Compare two sessions",
    description:
      "The steps that differ between two sessions, a line for each side (A, B). Ids, times, folders do not count.",
    input: {
      session: SESSION,
      other: required(text({ min: 1, max: 1_010 }), ""),
      row: preset(PARAMETERS.row, 0, "nextRow"),
      limit: PAGE.limit,
      texts: TEXTS,
    },
    async execute({ session, other, row, limit, texts = false }, call) {
      const { handles, signal } = call;
      const first = await handles.sessionNamed(session, "session", signal);
      const second = await handles.sessionNamed(other, "other", signal);
      const sessions = [first.key, second.key] as const;
      const { value, revisions } = await atRevision(useCases, sessions, call, () =>
        compareSessions.execute({ sessions, row, limit: ROWS }, { signal }),
      );
      const handleStates = [first, second].map((named, i) => handles.visit(named, revisions[i]));
      const { rows, divergences, ...counts } = value.steps;
      const numbered = rows.map((one, i) => ({ row: row + i, ...one }));
      const different = numbered.filter(({ relation }) => relation !== "same");
      const visible = different.slice(0, limit);
      const next = different[limit]?.row ?? row + rows.length;
      const isEnd = rows.length === 0 || next >= counts.rowCount;
      const differing = visible.flatMap(({ sides, ...place }) =>
        sides.flatMap((step, i) => (step === null ? [] : [{ ...place, step, side: i }])),
      );
      return {
        of: own`A=${handleStates[0]!.of} B=${handleStates[1]!.of}`,
        texts,
        parts: [
          ...handleStates.flatMap(({ changes }) => changes),
          tableOf(own`sessions`, [...value.sessions.entries()], {
            side: ([side]) => SIDES[side],
            session: ([side]) => handleStates[side]!.of,
            seconds: ([, { ms }]) => seconds(ms),
            turns: ([, { counts }]) => counts.turns,
            modelCalls: ([, { counts }]) => counts.modelCalls,
            toolCalls: ([, { counts }]) => counts.toolCalls,
            usd: ([, { total }]) => usd(total.cost),
          }),
          fields(own`steps`, {
            stepsA: counts.counts[0],
            stepsB: counts.counts[1],
            same: counts.same,
            changed: counts.changed,
            aloneA: counts.alone[0],
            aloneB: counts.alone[1],
            nextRow: isEnd ? undefined : next,
          }),
          largestPart(divergences),
          tableOf(own`steps that differ`, differing, {
            row: ({ row }) => row,
            relation: ({ relation }) => listed(RELATIONS, relation),
            side: ({ side }) => SIDES[side],
            kind: ({ step }) => listed(KINDS, step.kind),
            tool: ({ step }) => name("tool", step.toolName),
            step: ({ step: { stepId }, side }) =>
              stepId === undefined ? undefined : handles.step([first, second][side]!, stepId),
            seconds: ({ step }) => seconds(step.ms),
            usd: ({ step }) => cents(step.usd),
            failed: ({ step }) => step.error !== undefined || undefined,
            text: texts ? ({ step }) => step.text : undefined,
            result: texts ? ({ step }) => step.error ?? step.result : undefined,
          }),
        ],
      };
    },
  });
}

const SIDES: readonly Own[] = [own`A`, own`B`];

function largestPart(divergences: StepComparison["divergences"]): AnswerText {
  const more = ({ used: [a, b] }: (typeof divergences)[number]) => b.usd - a.usd;
  const largest = divergences
    .filter((one) => more(one) !== 0)
    .toSorted((a, b) => Math.abs(more(b)) - Math.abs(more(a)))
    .slice(0, MOST_LARGEST);
  return tableOf(own`largest cost differences`, largest, {
    row: ({ row }) => row,
    rows: ({ rows }) => rows,
    usdA: ({ used: [a] }) => cents(a.usd),
    usdB: ({ used: [, b] }) => cents(b.usd),
  });
}
