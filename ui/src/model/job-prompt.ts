import { type JsonObject, objectField, textField } from "../../../src/domain/json.js";

/** What an agent was asked in a job or a turn, by the event that began it. */
export function promptIn(event: JsonObject): string | undefined {
  const job = objectField(event, "job");
  return (
    textField(job, "prompt") ??
    textField(job, "input") ??
    textField(event, "prompt") ??
    textField(event, "input") ??
    textField(objectField(event, "input"), "text")
  );
}
