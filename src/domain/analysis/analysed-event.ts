import { hash53 } from "../fingerprints.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../json.js";
import { recordedCostOf } from "../recorded-usage.js";
import { type EventFacts, readEventFacts } from "../spans/event-facts.js";

/** An event of a trace with what the analysis of a session needs beside what a viewer does. Its texts are not kept. */
export interface AnalysedEvent extends EventFacts {
  readonly provider: string | undefined;
  readonly recordedUsd: number | undefined;
  /** Of what goes into a tool and of what comes out, or of a system prompt and of tools that a model was given. */
  readonly inputHash: number | undefined;
  readonly outputHash: number | undefined;
  /** Characters of a text that a model wrote, or of what it calls a tool with. */
  readonly writtenSize: number;
  readonly isRefused: boolean;
}

/** @param previousAt where the event has no instant that can be read */
export function analysedEvent(envelope: JsonObject, index: number, previousAt: number): AnalysedEvent {
  const facts = readEventFacts(envelope, index, previousAt);
  const event = objectField(envelope, "event");
  const isTool = facts.kind === "tool";
  const input = isTool ? jsonOf(event.input ?? event.args ?? event.arguments ?? event.parameters) : undefined;
  const output = isTool && facts.phase === "end" ? jsonOf(event.output ?? event.result) : undefined;
  return {
    ...facts,
    provider: textField(event, "provider"),
    recordedUsd: facts.kind === "llm" ? recordedCostOf(event) : undefined,
    inputHash: input === undefined ? givenHash(facts, event) : hash53(input),
    outputHash: output === undefined ? undefined : hash53(output),
    writtenSize: facts.kind === "text" ? textSize(event) : isTool ? (input?.length ?? 0) : 0,
    isRefused: event.refused === true,
  };
}

/** Of the system prompt and the tools that a call was given, where they are recorded on it: another one is another beginning of its context. */
function givenHash({ kind, phase }: EventFacts, event: JsonObject): number | undefined {
  if (kind !== "llm" || phase !== "start") return undefined;
  const request = isJsonObject(event.request) ? event.request : event;
  const given = [request.system ?? request.instructions, request.tools].map(jsonOf);
  return given.every((part) => part === undefined) ? undefined : hash53(given.join("\n"));
}

function textSize(event: JsonObject): number {
  return (textField(event, "text") ?? textField(event, "thinking") ?? "").length;
}

function jsonOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}
