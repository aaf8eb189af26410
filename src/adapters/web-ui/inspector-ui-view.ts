import { parseFilter } from "../../domain/filter/parse-filter.js";
import { listOf, type OptionTable } from "../../domain/options/check-options.js";
import { kindOf, required } from "../../domain/options/option-kinds.js";
import { TimeZone } from "../../domain/trace/time-zone.js";

/** A list of sessions under a name. */
export interface InspectorUiView {
  readonly name: string;
  /** As it is typed above the list: `error after:7d`. `""` for all sessions. */
  readonly filter: string;
  /** The column that it is sorted by, with `-` in front for the largest first: `-cost`. Default is the newest activity first. */
  readonly sort?: string | undefined;
  /** Grouping of the list. Default is no grouping. */
  readonly group?: "project" | "day" | undefined;
}

const VIEW_OPTIONS = {
  name: required(
    kindOf("a text with something in it", (value) => typeof value === "string" && value.trim() !== ""),
  ),
  filter: required(kindOf("a filter of sessions", (value) => typeof value === "string" && isFilter(value))),
  sort: kindOf(
    "the name of a column, with or without a - in front",
    (value) => typeof value === "string" && /^-?[a-z]+$/.test(value),
  ),
  group: kindOf('"project" or "day"', (value) => value === "project" || value === "day"),
} satisfies OptionTable<InspectorUiView>;

export const VIEWS = listOf(VIEW_OPTIONS);

/** Its dates are read when the view is opened, by another clock. */
function isFilter(text: string): boolean {
  return parseFilter(text, { now: 0, zone: TimeZone.named("UTC")! }).problem === undefined;
}
