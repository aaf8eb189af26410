import type { RecordWarning } from "../../../application/ports/record-stream.js";
import { SOURCE_KEY } from "../../../application/sources/source-part.js";
import { countText } from "../../../domain/text/figure-texts.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { type Cost, isLowerBound } from "../../../domain/usage/money.js";
import { cutEnd } from "./text-width.js";

export const NOT_RECORDED = "not recorded";

export const NO_COUNTS = "no token counts are recorded";

export function costText(cost: Cost): string {
  const { usd, unpricedCalls } = cost;
  const dollars = usd > 0 && usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
  const money = isLowerBound(cost) ? `≥${dollars}` : dollars;
  if (unpricedCalls === 0) return money;
  const unpriced = `${countText(unpricedCalls, "call")} without pricing`;
  return usd === 0 ? unpriced : `${money} and ${unpriced}`;
}

const DOLLARS = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function dollarsText(cost: Cost | undefined): string {
  if (cost === undefined || (cost.usd === 0 && cost.unpricedCalls > 0)) return "-";
  return isLowerBound(cost) ? `≥${moneyText(cost.usd)}` : moneyText(cost.usd);
}

export function moneyText(usd: number): string {
  return usd > 0 && usd < 0.01 ? "<$0.01" : `$${DOLLARS.format(usd)}`;
}

export function warningText({ file, line, reason }: RecordWarning): string {
  return visibleText(SOURCE_KEY.test(file) ? reason : `${file}, line ${line}, ${reason}`);
}

export function redrawn(text: string, columns?: number): string {
  return `\r${columns === undefined ? text : cutEnd(text, columns - 1)}\u001b[K`;
}
