import protobuf from "protobufjs/light.js";
import { DESCRIPTOR } from "./descriptor.js";

export function protocolRoot(): protobuf.Root {
  const root = new protobuf.Root();
  for (const [name, types] of Object.entries(DESCRIPTOR)) root.define(name, types);
  root.resolveAll();
  return root;
}

const root = protocolRoot();

const ExportTraceServiceRequest = root.lookupType(
  "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest",
);
export const ExportTraceServiceResponse = root.lookupType(
  "opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse",
);
export const ResourceSpans = root.lookupType("opentelemetry.proto.trace.v1.ResourceSpans");
export const ScopeSpans = root.lookupType("opentelemetry.proto.trace.v1.ScopeSpans");
export const Span = root.lookupType("opentelemetry.proto.trace.v1.Span");
export const Status = root.lookupType("google.rpc.Status");

export const RESOURCE_SPANS = ExportTraceServiceRequest.fields.resourceSpans!.id;
export const SCOPE_SPANS = takenOut(ResourceSpans, "scopeSpans");
export const SPANS = takenOut(ScopeSpans, "spans");

/** Removes a large member from the decoder: it is read from the bytes one element at a time. */
function takenOut(type: protobuf.Type, member: string): number {
  const field = type.fields[member]!;
  type.remove(field);
  return field.id;
}

// Decoders are generated code. A host that forbids this makes the receiver fail at load time, not at each request.
for (const type of [ExportTraceServiceResponse, ResourceSpans, ScopeSpans, Span, Status]) type.setup();
