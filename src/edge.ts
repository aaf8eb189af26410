/** `agent-inspector/edge`: the inspector where there are neither threads nor files, such as in Cloudflare's Workers. */
export type { DecideAccess, OnInspectorError } from "./adapters/http/inspector-route.js";
export type { InMemorySession } from "./adapters/memory/memory-state.js";
export type { ModelPrice, ModelPrices } from "./adapters/prices/own-prices.js";
export type { OwnRule } from "./application/ports/export.js";
export type {
  InspectorDataSource,
  SessionPage,
  SessionSearch,
} from "./application/ports/inspector-data-source.js";
export type { SessionStore } from "./application/ports/session-store.js";
export { type RecorderOptions, SessionRecorder } from "./application/recording/session-recorder.js";
export type { InspectorAccess } from "./application/sources/scope.js";
export type { CombineOptions, NamedSource } from "./application/sources/source-part.js";
export { combineDataSources } from "./composition/combine-data-sources.js";
export { type InspectorContainerOptions, TOKENS } from "./composition/container.js";
export { INSPECTOR_PATH, type InspectorRouteOptions } from "./composition/create-inspector-route.js";
export { createInspectorContainer, createInspectorRoute } from "./composition/edge-inspector.js";
export {
  createInMemoryInspectorDataSource,
  type InMemoryInspectorDataSource,
} from "./composition/in-memory-data-source.js";
