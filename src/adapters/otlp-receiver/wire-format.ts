import protobuf from "protobufjs/light.js";
import { RefusedRequest } from "./refused-request.js";

/** A value of the wire format that says its length: a message, a text or bytes. */
const LENGTH_DELIMITED = 2;

/** How many values one message holds at most, at any depth: a span that reaches each of the SDKs' default limits has 132,000. */
export const MAX_VALUES = 200_000;

/** The bytes of a message's repeated member, one element at a time. The other fields are passed over. */
export function* elements(bytes: Buffer, id: number): Generator<Buffer, void> {
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < bytes.length) {
    const field = nextField(reader);
    if (field === undefined) continue;
    const length = reader.size();
    const begin = reader.pos;
    reader.skip(length);
    if (field === id) yield bytes.subarray(begin, reader.pos);
  }
}

/**
 * Counts before decoding, because an empty message takes two bytes, and decoded a hundred times that.
 *
 * @throws RefusedRequest for a message of more values than it may have
 */
export function checkValues(type: protobuf.Type, bytes: Buffer): void {
  if (bytes.length < 2 * MAX_VALUES) return; // too short to hold more
  if (valuesIn(type, protobuf.Reader.create(bytes), bytes.length, 0) <= MAX_VALUES) return;
  throw new RefusedRequest(
    413,
    `A span, a resource and a scope hold at most ${MAX_VALUES} messages and texts each.`,
  );
}

/** Stops soon after the most that there may be. What is nested too deep for the decoder is not looked into. */
function valuesIn(type: protobuf.Type, reader: protobuf.Reader, end: number, depth: number): number {
  let values = 0;
  while (reader.pos < end && values <= MAX_VALUES) {
    const id = nextField(reader);
    if (id === undefined) continue;
    const length = reader.size();
    const field = type.fieldsById[id];
    const inner = field?.resolvedType;
    if (field !== undefined) values++; // others are not decoded
    if (inner instanceof protobuf.Type && depth < protobuf.util.recursionLimit) {
      values += valuesIn(inner, reader, reader.pos + length, depth + 1);
    } else reader.skip(length);
  }
  return values;
}

/** Goes to where the next field tells its length; `undefined` for a field that does not, which is passed over. */
function nextField(reader: protobuf.Reader): number | undefined {
  const tag = reader.tag();
  const [id, wireType] = [tag >>> 3, tag & 7];
  if (wireType === LENGTH_DELIMITED && id !== 0) return id;
  reader.skipType(wireType, 0, id);
  return undefined;
}
