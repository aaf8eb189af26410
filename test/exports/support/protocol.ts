import { protocolRoot } from "../../../src/adapters/otlp-receiver/messages.js";
import { isJsonObject } from "../../../src/domain/json/json.js";

const Request = protocolRoot().lookupType("opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest");

/** Passes a request through protobuf, which drops members outside of the protocol. */
export function asTheProtocolHasIt(request: object): unknown {
  const message = Request.decode(
    Request.encode(Request.fromObject(withIds(request, fromHex) as object)).finish(),
  );
  return withIds(Request.toObject(message, { longs: String }), toHex);
}

const IDS: ReadonlySet<string> = new Set(["traceId", "spanId", "parentSpanId"]);

/** OTLP's JSON has ids in hexadecimal, where that of protobuf has base64. */
function withIds(value: unknown, convert: (id: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, convert));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, IDS.has(name) ? convert(one) : withIds(one, convert)]),
  );
}

const fromHex = (id: unknown) => Uint8Array.from(Buffer.from(String(id), "hex"));
const toHex = (id: unknown) => Buffer.from(id as Uint8Array).toString("hex");
