import { Hono } from "hono";
import { createRemoteInspectorUi } from "../../adapters/web-ui/agent-proxy.js";
import { createInspectorUi } from "../../adapters/web-ui/inspector-ui.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import { createInspectorContainer, type InspectorContainerOptions, TOKENS } from "../container.js";
import { createInspectorRoute, INSPECTOR_PATH } from "../create-inspector-route.js";
import { CommandLineError } from "./command-line-error.js";

/** An agent application that runs elsewhere, and how to call it. */
export interface OpenedAgent {
  /** The page, on that application's API. */
  readonly app: Hono;
  /** Goes on from "Showing …". */
  readonly description: string;
  /** More lines about it. Default is none. */
  readonly details?: readonly string[] | undefined;
  close(): Promise<void>;
}

/** The options that concern an agent application. */
export interface AgentOptions {
  readonly agentUrl: string;
  /** Each as `Name: value`. */
  readonly header?: readonly string[] | undefined;
}

/** @throws CommandLineError for an address or a header that is none */
export function openAgent({ agentUrl, header = [] }: AgentOptions): OpenedAgent {
  try {
    const headers = Object.fromEntries(header.map(splitHeader));
    const app = createRemoteInspectorUi(agentUrl, { headers });
    return {
      app,
      description: `the agent application at ${withoutCredentials(agentUrl)}`,
      close: async () => undefined,
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandLineError(error.message, { cause: error });
  }
}

/** A line without a colon is a header without a value, which is refused where the headers are checked. */
function splitHeader(line: string): [name: string, value: string] {
  const [name = "", ...value] = line.split(":");
  return [name, value.join(":")];
}

function withoutCredentials(agentUrl: string): string {
  const { origin, pathname } = new URL(agentUrl);
  return origin + pathname;
}

/** The API of a source, and the page that shows it. */
export function apiWithUi(
  source: InspectorDataSource,
  options: Pick<InspectorContainerOptions, "pool" | "prices">,
): Hono {
  const app = new Hono();
  const container = createInspectorContainer(source, options);
  // While files are read: the first list would wait for them.
  container.resolve(TOKENS.callPricing).prepare();
  app.route(INSPECTOR_PATH, createInspectorRoute(container));
  app.route("/", createInspectorUi({ apiUrl: INSPECTOR_PATH }));
  return app;
}
