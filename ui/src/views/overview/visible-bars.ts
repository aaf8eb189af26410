import type { Stacking } from "../../../../src/domain/overview/overview.js";
import type { TimeGrouping } from "../../../../src/domain/overview/time-buckets.js";
import type { Bar } from "../../model/overview/bar-chart.js";
import type { Measure } from "../../model/overview/overview-choice.js";
import type { ClockZone } from "../../model/text/formats.js";

export interface VisibleBars {
  readonly bars: readonly Bar[];
  readonly series: readonly string[];
  readonly by: TimeGrouping;
  readonly stack: Stacking;
  readonly measure: Measure;
  readonly zone: ClockZone;
}
