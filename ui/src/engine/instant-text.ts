import { valueText } from "../../../src/domain/text/value-text.js";
import { formatInstant, instantOf } from "../../../src/domain/trace/instant.js";

/** Formats a recorded instant as ISO 8601, also from a number. An invalid instant is returned as text, unchanged. */
export function instantText(value: unknown): string {
  const instant = instantOf(value);
  return instant === undefined ? valueText(value) : formatInstant(instant);
}
