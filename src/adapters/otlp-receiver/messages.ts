import protobuf from "protobufjs/light.js";
import { DESCRIPTOR } from "./descriptor.js";

const root = protobuf.Root.fromJSON(DESCRIPTOR);

export const ExportTraceServiceRequest = root.lookupType(
  "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest",
);
export const ExportTraceServiceResponse = root.lookupType(
  "opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse",
);
export const ResourceSpans = root.lookupType("opentelemetry.proto.trace.v1.ResourceSpans");
export const ScopeSpans = root.lookupType("opentelemetry.proto.trace.v1.ScopeSpans");
export const Span = root.lookupType("opentelemetry.proto.trace.v1.Span");
export const Status = root.lookupType("google.rpc.Status");

// An embedded message is encoded as its bytes are: read as bytes, the spans of a request need not be decoded all at once.
ScopeSpans.fields.spans!.type = "bytes";

// Its decoders are made as code: where a host forbids that, the receiver fails as it is loaded, and not for each request.
for (const type of [
  ExportTraceServiceRequest,
  ExportTraceServiceResponse,
  ResourceSpans,
  ScopeSpans,
  Span,
  Status,
])
  type.setup();
