import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { PROJECT_ROOT } from "./build.js";
import { installed, runs } from "./installed.js";
import { linkPackages, writeSnippets } from "./snippets.js";

interface FrameworkRun {
  readonly packages: readonly string[];
  /** Files in `docs/frameworks.md`; beside them lies `recorder.mjs`. */
  readonly snippets: readonly string[];
  /** A module of `test/support/agents` with {@link twoTurns}. */
  readonly agents: string;
  /** Files that a reader already has and the snippets import. */
  readonly own?: Readonly<Record<string, string>>;
  /** Runs after the snippets are in place, and names the session's owner by the framework's own means. */
  readonly driver: string;
}

const SUPPORT = path.join(PROJECT_ROOT, "test/support");

export const FRAMEWORK_RUNS = {
  "ai-sdk-7": {
    packages: ["ai=ai-7"],
    snippets: ["ai-sdk-7.mjs"],
    agents: "ai-sdk-7",
    driver: `
      import "./ai-sdk-7.mjs";
      const includeRuntimeContext = { tenantId: true, sessionId: true, userId: true };
      await twoTurns({ runtimeContext: identity, telemetry: { includeRuntimeContext } });`,
  },
  identify: {
    packages: ["ai=ai-7"],
    snippets: ["identify.mjs"],
    agents: "ai-sdk-7",
    driver: `
      import { requestContext } from "./identify.mjs";
      await requestContext.run(identity, () => twoTurns());`,
  },
  "openai-agents": {
    packages: ["@openai/agents"],
    snippets: ["openai-agents.mjs"],
    agents: "openai-agents",
    driver: `
      import { withTrace } from "@openai/agents";
      import "./openai-agents.mjs";
      await withTrace("talk", () => twoTurns("chat"), { groupId: identity.sessionId, metadata: identity });`,
  },
  langgraph: {
    packages: ["@langchain/core"],
    snippets: ["langgraph.mjs"],
    agents: "langgraph",
    own: { "graph.mjs": `export { graph } from ${agentsModule("langgraph")};` },
    driver: `
      import { config } from "./langgraph.mjs";
      await twoTurns({ ...config, metadata: identity });`,
  },
  mastra: {
    packages: [],
    snippets: ["mastra.mjs"],
    agents: "mastra",
    own: {
      "helper.mjs": `
        import { Agent } from "@mastra/core/agent";
        import { createTool } from "@mastra/core/tools";
        import { agentOf } from ${agentsModule("mastra")};
        export const helper = agentOf({ Agent, createTool });`,
    },
    driver: `
      import { mastra } from "./mastra.mjs";
      await twoTurns(mastra.getAgent("helper"), { tracingOptions: { metadata: identity } });`,
  },
  "ai-sdk-6": {
    packages: ["ai", "@opentelemetry/sdk-trace-node"],
    snippets: ["opentelemetry.mjs", "ai-sdk-6.mjs"],
    agents: "ai-sdk-6",
    own: { "model.mjs": `export { subModel as model } from ${agentsModule("ai-sdk-6")};` },
    driver: `
      import "./ai-sdk-6.mjs";
      import { provider } from "./opentelemetry.mjs";
      await twoTurns({ isEnabled: true, metadata: identity });
      await provider.shutdown();`,
  },
} satisfies Readonly<Record<string, FrameworkRun>>;

function agentsModule(name: string): string {
  return JSON.stringify(path.join(SUPPORT, "agents", `${name}.ts`));
}

/** Mastra needs a later Node.js than this project, and is too large for its dependencies. */
const LATER_NODE = `node-${process.platform}-${process.arch}`;
const MASTRA = [`${LATER_NODE}@22.23.3`, "@mastra/core@1.71.0", "@mastra/observability@1.17.9"];

/**
 * Records the scenario into `data` of an empty folder, in a new process.
 * @returns the reason if it cannot run here
 */
export async function runFramework(
  name: keyof typeof FRAMEWORK_RUNS,
  folder: string,
): Promise<string | undefined> {
  const run: FrameworkRun = FRAMEWORK_RUNS[name];
  let node = process.execPath;
  if (name === "mastra") {
    const modules = await installed(folder, MASTRA);
    node = path.join(modules, LATER_NODE, "bin/node");
    if (!runs(node) || !existsSync(path.join(modules, "@mastra/core"))) {
      return `npm could not install ${MASTRA.join(", ")} here`;
    }
  }
  const document = await readFile(path.join(PROJECT_ROOT, "docs/frameworks.md"), "utf8");
  await linkPackages(folder, run.packages);
  await writeSnippets(folder, document, ["recorder.mjs", ...run.snippets]);
  const driver = `
    import { recorder } from "./recorder.mjs";
    import { SCENARIO } from ${JSON.stringify(path.join(SUPPORT, "framework-scenario.ts"))};
    import { twoTurns } from ${agentsModule(run.agents)};
    const { identity } = SCENARIO;
    ${run.driver}
    await recorder.close();`;
  for (const [file, text] of Object.entries({ ...run.own, "run.mjs": driver })) {
    await writeFile(path.join(folder, file), text);
  }
  // The Agents SDK traces nothing in tests, and sends traces to OpenAI where there is a key.
  const env = {
    ...process.env,
    NODE_ENV: "",
    NODE_OPTIONS: "",
    OPENAI_API_KEY: "",
    MASTRA_TELEMETRY_DISABLED: "1",
  };
  const args = ["--import", path.join(PROJECT_ROOT, "node_modules/tsx/dist/esm/index.mjs"), "run.mjs"];
  await promisify(execFile)(node, args, { cwd: folder, env });
  return undefined;
}
