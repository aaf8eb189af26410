import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import { formatCount, formatDuration } from "../../../../src/domain/text/figures.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { type MoneyGrouping, moneyRows, type SummaryRow } from "../../model/summary/summary-rows.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { PART_NAMES } from "./part-names.js";
import { Grouping, Section, type SummaryProps, useGrouping } from "./section.js";
import { SummaryTable } from "./summary-table.js";
import { costText, tokensText } from "./summary-texts.js";

const GROUPINGS: { readonly [by in MoneyGrouping]: string } = {
  models: strings.models,
  agents: strings.agents,
  turns: strings.turns,
  largestCalls: strings.largestCalls,
};

interface MoneySectionProps extends SummaryProps {
  readonly events: number;
}

export function MoneySection({ route, summary, events }: MoneySectionProps) {
  const [by, setBy] = useGrouping(route, "cost", GROUPINGS);
  const rows = moneyRows(summary, by, PART_NAMES, useSubjects(summary, events)).slice(0, MOST_ROWS);
  return (
    <Section
      title={strings.money}
      tools={<Grouping label={strings.by} names={GROUPINGS} chosen={by} onChoose={setBy} />}
    >
      <SummaryTable
        route={route}
        label={strings.money}
        heads={[GROUPINGS[by], strings.calls, strings.tokens, strings.time, strings.cost]}
        rows={rows}
        cells={cellsOf}
      />
    </Section>
  );
}

const MOST_ROWS = 10;

function useSubjects({ largestCalls }: SessionSummary, events: number): ReadonlyMap<string, string> {
  const subjects = useAnswer(async () => {
    const ids = largestCalls.slice(0, MOST_ROWS).map(({ stepId }) => stepId);
    const texts = await engine.call("traceSubjects", ids);
    return new Map(ids.map((id, i) => [id, texts[i]!]));
  }, [largestCalls, events]);
  return subjects ?? new Map();
}

function cellsOf({ totals }: SummaryRow): readonly string[] {
  if (totals === undefined) return [];
  const { calls, ms } = totals;
  return [formatCount(calls), tokensText(totals), formatDuration(ms), costText(totals)];
}
