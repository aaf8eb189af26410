import { OTHERS } from "../../model/overview/bar-chart.js";

export function colourOf(series: readonly string[], index: number): string {
  return series[index] === OTHERS ? "others" : String(index + 1);
}
