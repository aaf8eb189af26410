import { resultPart } from "../../../domain/conversation/content-parts.js";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { type EventFacts, errorText, toolInput } from "../../../domain/spans/event-facts.js";
import { textWithin } from "../../../domain/spans/preview.js";
import { commandText } from "../../../domain/text/subject.js";
import { valueText } from "../../../domain/text/value-text.js";
import { editDiff } from "./edit-diff.js";
import { type QuotedText, shortenedText, wrapped } from "./markdown-text.js";

/** Texts are already cut to their displayed length. */
export interface EventTexts {
  /** Text of a prompt, an answer or a thought. */
  readonly spoken?: string | undefined;
  readonly isThought?: boolean | undefined;
  readonly input?: QuotedText | undefined;
  readonly isChange?: boolean | undefined;
  readonly result?: string | undefined;
  readonly error?: string | undefined;
}

/** Characters. */
export interface TextLimits {
  readonly spoken: number;
  readonly thought: number;
  readonly input: number;
  readonly change: number;
  readonly result: number;
  readonly error: number;
}

const NOTHING: EventTexts = {};

export function eventTexts(event: JsonObject, facts: EventFacts, most: TextLimits): EventTexts {
  const { kind, phase, error } = facts;
  const failure =
    error === undefined ? undefined : shortenedText(errorText(kind, event) || error, most.error);
  switch (kind) {
    case "turn":
      return {
        ...textsIn(phase === "end" ? undefined : (event.input ?? event.prompt), most),
        error: failure,
      };
    case "text": {
      const isThought = event.type === "thinking" || textField(event, "thinking") !== undefined;
      const text = textField(event, "text") ?? textField(event, "thinking") ?? "";
      return { spoken: wrapped(shortenedText(text, isThought ? most.thought : most.spoken)), isThought };
    }
    case "llm":
      return phase === "end" ? { ...textsIn(event.output ?? event.response, most), error: failure } : NOTHING;
    case "tool":
      return { ...inputOf(event, facts, most), ...resultOf(event, phase === "end", most), error: failure };
    case "job": {
      const job = objectField(event, "job");
      const spoken = phase === "end" ? job.outputText : (job.prompt ?? job.input);
      return { ...textsIn(spoken, most), error: failure };
    }
    default:
      return failure === undefined ? NOTHING : { error: failure };
  }
}

function textsIn(value: unknown, most: TextLimits): EventTexts {
  const text = typeof value === "string" ? value : textWithin(value, most.spoken);
  return text.trim() === "" ? NOTHING : { spoken: wrapped(shortenedText(text, most.spoken)) };
}

function inputOf(event: JsonObject, { subject }: EventFacts, most: TextLimits): EventTexts {
  const input = toolInput(event);
  if (input === undefined || input === null) return NOTHING;
  const change = editDiff(textField(event, "toolName") ?? textField(event, "name") ?? "", input);
  if (change !== undefined)
    return { input: { text: shortenedText(change, most.change), language: "diff" }, isChange: true };
  const command = commandIn(input);
  if (command !== undefined) return { input: { text: shortenedText(command, most.input), language: "sh" } };
  // The line above already names the file.
  if (Object.values(input).length === 1 && Object.values(input)[0] === subject.paths[0]) return NOTHING;
  const isText = typeof input === "string";
  const text = shortenedText(valueText(input), most.input);
  return text === "" || text === "{}" ? NOTHING : { input: { text, language: isText ? undefined : "json" } };
}

function commandIn(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const { command, cmd, description: _, timeout: __, ...others } = input as JsonObject;
  if (Object.keys(others).length > 0) return undefined;
  const text = commandText(command ?? cmd);
  return text === "" ? undefined : text;
}

function resultOf(event: JsonObject, isEnd: boolean, most: TextLimits): EventTexts {
  const output = event.output ?? event.result;
  if (!isEnd || output === undefined || output === null) return NOTHING;
  const part = Array.isArray(output) ? resultPart("", output, event) : undefined;
  const text = part?.type === "result" ? part.text : valueText(output);
  const images = part?.type === "result" && part.images.length > 0 ? `[${part.images.length} images]` : "";
  const shortened = shortenedText([text, images].filter(Boolean).join("\n"), most.result);
  return shortened === "" ? NOTHING : { result: shortened };
}
