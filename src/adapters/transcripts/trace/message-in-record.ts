import { SourceChangedError } from "../../../application/errors.js";
import { isJsonObject, type JsonObject } from "../../../domain/json/json.js";
import { JsonLexer } from "../../../domain/json/json-lexer.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { parseRecordBytes } from "../../files/bytes/parse-line.js";
import type { TranscriptFormat } from "../folder/format.js";
import type { SessionFile } from "./derived-file.js";

/** The message within a record, or the one that the format states; a record without either is the message. */
export function messageIn(format: TranscriptFormat, file: SessionFile, record: JsonObject): JsonObject {
  let message = record;
  for (const member of membersOf(format, file)) {
    const within = message[member];
    if (isJsonObject(within)) message = within;
  }
  return message === record ? (format.message?.(record) ?? record) : message;
}

/** As `messageIn`, byte for byte. */
export function messageBytes(
  format: TranscriptFormat,
  file: SessionFile,
): (record: Uint8Array) => Uint8Array {
  const members = membersOf(format, file).map((member) => new JsonLexer([member]));
  return (record) => {
    let message = record;
    for (const member of members) message = valueIn(message, member) ?? message;
    if (message !== record) return message;
    const stated = format.message?.(parseRecordBytes(record));
    return stated === undefined ? record : Buffer.from(jsonTextOf(stated)!);
  };
}

function membersOf(
  { messageMembers: { own, inner = [] } }: TranscriptFormat,
  { isInner }: SessionFile,
): readonly string[] {
  return isInner ? [...inner, own] : [own];
}

function valueIn(object: Uint8Array, member: JsonLexer): Uint8Array | undefined {
  if (member.read(object, 0, object.length) !== "object")
    throw new SourceChangedError("The session changed while it was being read.");
  return member.start(0) < 0 ? undefined : object.subarray(member.start(0), member.end(0));
}
