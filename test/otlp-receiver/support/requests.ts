import { protocolRoot } from "../../../src/adapters/otlp-receiver/messages.js";

// A separate root: the receiver's root has no spans in its messages.
const root = protocolRoot();
const typeOf = (name: string) => root.lookupType(name);

export const PROTOBUF = "application/x-protobuf";
export const JSON_TYPE = "application/json";

/** Members as in protobufjs: ids are bytes. */
export function protobufOf(request: object): Uint8Array<ArrayBuffer> {
  const type = typeOf("opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest");
  return new Uint8Array(type.encode(type.fromObject(request)).finish());
}

export async function messageIn(response: Response): Promise<object> {
  const name = response.ok
    ? "opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse"
    : "google.rpc.Status";
  const type = typeOf(name);
  return type.toObject(type.decode(new Uint8Array(await response.arrayBuffer())), {
    longs: String,
    json: true,
  });
}

export const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

export const traceIdOf = (n: number) => (n + 1).toString(16).padStart(32, "0");
export const spanIdOf = (n: number) => (n + 1).toString(16).padStart(16, "0");

export function requestOf(spans: readonly unknown[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
        scopeSpans: [{ scope: { name: "test" }, spans }],
      },
    ],
  };
}

export function spanOf(n: number, more: object = {}): object {
  return { traceId: traceIdOf(n), spanId: spanIdOf(n), name: `span ${n}`, ...more };
}

export function protobufSpans(numbers: readonly number[], more: object = {}): Uint8Array<ArrayBuffer> {
  const spans = numbers.map((n) => ({
    ...spanOf(n, more),
    traceId: bytesOf(traceIdOf(n)),
    spanId: bytesOf(spanIdOf(n)),
  }));
  return protobufOf(requestOf(spans));
}

export interface WrittenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly [member: string]: unknown;
}

/** Each line has to hold one span. */
export function spansIn(lines: string): WrittenSpan[] {
  if (lines !== "" && !lines.endsWith("\n")) throw new Error("The last line is torn.");
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const { resourceSpans } = JSON.parse(line);
      const [span, ...others] = resourceSpans[0].scopeSpans[0].spans;
      const isAlone =
        others.length === 0 && resourceSpans.length === 1 && resourceSpans[0].scopeSpans.length === 1;
      if (!isAlone) throw new Error("A line holds more than one span.");
      return span;
    });
}

export function field(number: number, content: Buffer): Buffer {
  const length = [];
  let rest = content.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.of((number << 3) | 2, ...length, rest), content]);
}
