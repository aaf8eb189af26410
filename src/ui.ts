export { createRemoteInspectorUi, type RemoteInspectorUiOptions } from "./adapters/web-ui/agent-proxy.js";
export { createInspectorUi, type InspectorUiOptions } from "./adapters/web-ui/inspector-ui.js";
export type { InspectorUiView } from "./adapters/web-ui/inspector-ui-view.js";
