import { useEffect, useState } from "react";
import { isJsonObject, objectField, textField } from "../../../../src/domain/json.js";
import { engine } from "../../app/engine.js";

/**
 * What an agent was asked last; `""` where that is not recorded. It is in the event that began the job.
 *
 * @param version increases when the trace has changed: the event may have been added
 */
export function useJobPrompt(agentId: string, version: number): string {
  const [input, setInput] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may know more
  useEffect(() => {
    let stale = false;
    engine.call("agentJob", agentId).then((event) => {
      if (!stale) setInput(isJsonObject(event) ? (promptOf(event) ?? "") : "");
    });
    return () => {
      stale = true;
    };
  }, [agentId, version]);
  return input;
}

function promptOf(event: { readonly [key: string]: unknown }): string | undefined {
  const job = objectField(event, "job");
  return (
    textField(job, "prompt") ??
    textField(job, "input") ??
    textField(event, "prompt") ??
    textField(event, "input") ??
    textField(objectField(event, "input"), "text")
  );
}
