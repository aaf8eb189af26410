import { countField, isJsonObject, type JsonObject, textField } from "../json/json.js";
import { isRefusal } from "../session/outcome.js";
import type { EventFacts } from "../spans/event-facts.js";
import { hash53 } from "../text/fingerprints.js";
import { recordedCostOf } from "../usage/recorded-usage.js";

/** What the analysis of a session needs of an event beside what a viewer does. Its texts are not kept. */
export interface EventDetails {
  readonly provider: string | undefined;
  readonly recordedUsd: number | undefined;
  /** Of what goes into a tool and of what comes out, or of a system prompt and of tools that a model was given. */
  readonly inputHash: number | undefined;
  readonly outputHash: number | undefined;
  /** Characters of a text that a model wrote, or of what it calls a tool with. */
  readonly writtenSize: number;
  readonly isRefused: boolean;
  /** Of an error: milliseconds until the next attempt. */
  readonly retryInMs: number;
}

const NO_DETAILS: EventDetails = {
  provider: undefined,
  recordedUsd: undefined,
  inputHash: undefined,
  outputHash: undefined,
  writtenSize: 0,
  isRefused: false,
  retryInMs: 0,
};

/** @param facts of the same event */
export function eventDetails({ kind, phase }: EventFacts, event: JsonObject): EventDetails {
  switch (kind) {
    case "tool": {
      const input = jsonOf(event.input ?? event.args ?? event.arguments ?? event.parameters);
      const output = phase === "end" ? jsonOf(event.output ?? event.result) : undefined;
      return {
        ...NO_DETAILS,
        inputHash: input === undefined ? undefined : hash53(input),
        outputHash: output === undefined ? undefined : hash53(output),
        writtenSize: input?.length ?? 0,
        isRefused: isRefusal(event),
      };
    }
    case "llm": {
      const provider = textField(event, "provider");
      const inputHash = phase === "start" ? givenHash(event) : undefined;
      return { ...NO_DETAILS, provider, recordedUsd: recordedCostOf(event), inputHash };
    }
    case "text": {
      const text = textField(event, "text") ?? textField(event, "thinking") ?? "";
      return { ...NO_DETAILS, writtenSize: text.length };
    }
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

function jsonOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}
