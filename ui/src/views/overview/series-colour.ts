import { OTHERS } from "../../model/bar-chart.js";

/** What the stylesheet calls the colour of a series. */
export function colourOf(series: readonly string[], index: number): string {
  return series[index] === OTHERS ? "others" : String(index + 1);
}
