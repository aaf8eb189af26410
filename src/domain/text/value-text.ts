import { cutDeep } from "../json/json.js";

/**
 * A text stays unchanged, other values become JSON; `""` for an absent value.
 * @example valueText({ code: 7 }) // '{\n  "code": 7\n}'
 */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : (JSON.stringify(cutDeep(value), null, 2) ?? "");
}
