import { OTHERS } from "../../model/bar-chart.js";

/** Returns the stylesheet's name for the colour of a series. */
export function colourOf(series: readonly string[], index: number): string {
  return series[index] === OTHERS ? "others" : String(index + 1);
}
