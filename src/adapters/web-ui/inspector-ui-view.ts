import { parseFilter } from "../../domain/filter/parse-filter.js";
import { listOf, type OptionTable } from "../../domain/options/check-options.js";
import { kindOf, required } from "../../domain/options/option-kinds.js";
import { TimeZone } from "../../domain/trace/time-zone.js";

export interface InspectorUiView {
  readonly name: string;
  /** As typed above the list: `error after:7d`. `""` for all sessions. */
  readonly filter: string;
  /** Sort column, with `-` for descending order: `-cost`. Default is the newest activity first. */
  readonly sort?: string | undefined;
  /** Default is no grouping. */
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

/** Any clock will do: only the syntax counts here. */
function isFilter(text: string): boolean {
  return parseFilter(text, { now: 0, zone: TimeZone.named("UTC")! }).problem === undefined;
}
