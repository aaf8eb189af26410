import { SourceUnavailableError } from "../../../application/errors.js";
import { isJsonObject, type JsonObject, parseJson } from "../../../domain/json/json.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { type Line, lineOf } from "../../files/bytes/line.js";
import { elementsWithin } from "../../transcripts/trace/nested-elements.js";
import { parsed } from "./python-json.js";

const APART = ["events", "attachments", "message_pool", "events_data", "messages"] as const;

/** Parses events one at a time: they may take hundreds of megabytes. */
export interface SampleParts {
  readonly sample: JsonObject;
  readonly attachments: JsonObject;
  readonly pool: readonly unknown[];
  readonly messages: readonly unknown[];
  /** @param word those whose text holds it. Default is all */
  events(word?: string): Generator<JsonObject, void>;
}

/** @throws SourceUnavailableError if the bytes are not a JSON object */
export function* samplePartsOf(bytes: Buffer): Generator<void, SampleParts> {
  const lexer = new JsonLexer(APART);
  if ((yield* lexer.readInSteps(bytes, 0, bytes.length)) !== "object")
    throw new SourceUnavailableError("The sample is no JSON object.");
  const line = lineOf(bytes, 0, bytes.length, 1, 0, true)!;
  const valueOfMember = (name: (typeof APART)[number]) => {
    const member = APART.indexOf(name);
    return lexer.start(member) < 0
      ? undefined
      : parsed(bytes.subarray(lexer.start(member), lexer.end(member)));
  };
  const [attachments, data] = [valueOfMember("attachments"), valueOfMember("events_data")];
  const pool = valueOfMember("message_pool") ?? (isJsonObject(data) ? data.messages : undefined);
  return {
    sample: withoutMembers(bytes, lexer),
    attachments: isJsonObject(attachments) ? attachments : {},
    pool: listOf(pool),
    messages: listOf(valueOfMember("messages")),
    events: (word) => eachEvent(line, word),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function* eachEvent(line: Line, word = ""): Generator<JsonObject, void> {
  for (const { bytes, from, to } of elementsWithin(line, ["events"])) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
    if (!text.includes(word)) continue;
    const value = parsed(text);
    yield isJsonObject(value) ? value : { event: "odd", value };
  }
}

function withoutMembers(bytes: Buffer, lexer: JsonLexer): JsonObject {
  const ranges = APART.map((_, i) => [lexer.start(i), lexer.end(i)] as const).filter(([start]) => start >= 0);
  let text = "";
  let at = 0;
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    text += `${bytes.toString("utf8", at, start)}0`;
    at = end;
  }
  const sample = parseJson(text + bytes.toString("utf8", at)) as JsonObject;
  return Object.fromEntries(
    Object.entries(sample).filter(([name]) => !(APART as readonly string[]).includes(name)),
  );
}
