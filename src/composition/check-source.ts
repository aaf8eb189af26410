import { AgentAppConfigurationError } from "../application/errors.js";

const REQUIRED_METHODS = [
  "listSessions",
  "loadTraceEnvelopes",
  "loadOrchestrationEvents",
  "loadOrchestrationState",
  "loadMessages",
] as const;

/**
 * What is wrong with a value that should be a data source; `undefined` for one that is.
 *
 * @param name of the option or parameter
 */
export function sourceProblem(name: string, value: unknown): string | undefined {
  const methods = Object(value) as Readonly<Record<string, unknown>>;
  const missing = REQUIRED_METHODS.filter((method) => typeof methods[method] !== "function");
  if (missing.length === 0) return undefined;
  return `\`${name}\` is no InspectorDataSource: it has no ${missing.join(", no ")}`;
}

/** @throws AgentAppConfigurationError where that is no data source */
export function checkSource(name: string, value: unknown): void {
  const problem = sourceProblem(name, value);
  if (problem !== undefined) throw new AgentAppConfigurationError(`${problem}.`);
}
