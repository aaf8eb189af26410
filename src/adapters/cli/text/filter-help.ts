import { NUMBER_FIELDS, TEXT_FIELDS } from "../../../domain/filter/session-filter.js";
import { inColumns } from "./table.js";

const TEXTS = Object.entries(TEXT_FIELDS)
  .filter(([name]) => name !== "text")
  .map(([name, { says }]) => [`${name}:`, says]);
const NUMBERS = Object.entries(NUMBER_FIELDS).map(([name, { says }]) => [`${name}:`, says]);

export const FILTER_HELP = `A filter has terms with spaces between, and all of them must hold. A term is a text (${TEXT_FIELDS.text.says}), or a field and its value. OR, "-" for not, and parentheses combine terms. Quotes hold a value together: title:"weekly report". Numbers take >, <, >=, <= and 1..5. "error" alone means any failure.

Fields of a filter:
${inColumns([...TEXTS, ...NUMBERS])
  .map((line) => `  ${line.trimEnd()}`)
  .join("\n")}`;
