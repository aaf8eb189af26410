import type protobuf from "protobufjs/light.js";
import { RESOURCE_SPANS, ResourceSpans, SCOPE_SPANS, ScopeSpans, SPANS, Span } from "./messages.js";
import { RefusedRequest } from "./refused-request.js";
import { INVALID_IDS, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from "./span-ids.js";
import type { SpanLines } from "./span-lines.js";
import { checkValues, elements } from "./wire-format.js";

/** 64-bit integers are digits and enumerations are numbers, as in OTLP JSON. */
const AS_JSON: protobuf.IConversionOptions = { longs: String, bytes: String, json: true };

/** The ids of a span or a link: bytes in protobuf, base64 in JSON of protobuf, hexadecimal in OTLP JSON. */
const IDS = ["traceId", "spanId", "parentSpanId"] as const;
type Ids<Id> = { [Name in (typeof IDS)[number]]?: Id };
type WithLinks<Id> = Ids<Id> & { links?: Ids<Id>[] };

const SCOPES = Buffer.from('"scopeSpans":[');
const ITEMS = Buffer.from('"spans":[');
const END = Buffer.from("]}]}]}");

/**
 * Reads an `ExportTraceServiceRequest` in protobuf, a span at a time. Fields that the pinned version does not know are left out.
 *
 * @throws RefusedRequest for what cannot be decoded, or would take too much when it is
 */
export function* readProtobuf(bytes: Buffer, lines: SpanLines): Generator<void, void> {
  try {
    for (const resourceSpans of elements(bytes, RESOURCE_SPANS)) {
      yield lines.countPart();
      const around = opened(ResourceSpans, resourceSpans);
      for (const scopeSpans of elements(resourceSpans, SCOPE_SPANS)) {
        yield lines.countPart();
        const begin = [lines.begin, around, SCOPES, opened(ScopeSpans, scopeSpans), ITEMS];
        for (const span of elements(scopeSpans, SPANS)) {
          yield lines.countPart();
          addSpan(begin, decode(Span, span), lines);
        }
      }
    }
  } catch (error) {
    if (error instanceof RefusedRequest) throw error;
    throw new RefusedRequest(400, `The body cannot be decoded as protobuf: ${(error as Error).message}.`);
  }
}

function addSpan(begin: readonly Buffer[], message: protobuf.Message, lines: SpanLines): void {
  const span = message as WithLinks<Buffer>;
  if (!isId(span.traceId, TRACE_ID_DIGITS) || !isId(span.spanId, SPAN_ID_DIGITS)) {
    return lines.reject(INVALID_IDS);
  }
  const json = Span.toObject(message, AS_JSON) as WithLinks<string>;
  setIds(json, span);
  json.links?.forEach((link, i) => {
    setIds(link, span.links?.[i] ?? {});
  });
  lines.add([...begin, JSON.stringify(json), END]);
}

function isId(id: Buffer | undefined, digits: number): boolean {
  return id !== undefined && 2 * id.length === digits && id.some((byte) => byte !== 0);
}

function setIds(json: Ids<string>, message: Ids<Buffer>): void {
  for (const name of IDS) if (name in json) json[name] = message[name]?.toString("hex") ?? "";
}

/** The text of a message as an object that a further member goes on. */
function opened(type: protobuf.Type, bytes: Buffer): Buffer {
  const text = JSON.stringify(type.toObject(decode(type, bytes), AS_JSON)).slice(0, -1);
  return Buffer.from(text === "{" ? text : `${text},`);
}

function decode(type: protobuf.Type, bytes: Buffer): protobuf.Message {
  checkValues(type, bytes);
  return type.decode(bytes);
}
