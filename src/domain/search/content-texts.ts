import { classifyEvent, type EventKind, readBookkeeping } from "../dialects/event-kinds.js";
import { isJsonObject, type JsonObject, textField } from "../json/json.js";
import { outcomeOf } from "../trace/outcome.js";
import type { ContentKind } from "./search-query.js";

export interface ContentText {
  readonly kind: ContentKind;
  readonly text: string;
}

interface SearchedValue {
  readonly value: unknown;
  /** `link` is never searched: ids and types, which the source often did not store. */
  readonly kind: ContentKind | "link";
  /** True in a tool's input and output: names of members do not change the kind. */
  readonly isComplete: boolean;
  /** True in a conversation event: its input and output are conversation text, not data of a tool. */
  readonly isSpoken: boolean;
}

/** Events whose `input`, `output` and `result` belong to a model or an agent. */
const SPOKEN: ReadonlySet<EventKind> = new Set<EventKind>([
  "run",
  "turn",
  "llm",
  "text",
  "input",
  "agent",
  "job",
  "wait",
]);

const TEXT: Omit<SearchedValue, "value"> = { kind: "text", isComplete: false, isSpoken: false };

/**
 * Yields each text once, without names of members, ids, types and positions. The `record` behind a derived event is `other`, unless the
 * event has no text.
 */
export function* textsOfEnvelope(envelope: unknown): Generator<ContentText> {
  if (!isJsonObject(envelope)) return yield* textsBelow({ ...TEXT, value: envelope, kind: "other" });
  const { event } = envelope;
  if (!isJsonObject(event)) return yield* textsBelow({ ...TEXT, value: event });
  const { record, stored: _, ...fields } = event;
  const own =
    readBookkeeping(event) === undefined ? fields : withoutBookkeeping(fields, isJsonObject(record));
  const { kind } = classifyEvent(textField(event, "type") ?? "");
  const place = {
    ...TEXT,
    value: own,
    kind: kind === "error" ? "error" : "text",
    isSpoken: SPOKEN.has(kind),
  } as const;
  let isRead = false;
  for (const text of textsBelow(place)) {
    if (text.kind !== "other" && text.text !== "") isRead = true;
    yield text;
  }
  yield* textsBelow(
    isRead ? { ...TEXT, value: record, kind: "other", isComplete: true } : { ...place, value: record },
  );
}

/** The source record also has the hook and its error. */
function withoutBookkeeping(own: JsonObject, hasRecord: boolean): JsonObject {
  return { ...own, bookkeeping: undefined, ...(hasRecord ? { hook: undefined, error: undefined } : {}) };
}

export function textsOfMessage(message: unknown): Generator<ContentText> {
  return textsBelow({ ...TEXT, value: message });
}

/** Record order. An explicit stack, because a record may be deeper than the call stack. */
function* textsBelow(top: SearchedValue): Generator<ContentText> {
  const left: SearchedValue[] = [top];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value, kind } = place;
    if (typeof value === "string") {
      if (kind !== "link") yield { kind, text: value };
    } else if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) left.push({ ...place, value: value[i] });
    } else if (isJsonObject(value)) {
      const members = Object.keys(value);
      const within = placeWithin(place, value);
      for (let i = members.length - 1; i >= 0; i--) left.push(memberPlace(within, value, members[i]!));
    }
  }
}

const THINKING_TYPE = /^(redacted_)?(thinking|reasoning|thought)/;
const TOOL_TYPE = /tool|function/i;
const MEDIA_TYPE = /^(input_)?(image|audio|video|file|media|blob|uri)([_-]?(url|data))?$/;
const OUTPUT_TYPE = /^((error-)?(text|json)|content)$/;

const THINKING = /^(thinking|reasoning(_content)?)$/;
const INPUT = /^(tool_?)?(input|args|arguments|parameters)$/i;
const OUTPUT = /^((full|partial|tool|toolUse)?_?(output|result|response)|stdout|stderr)$/i;
const ERROR = /^errors?([A-Z_]|$)|[a-z]Error$/;
const STOP_REASON = /^(stop|finish)_?reason$/i;
const DISPLAY_NAME = /^display_?name$/i;

/** Last words of the names of bookkeeping members. */
const BOOKKEEPING: ReadonlySet<string> = new Set(
  (
    "at branch caller commit cwd data dir dirs direction effort encoding entrypoint event file filename filenames files geo hash id ids key " +
    "kind language level mode model name names operation outcome path paths role scope sequence signature slug source speed state " +
    "status subtype tier time timestamp trigger type uuid uuids version"
  ).split(" "),
);
const LINKS: ReadonlySet<string> = new Set([
  "id",
  "ids",
  "uuid",
  "uuids",
  "type",
  "outcome",
  "at",
  "timestamp",
]);
/** Bounds the search for a name's last word: a name may be any text. */
const LONGEST_WORD = 40;
const LAST_WORD = /(?:[A-Z]?[a-z]+|[A-Z]+)$/;

function placeWithin(place: SearchedValue, object: JsonObject): SearchedValue {
  if (place.isComplete) return place;
  const type = typeOf(object);
  if (THINKING_TYPE.test(type) || object.thought === true) return { ...place, kind: "thinking" };
  return place.isSpoken && (TOOL_TYPE.test(type) || isResult(object, type))
    ? { ...place, isSpoken: false }
    : place;
}

function isResult(object: JsonObject, type: string): boolean {
  const { kind, phase } = classifyEvent(type);
  return (
    (kind === "tool" && phase !== "start") ||
    object.role === "tool" ||
    typeof object.tool_use_id === "string" ||
    typeof object.tool_call_id === "string" ||
    /tool[_-]?result/i.test(type)
  );
}

function memberPlace(within: SearchedValue, object: JsonObject, name: string): SearchedValue {
  const value = object[name];
  const place = { ...within, value };
  const other: SearchedValue = { ...place, kind: "other", isComplete: true };
  const type = typeOf(object);
  if (MEDIA_TYPE.test(type) && within.kind !== "input" && name !== "text") return other;
  if (within.isComplete) {
    const isWrapper = name === "type" && within.kind !== "input" && OUTPUT_TYPE.test(type);
    return isWrapper ? other : place;
  }
  if (ERROR.test(name)) return { ...place, kind: "error" };
  if (THINKING.test(name)) return { ...place, kind: "thinking" };
  if (INPUT.test(name) && !within.isSpoken) return { ...place, kind: "input", isComplete: true };
  if (OUTPUT.test(name) && !within.isSpoken)
    return { ...place, kind: outputKind(object, value), isComplete: true };
  if (name === "content" && isResult(object, type)) {
    // Parts of a message have their own types and ids; other values come from the tool.
    return { ...place, kind: outputKind(object, value), isComplete: isJsonObject(value) };
  }
  if (!isBookkeeping(name, value)) return place;
  return LINKS.has(lastWordOf(name)) ? { ...other, kind: "link" } : other;
}

function outputKind(object: JsonObject, output: unknown): ContentKind {
  const isError = object.is_error === true || outcomeOf(object) === "failed";
  return isError || (isJsonObject(output) && typeOf(output).startsWith("error-")) ? "error" : "output";
}

/** Objects are not bookkeeping: their members decide. */
function isBookkeeping(name: string, value: unknown): boolean {
  if (isJsonObject(value) || (Array.isArray(value) && isJsonObject(value[0]))) return false;
  if (STOP_REASON.test(name)) return true;
  return BOOKKEEPING.has(lastWordOf(name)) && !DISPLAY_NAME.test(name);
}

function lastWordOf(name: string): string {
  return LAST_WORD.exec(name.slice(-LONGEST_WORD))?.[0].toLowerCase() ?? "";
}

function typeOf(object: JsonObject): string {
  return textField(object, "type") ?? "";
}
