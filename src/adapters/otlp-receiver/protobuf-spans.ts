import type protobuf from "protobufjs/light.js";
import { ExportTraceServiceRequest, ResourceSpans, ScopeSpans, Span } from "./messages.js";
import { RefusedRequest } from "./refused-request.js";
import { INVALID_IDS, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from "./span-ids.js";
import type { SpanLines } from "./span-lines.js";

/** 64-bit integers are digits and enumerations are numbers, as in OTLP JSON. */
const AS_JSON: protobuf.IConversionOptions = { longs: String, bytes: String, json: true };

/** The ids of a span or a link: bytes in protobuf, base64 in JSON of protobuf, hexadecimal in OTLP JSON. */
const IDS = ["traceId", "spanId", "parentSpanId"] as const;
type Ids<Id> = { [Name in (typeof IDS)[number]]?: Id };
type WithLinks<Id> = Ids<Id> & { links?: Ids<Id>[] };

const END = Buffer.from("]}]}]}");

/**
 * Reads an `ExportTraceServiceRequest` in protobuf, a span at a time. Fields that the pinned version does not know are left out.
 *
 * @throws RefusedRequest for what cannot be decoded
 */
export function* readProtobuf(bytes: Buffer, lines: SpanLines): Generator<void, void> {
  const request = decode<{ resourceSpans: object[] }>(ExportTraceServiceRequest, bytes);
  for (const resourceSpans of request.resourceSpans) {
    const [around, scopes] = split<object>(ResourceSpans, resourceSpans, "scopeSpans");
    for (const scopeSpans of scopes) {
      const [within, spans] = split<Buffer>(ScopeSpans, scopeSpans, "spans");
      const begin = Buffer.from(
        `{"resourceSpans":[${opened(around)}"scopeSpans":[${opened(within)}"spans":[`,
      );
      for (const span of spans) {
        yield;
        addSpan(begin, decode(Span, span), lines);
      }
    }
  }
}

function addSpan(begin: Buffer, span: WithLinks<Buffer>, lines: SpanLines): void {
  if (!isId(span.traceId, TRACE_ID_DIGITS) || !isId(span.spanId, SPAN_ID_DIGITS)) {
    return lines.reject(INVALID_IDS);
  }
  const json = Span.toObject(span as protobuf.Message, AS_JSON) as WithLinks<string>;
  setIds(json, span);
  json.links?.forEach((link, i) => {
    setIds(link, span.links?.[i] ?? {});
  });
  lines.add([begin, JSON.stringify(json), END]);
}

function isId(id: Buffer | undefined, digits: number): boolean {
  return id !== undefined && 2 * id.length === digits && id.some((byte) => byte !== 0);
}

function setIds(json: Ids<string>, message: Ids<Buffer>): void {
  for (const name of IDS) if (name in json) json[name] = message[name]?.toString("hex") ?? "";
}

/** A message as JSON without a repeated member, and that member. */
function split<Item>(type: protobuf.Type, message: object, member: string): [rest: object, items: Item[]] {
  const items = (message as Record<string, Item[]>)[member] ?? [];
  const rest = type.create({ ...message, [member]: [] });
  return [type.toObject(rest, AS_JSON), items];
}

/** The text of an object that a further member goes on. */
function opened(json: object): string {
  const text = JSON.stringify(json).slice(0, -1);
  return text === "{" ? text : `${text},`;
}

function decode<T>(type: protobuf.Type, bytes: Uint8Array): T {
  try {
    return type.decode(bytes) as unknown as T;
  } catch (error) {
    throw new RefusedRequest(
      400,
      `The body cannot be decoded as ${type.name} in protobuf: ${(error as Error).message}.`,
    );
  }
}
