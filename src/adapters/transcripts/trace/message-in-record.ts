import { SourceChangedError } from "../../../application/errors.js";
import { isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { parseRecordBytes } from "../../files/bytes/parse-line.js";
import type { TranscriptFormat } from "../folder/format.js";
import type { SessionFile } from "./derived-file.js";

/** The message that the format states, or within a record; a record without its members is the message. */
export function messageIn(
  format: TranscriptFormat,
  { isInner }: SessionFile,
  record: JsonObject,
): JsonObject {
  const stated = format.message?.(record);
  if (stated !== undefined) return stated;
  const { own, inner = [], prompt } = format.messageMembers;
  let message = record;
  for (const member of isInner ? [...inner, own] : [own]) {
    const within = message[member];
    if (isJsonObject(within)) message = within;
  }
  if (message !== record || prompt === undefined) return message;
  const content = prompt.reduce<unknown>(
    (value, member) => (isJsonObject(value) ? value[member] : undefined),
    record,
  );
  return content === undefined ? message : { role: "user", content };
}

/** As `messageIn`, byte for byte. */
export function messageBytes(
  format: TranscriptFormat,
  { isInner }: SessionFile,
): (record: Uint8Array) => Uint8Array {
  const { own, inner = [], prompt = [] } = format.messageMembers;
  const members = (isInner ? [...inner, own] : [own]).map((member) => new JsonLexer([member]));
  const prompts = prompt.map((member) => new JsonLexer([member]));
  return (record) => {
    const stated = format.message?.(parseRecordBytes(record));
    if (stated !== undefined) return Buffer.from(jsonTextOf(stated)!);
    let message = record;
    for (const member of members) message = valueIn(message, member) ?? message;
    if (message !== record || prompts.length === 0) return message;
    let content: Uint8Array | undefined = record;
    for (const member of prompts) content = content && valueIn(content, member);
    return content === undefined ? message : Buffer.concat([BEFORE, content, AFTER]);
  };
}

const BEFORE = Buffer.from('{"role":"user","content":');
const AFTER = Buffer.from("}");

function valueIn(object: Uint8Array, member: JsonLexer): Uint8Array | undefined {
  if (member.read(object, 0, object.length) !== "object")
    throw new SourceChangedError("The session changed while it was being read.");
  return member.start(0) < 0 ? undefined : object.subarray(member.start(0), member.end(0));
}
