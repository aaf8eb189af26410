import { valueText } from "../../../src/domain/text/value-text.js";
import { formatInstant, instantOf } from "../../../src/domain/trace/instant.js";

/** A recorded instant as ISO 8601, also where it is a number; what is none stays as it is, as text. */
export function instantText(value: unknown): string {
  const instant = instantOf(value);
  return instant === undefined ? valueText(value) : formatInstant(instant);
}
