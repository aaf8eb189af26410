import protobuf from "protobufjs/light.js";
import type { JsonObject } from "../../domain/json/json.js";
import { ownTenant } from "../spans/span-outline.js";
import { RESOURCE_SPANS, ResourceSpans, SCOPE_SPANS, ScopeSpans, SPANS, Span } from "./messages.js";
import { RefusedRequest } from "./refused-request.js";
import { INVALID_IDS, SPAN_ID_DIGITS, type SpanLines, TRACE_ID_DIGITS } from "./span-lines.js";
import { tenantAttributes } from "./tenant-attributes.js";

/** 64-bit integers are digits and enumerations are numbers, as in OTLP JSON. */
const AS_JSON: protobuf.IConversionOptions = { longs: String, bytes: String, json: true };

/** Span IDs are bytes in protobuf, base64 in JSON of protobuf, hexadecimal in OTLP JSON. */
const IDS = ["traceId", "spanId", "parentSpanId"] as const;
type Ids<Id> = { [Name in (typeof IDS)[number]]?: Id };
type WithLinks<Id> = Ids<Id> & { links?: Ids<Id>[] };

const SCOPES = Buffer.from('"scopeSpans":[');
const ITEMS = Buffer.from('"spans":[');
const END = Buffer.from("]}]}]}");

/**
 * Reads an `ExportTraceServiceRequest` in protobuf, one span at a time. Fields that the pinned version does not define are omitted.
 *
 * @throws RefusedRequest if it cannot be decoded, or would take too much memory when decoded
 */
export function* readProtobuf(bytes: Buffer, lines: SpanLines): Generator<void, void> {
  try {
    for (const resourceSpans of elements(bytes, RESOURCE_SPANS)) {
      yield lines.countPart();
      const process = asJson(ResourceSpans, resourceSpans);
      const resource = tenantAttributes(process.resource?.attributes);
      const around = opened(process);
      for (const scopeSpans of elements(resourceSpans, SCOPE_SPANS)) {
        yield lines.countPart();
        const begin = [around, SCOPES, opened(asJson(ScopeSpans, scopeSpans)), ITEMS];
        for (const span of elements(scopeSpans, SPANS)) {
          yield lines.countPart();
          addSpan(begin, resource, decode(Span, span), lines);
        }
      }
    }
  } catch (error) {
    if (error instanceof RefusedRequest) throw error;
    throw new RefusedRequest(400, `The body cannot be decoded as protobuf: ${(error as Error).message}.`);
  }
}

function addSpan(
  begin: readonly Buffer[],
  resource: JsonObject,
  message: protobuf.Message,
  lines: SpanLines,
): void {
  const span = message as WithLinks<Buffer>;
  if (!isId(span.traceId, TRACE_ID_DIGITS) || !isId(span.spanId, SPAN_ID_DIGITS)) {
    return lines.reject(INVALID_IDS);
  }
  const json = Span.toObject(message, AS_JSON) as WithLinks<string> & JsonObject;
  setIds(json, span);
  json.links?.forEach((link, i) => {
    setIds(link, span.links?.[i] ?? {});
  });
  const tenantOf = () => ownTenant(tenantAttributes(json.attributes), resource);
  lines.add(tenantOf, [...begin, JSON.stringify(json), END]);
}

function isId(id: Buffer | undefined, digits: number): boolean {
  return id !== undefined && 2 * id.length === digits && id.some((byte) => byte !== 0);
}

function setIds(json: Ids<string>, message: Ids<Buffer>): void {
  for (const name of IDS) if (name in json) json[name] = message[name]?.toString("hex") ?? "";
}

function asJson(type: protobuf.Type, bytes: Buffer): { readonly resource?: JsonObject } & JsonObject {
  return type.toObject(decode(type, bytes), AS_JSON);
}

function opened(message: JsonObject): Buffer {
  const text = JSON.stringify(message).slice(0, -1);
  return Buffer.from(text === "{" ? text : `${text},`);
}

function decode(type: protobuf.Type, bytes: Buffer): protobuf.Message {
  checkValues(type, bytes);
  return type.decode(bytes);
}

const LENGTH_DELIMITED = 2;

/** Maximum number of values in one message, at any depth. A span that reaches each of the SDKs' default limits has 132,000. */
export const MAX_VALUES = 200_000;

function* elements(bytes: Buffer, id: number): Generator<Buffer, void> {
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
 * @throws RefusedRequest above `MAX_VALUES`
 */
function checkValues(type: protobuf.Type, bytes: Buffer): void {
  if (bytes.length < 2 * MAX_VALUES) return;
  if (valuesIn(type, protobuf.Reader.create(bytes), bytes.length, 0) <= MAX_VALUES) return;
  throw new RefusedRequest(
    413,
    `A span, a resource and a scope hold at most ${MAX_VALUES} messages and texts each.`,
  );
}

function valuesIn(type: protobuf.Type, reader: protobuf.Reader, end: number, depth: number): number {
  let values = 0;
  while (reader.pos < end && values <= MAX_VALUES) {
    const id = nextField(reader);
    if (id === undefined) continue;
    const length = reader.size();
    const field = type.fieldsById[id];
    const inner = field?.resolvedType;
    if (field !== undefined) values++;
    if (inner instanceof protobuf.Type && depth < protobuf.util.recursionLimit) {
      values += valuesIn(inner, reader, reader.pos + length, depth + 1);
    } else reader.skip(length);
  }
  return values;
}

function nextField(reader: protobuf.Reader): number | undefined {
  const tag = reader.tag();
  const [id, wireType] = [tag >>> 3, tag & 7];
  if (wireType === LENGTH_DELIMITED && id !== 0) return id;
  reader.skipType(wireType, 0, id);
  return undefined;
}
