/** `agent-inspector/testing`: for people who write a data source of their own. */
export {
  type ContractOptions,
  type ContractPart,
  type CreateContractSource,
  describeInspectorDataSource,
} from "./describe-inspector-data-source.js";
export type { ContractSession, ContractTurn } from "./fixture.js";
