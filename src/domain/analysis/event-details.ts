import { countField, isJsonObject, type JsonObject } from "../json/json.js";
import { isRefusal } from "../session/outcome.js";
import { type EventFacts, jsonOf, toolInput } from "../spans/event-facts.js";
import { hash53 } from "../text/fingerprints.js";

/** What the analysis of a session needs of an event beside what a viewer does. Its texts are not kept. */
export interface EventDetails {
  /** Of what goes into a tool and of what comes out, or of a system prompt and of tools that a model was given. */
  readonly inputHash: number | undefined;
  readonly outputHash: number | undefined;
  readonly isRefused: boolean;
  /** Of an error: milliseconds until the next attempt. */
  readonly retryInMs: number;
}

/** Of an event of which only the facts are known. */
export const NO_DETAILS: EventDetails = {
  inputHash: undefined,
  outputHash: undefined,
  isRefused: false,
  retryInMs: 0,
};

/** @param facts of the same event */
export function eventDetails({ kind, phase, error }: EventFacts, event: JsonObject): EventDetails {
  switch (kind) {
    case "tool": {
      const input = jsonOf(toolInput(event));
      const output = phase === "end" ? jsonOf(event.output ?? event.result) : undefined;
      const said = output ?? (phase === "end" ? error : undefined);
      return {
        ...NO_DETAILS,
        inputHash: input === undefined ? undefined : hash53(input),
        // Of a call that failed without an output, that is what went wrong.
        outputHash: said === undefined ? undefined : hash53(said),
        isRefused: isRefusal(event),
      };
    }
    case "llm":
      return phase === "start" ? { ...NO_DETAILS, inputHash: givenHash(event) } : NO_DETAILS;
    case "error":
      return { ...NO_DETAILS, retryInMs: countField(event, "retryInMs") };
    default:
      return NO_DETAILS;
  }
}

/** Of the system prompt and the tools that a call was given, where they are recorded on it: another one is another beginning of its context. */
function givenHash(event: JsonObject): number | undefined {
  const request = isJsonObject(event.request) ? event.request : event;
  const given = [request.system ?? request.instructions, request.tools].map(jsonOf);
  return given.every((part) => part === undefined) ? undefined : hash53(given.join("\n"));
}
