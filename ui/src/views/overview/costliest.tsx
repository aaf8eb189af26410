import type {
  CallTotalsOfSession,
  Overview,
  SessionTotals,
} from "../../../../src/domain/overview/overview.js";
import { keyText } from "../../../../src/domain/session/session-key.js";
import {
  formatCost,
  formatCount,
  formatShare,
  formatTokens,
  hasNoPrice,
} from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import { errorRate } from "../../model/overview/overview-figures.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { shortModel } from "../../model/text/model-name.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import { Instant } from "../parts/instant.js";
import { costText, tokensText } from "./overview-texts.js";
import { type RankedColumn, RankedTable } from "./ranked-table.js";

const { columns } = strings;

const SESSION_COLUMNS: readonly RankedColumn<SessionTotals>[] = [
  {
    name: columns.cost,
    value: ({ cost }) => (hasNoPrice(cost) ? undefined : cost.usd),
    cell: costText,
  },
  { name: columns.tokens, value: ({ tokens }) => tokens, cell: tokensText },
  {
    name: columns.modelCalls,
    value: ({ modelCalls }) => modelCalls,
    cell: ({ modelCalls }) => formatCount(modelCalls),
  },
  {
    name: columns.errorRate,
    hint: strings.figures.errorRateHint,
    value: errorRate,
    cell: (row) => formatShare(errorRate(row)),
  },
  {
    name: columns.lastActive,
    value: ({ lastActive }) => lastActive,
    cell: ({ lastActive }) => <Instant at={Date.parse(lastActive)} now={Date.now()} />,
  },
];

const CALL_COLUMNS: readonly RankedColumn<CallTotalsOfSession>[] = [
  {
    name: columns.cost,
    value: ({ cost }) => (hasNoPrice(cost) ? undefined : cost.usd),
    cell: ({ cost }) => formatCost(cost),
  },
  { name: columns.model, value: ({ model }) => model, cell: ({ model }) => shortModel(model) },
  { name: columns.role, value: ({ role }) => role, cell: ({ role }) => role || strings.mainAgent },
  {
    name: columns.context,
    value: ({ contextTokens }) => contextTokens,
    cell: ({ contextTokens }) => formatTokens(contextTokens),
  },
  {
    name: columns.output,
    value: ({ outputTokens }) => outputTokens,
    cell: ({ outputTokens }) => formatTokens(outputTokens),
  },
  {
    name: columns.at,
    value: ({ at }) => at,
    cell: ({ at }) => <Instant at={Date.parse(at)} now={Date.now()} />,
  },
];

interface CostliestProps {
  readonly overview: Overview;
}

function shareOf({ cost }: Pick<SessionTotals, "cost">, { total }: Overview): number {
  return total.cost.usd === 0 ? 0 : cost.usd / total.cost.usd;
}

export function CostliestSessions({ overview }: CostliestProps) {
  return (
    <RankedTable
      title={strings.largestSessions}
      rows={overview.largestSessions}
      name={columns.session}
      rowKey={(row) => keyText(row)}
      label={(row) => labelOf(row)}
      address={(row) => sessionAddress(row)}
      share={(row) => shareOf(row, overview)}
      columns={SESSION_COLUMNS}
    />
  );
}

export function CostliestCalls({ overview }: CostliestProps) {
  return (
    <RankedTable
      title={strings.largestCalls}
      rows={overview.largestCalls}
      name={columns.session}
      rowKey={(call) => keyText(call, call.at, call.contextTokens)}
      label={(row) => labelOf(row)}
      address={(row) => sessionAddress(row)}
      share={(row) => shareOf(row, overview)}
      columns={CALL_COLUMNS}
    />
  );
}

function labelOf({ title, sessionId }: { readonly title?: string; readonly sessionId: string }): string {
  return sessionTitle({ title }) ?? sessionId;
}
