import { valueText } from "../../../../src/domain/text/value-text.js";
import { formatInstant, instantOf } from "../../../../src/domain/trace/instant.js";

/** ISO 8601, also from a number. Returns an invalid instant unchanged, as text. */
export function instantText(value: unknown): string {
  const instant = instantOf(value);
  return instant === undefined ? valueText(value) : formatInstant(instant);
}
