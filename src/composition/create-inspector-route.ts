import type { Hono } from "hono";
import type { DependencyContainer } from "tsyringe";
import type { DecideAccess } from "../adapters/http/access.js";
import { inspectorRoute, type OnInspectorError } from "../adapters/http/inspector-route.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { createInspectorContainer } from "./container.js";
import { TOKENS } from "./tokens.js";

/** Where the inspector is mounted. It cannot be configured: the user interface's proxy relies on it. */
export const INSPECTOR_PATH = "/__inspector";

export interface InspectorRouteOptions {
  /**
   * Called with every failure that is not the client's, with its cause: responses do not contain it. Default writes it to
   * standard error.
   */
  readonly onError?: OnInspectorError | undefined;
  /**
   * Decides for each request what its caller may see. Default is everything: there is no authentication.
   *
   * @example
   * access: async (c) => {
   *   const user = await userOf(c.req.header("Authorization"));
   *   return user === undefined ? c.text("Who are you?", 401) : { tenants: user.tenants };
   * }
   */
  readonly access?: DecideAccess | undefined;
}

/**
 * The inspector as a Hono app, for an application that does not use `createAgentApp`.
 *
 * @param inspected what is shown, or a container of `createInspectorContainer` in which parts were replaced
 *
 * Without `access` everyone who can reach it can read every history of every tenant: mount it in a private network then, or
 * behind a proxy that authenticates. Middleware that is added to what this returns is never reached and guards nothing.
 *
 * @throws AgentAppConfigurationError where `access` is no function
 *
 * @example
 * const app = new Hono();
 * app.route(INSPECTOR_PATH, createInspectorRoute(createFilesystemInspectorDataSource("./data")));
 */
export function createInspectorRoute(
  inspected: InspectorDataSource | DependencyContainer,
  { onError = writeError, access }: InspectorRouteOptions = {},
): Hono {
  // What only looks like a guard would show everything.
  if (access !== undefined && typeof access !== "function") {
    throw new AgentAppConfigurationError("`access` must be a function. Leave it out to show everything.");
  }
  const container = isContainer(inspected) ? inspected : createInspectorContainer(inspected);
  return inspectorRoute(
    {
      listSessions: container.resolve(TOKENS.listSessions),
      getSessionTrace: container.resolve(TOKENS.getSessionTrace),
      getSessionOrchestration: container.resolve(TOKENS.getSessionOrchestration),
      getSessionMessages: container.resolve(TOKENS.getSessionMessages),
      checkHealth: container.resolve(TOKENS.checkHealth),
    },
    { onError, access },
  );
}

function isContainer(value: InspectorDataSource | DependencyContainer): value is DependencyContainer {
  return "resolve" in value && "register" in value;
}

const writeError: OnInspectorError = (error, { method, path }) => {
  // biome-ignore lint/suspicious/noConsole: the host's log is where a failure belongs, and this is the default to reach it
  console.error(`agent-inspector: ${method} ${path} failed:`, error);
};
