import { type Cost, isLowerBound } from "../../../../src/domain/usage/money.js";
import { hasNoPrice } from "../../model/sessions/session-costs.js";
import { formatDollars, formatTokens } from "../../model/text/formats.js";
import { STRINGS } from "../../strings/strings.js";

export interface CostText {
  readonly text: string;
  /** To a hundredth of a cent, with its missing parts. */
  readonly full: string;
  readonly hasPrice: boolean;
}

/** A sum without some parts is a minimum. */
export function costText(cost: Cost): CostText {
  const { usd, unpricedCalls, unpricedTokens, placeholderCalls = 0 } = cost;
  const { list: strings } = STRINGS;
  const unpriced = strings.unpriced(unpricedCalls, formatTokens(unpricedTokens));
  if (hasNoPrice(cost)) return { text: strings.noPrice, full: unpriced, hasPrice: false };
  const lacking = [
    ...(unpricedCalls > 0 ? [unpriced] : []),
    ...(placeholderCalls > 0 ? [strings.undercounted(placeholderCalls)] : []),
  ];
  const text = formatDollars(usd);
  return {
    text: isLowerBound(cost) ? `≥ ${text}` : text,
    full: [`$${usd.toFixed(4)}`, ...lacking].join("; "),
    hasPrice: true,
  };
}
