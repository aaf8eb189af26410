import { Hono } from "hono";
import { createRemoteInspectorUi } from "../../adapters/web-ui/agent-proxy.js";
import { createInspectorUi } from "../../adapters/web-ui/inspector-ui.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import { createInspectorContainer } from "../container.js";
import { createInspectorRoute, INSPECTOR_PATH } from "../create-inspector-route.js";
import { CommandLineError } from "./command-line-error.js";

/** An agent application that runs elsewhere, and how to call it. */
export interface OpenedAgent {
  /** The page, on that application's API. */
  readonly app: Hono;
  /** Goes on from "Showing …". */
  readonly description: string;
  close(): Promise<void>;
}

/** @throws CommandLineError for an address that is none */
export function openAgent(agentUrl: string): OpenedAgent {
  try {
    const app = createRemoteInspectorUi(agentUrl);
    return { app, description: `the agent application at ${agentUrl}`, close: async () => undefined };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandLineError(error.message, { cause: error });
  }
}

/** The API of a source, and the page that shows it. */
export function apiWithUi(source: InspectorDataSource, pool: ReadingPool): Hono {
  const app = new Hono();
  app.route(INSPECTOR_PATH, createInspectorRoute(createInspectorContainer(source, { pool })));
  app.route("/", createInspectorUi({ apiUrl: INSPECTOR_PATH }));
  return app;
}
