import type { Hono } from "hono";
import type { DependencyContainer } from "tsyringe";
import { type InspectorRouteSettings, inspectorRoute } from "../adapters/http/inspector-route.js";
import { MODEL_PRICES, type ModelPrices } from "../adapters/prices/own-prices.js";
import { REDACTION_RULES } from "../adapters/redaction/own-rules.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import type { OwnRule } from "../application/ports/export.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { checkOptions, type OptionsOf, type OptionTable } from "../domain/options/check-options.js";
import { FUNCTION, MAX_TIMEOUT_MS, numberOf } from "../domain/options/option-kinds.js";
import { type InspectorContainerOptions, useCasesOf } from "./container.js";
import { reporterOf, writeError } from "./report-errors.js";

/** Not configurable, because the proxy of the user interface relies on it. */
export const INSPECTOR_PATH = "/__inspector";

export interface InspectorRouteOptions extends OptionsOf<InspectorRouteSettings> {
  /**
   * Override the bundled prices; `false` disables prices. Default is the bundled prices. A container gets its prices when it is created.
   * @example
   * prices: { "my-model": { input: 0.5, output: 2 } } // US dollars per million tokens
   */
  readonly prices?: ModelPrices | false | undefined;
  /**
   * Rules for text to remove from exports, besides secrets and personal data, in RE2's syntax. None by default. A container gets its
   * rules when it is created.
   * @example
   * redactionRules: [{ name: "customer id", pattern: "C-[0-9]{6}" }]
   */
  readonly redactionRules?: readonly OwnRule[] | undefined;
}

export const INSPECTOR_ROUTE_OPTIONS = {
  onError: FUNCTION,
  timeoutMs: numberOf(
    `a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, or Infinity for no limit`,
    (value) => value >= 1 && (value <= MAX_TIMEOUT_MS || value === Number.POSITIVE_INFINITY),
  ),
  access: FUNCTION,
  prices: MODEL_PRICES,
  redactionRules: REDACTION_RULES,
} satisfies OptionTable<InspectorRouteOptions>;

type CreateContainer = (
  source: InspectorDataSource,
  options: InspectorContainerOptions,
) => DependencyContainer;

export function routeFrom(
  source: InspectorDataSource | DependencyContainer,
  options: InspectorRouteOptions,
  createContainer: CreateContainer,
): Hono {
  // An ineffective guard would expose every session.
  const settings = checkOptions(INSPECTOR_ROUTE_OPTIONS, options, AgentAppConfigurationError);
  return routeOf(containerOf(source, settings, createContainer), settings);
}

export function containerOf(
  source: InspectorDataSource | DependencyContainer,
  { prices, redactionRules }: Pick<InspectorRouteOptions, "prices" | "redactionRules">,
  createContainer: CreateContainer,
): DependencyContainer {
  if (!isContainer(source)) return createContainer(source, { prices, redactionRules });
  const [misplaced] =
    Object.entries({ prices, redactionRules }).find(([, value]) => value !== undefined) ?? [];
  if (misplaced === undefined) return source;
  throw new AgentAppConfigurationError(
    `\`${misplaced}\` belongs into the options of \`createInspectorContainer\`.`,
  );
}

export function routeOf(
  container: DependencyContainer,
  { onError = writeError, access, timeoutMs = 60_000 }: InspectorRouteOptions,
): Hono {
  return inspectorRoute(useCasesOf(container), { onError: reporterOf(onError), timeoutMs, access });
}

export function isContainer(value: unknown): value is DependencyContainer {
  const candidate = Object(value);
  return "resolve" in candidate && "register" in candidate;
}
