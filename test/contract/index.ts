/** `agent-inspector/testing`: for authors of a format, a data source or a store. */
export {
  describeHistoryFormat,
  type FormatContractOptions,
  type FormatPart,
  type HistoryExample,
} from "./describe-history-format.js";
export { type ContractOptions, describeInspectorDataSource } from "./describe-inspector-data-source.js";
export { type ContractStore, describeSessionStore } from "./describe-session-store.js";
export type { ContractSession, ContractTurn } from "./fixture.js";
export type { ContractList, ContractPart, ContractSource, CreateContractSource } from "./suite.js";
