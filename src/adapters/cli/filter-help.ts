import { NUMBER_FIELDS, TEXT_FIELDS } from "../../domain/filter/session-filter.js";
import { inColumns } from "./text.js";

const TEXTS = Object.entries(TEXT_FIELDS)
  .filter(([name]) => name !== "text")
  .map(([name, { says }]) => [`${name}:`, says]);
const NUMBERS = Object.entries(NUMBER_FIELDS).map(([name, { says }]) => [`${name}:`, says]);

/** How a filter is written, and its fields: goes behind the examples of a command. */
export const FILTER_HELP = `

A filter is terms with a space between them, which all have to hold: a text (${TEXT_FIELDS.text.says}), or a field and its value. "OR", "-" for not, and
parentheses put them together; quotes hold a value together: title:"weekly report". Numbers take >, <, >=, <= and 1..5; "error" alone means that anything failed.

Fields of a filter:
${inColumns([...TEXTS, ...NUMBERS])
  .map((line) => `  ${line.trimEnd()}`)
  .join("\n")}`;
