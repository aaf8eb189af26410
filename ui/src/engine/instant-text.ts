import { formatInstant, instantOf } from "../../../src/domain/instant.js";
import { valueText } from "../../../src/domain/texts/value-text.js";

/** A recorded instant as ISO 8601, also where it is a number; what is none stays as it is, as text. */
export function instantText(value: unknown): string {
  const instant = instantOf(value);
  return instant === undefined ? valueText(value) : formatInstant(instant);
}
