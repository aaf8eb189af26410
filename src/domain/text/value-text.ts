import { cutDeep } from "../json/json.js";

/**
 * A recorded value to be read, whatever its shape: a text as it is, anything else as JSON; `""` for what is not there.
 *
 * @example valueText({ code: 7 }) // '{\n  "code": 7\n}'
 */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : (JSON.stringify(cutDeep(value), null, 2) ?? "");
}
