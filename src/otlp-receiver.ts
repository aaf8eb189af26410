/** `agent-inspector/otlp-receiver`: takes spans of agents in any language, and appends them to files. */
export type { DecideSenderAccess, ReceivedSpans } from "./adapters/otlp-receiver/receiver-app.js";
export type { SpanStore } from "./application/ports/span-store.js";
export type { InspectorAccess, TenantScope } from "./application/sources/scope.js";
export {
  createOtlpReceiver,
  type OtlpReceiver,
  type OtlpReceiverOptions,
} from "./composition/otlp-receiver.js";
