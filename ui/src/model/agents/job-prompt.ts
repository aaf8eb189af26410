import { isJsonObject, type JsonObject, objectField, textField } from "../../../../src/domain/json/json.js";
import { valueText } from "../../../../src/domain/text/value-text.js";

export function promptIn(event: JsonObject): string | undefined {
  const job = objectField(event, "job");
  const prompt = [job.prompt, job.input, event.prompt, event.input].find((value) => valueText(value) !== "");
  if (prompt === undefined) return undefined;
  return (isJsonObject(prompt) ? textField(prompt, "text") : undefined) ?? valueText(prompt);
}
