import { causeOf } from "../facts/cause-of.js";
import { countField, isJsonObject, type JsonObject } from "../json/json.js";
import { type EventFacts, errorText, jsonOf, toolInput } from "../spans/event-facts.js";
import { hash53 } from "../text/fingerprints.js";
import { isRefusal } from "../trace/outcome.js";

export interface EventDetails {
  readonly inputHash: number | undefined;
  readonly outputHash: number | undefined;
  readonly isRefused: boolean;
  readonly retryInMs: number;
  /** Folded first line of the error, which previews join with the next lines. */
  readonly cause: string | undefined;
}

export const NO_DETAILS: EventDetails = {
  inputHash: undefined,
  outputHash: undefined,
  isRefused: false,
  retryInMs: 0,
  cause: undefined,
};

export function eventDetails(facts: EventFacts, event: JsonObject): EventDetails {
  const details = detailsOf(facts, event);
  const reason = facts.error === undefined ? "" : errorText(facts.kind, event);
  return reason === "" ? details : { ...details, cause: causeOf(reason) };
}

function detailsOf({ kind, phase, error }: EventFacts, event: JsonObject): EventDetails {
  switch (kind) {
    case "tool": {
      const input = jsonOf(toolInput(event));
      const output = phase === "end" ? jsonOf(event.output ?? event.result) : undefined;
      const spoken = output ?? (phase === "end" ? error : undefined);
      return {
        ...NO_DETAILS,
        inputHash: input === undefined ? undefined : hash53(input),
        outputHash: spoken === undefined ? undefined : hash53(spoken),
        isRefused: isRefusal(event),
      };
    }
    case "llm":
      return phase === "start" ? { ...NO_DETAILS, inputHash: promptHash(event) } : NO_DETAILS;
    case "error":
      return { ...NO_DETAILS, retryInMs: countField(event, "retryInMs") };
    default:
      return NO_DETAILS;
  }
}

function promptHash(event: JsonObject): number | undefined {
  const request = isJsonObject(event.request) ? event.request : event;
  const parts = [request.system ?? request.instructions, request.tools].map(jsonOf);
  return parts.every((part) => part === undefined) ? undefined : hash53(parts.join("\n"));
}
