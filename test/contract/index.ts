/** `agent-inspector/testing`: for people who write a data source or a store of their own. */
export { type ContractOptions, describeInspectorDataSource } from "./describe-inspector-data-source.js";
export { type ContractStore, describeSessionStore } from "./describe-session-store.js";
export type { ContractSession, ContractTurn } from "./fixture.js";
export type { ContractList, ContractPart, ContractSource, CreateContractSource } from "./suite.js";
