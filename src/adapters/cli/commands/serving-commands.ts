import { Option } from "commander";
import { spansDir } from "../opening/cache.js";
import type { ToolsOptions } from "../opening/histories.js";
import type { CommandContext } from "../opening/parts.js";
import { CommandLineError } from "../text/terminal.js";
import type { CollectOptions } from "./collect.js";
import type { InspectorCommand } from "./inspector-command.js";
import type { McpSetupOptions } from "./mcp-setup.js";
import { MCP_CLIENTS } from "./mcp-setup-places.js";
import { addOptions, PATHS, PRICING, portNumber, READING, SERVING } from "./options.js";
import type { AgentOptions, ShowOptions } from "./show.js";

export function addDemo(program: InspectorCommand, context: CommandContext): void {
  const demo = program
    .command("demo")
    .summary("serve sample histories")
    .explain({
      answers: "Serves the page with sample histories. They are removed at the end.",
      examples: `
        agent-inspector demo
        agent-inspector demo --port 0 --no-open`,
    })
    .action(async (options: ShowOptions) => (await import("./show.js")).showDemo(context, options));
  addOptions(demo, "port", ...SERVING, ...PRICING, "rules");
}

export function addUi(program: InspectorCommand, context: CommandContext): void {
  const ui = program
    .command("ui")
    .summary("serve the page for an agent application that runs elsewhere")
    .requiredOption("--agent-url <url>", "base URL of the application that mounts /__inspector")
    .addOption(
      new Option("--header <header>", 'header to send to it, as "Name: value"; repeat it for more')
        .env("AGENT_INSPECTOR_HEADER")
        .argParser(addHeaders),
    )
    .explain({
      answers: "Serves the page for an agent application that runs elsewhere.",
      examples: `
        agent-inspector ui --agent-url http://localhost:3000
        agent-inspector ui --agent-url https://agent.example --header "Authorization: Bearer TOKEN"`,
      notes: `
The environment variable holds a header in each line. Other users of the machine cannot read it. Credentials in the URL are sent to the application, and never printed.`,
    })
    .action(async (options: AgentOptions) => (await import("./show.js")).showAgent(context, options));
  addOptions(ui, "port", ...SERVING);
}

export function addMcp(program: InspectorCommand, context: CommandContext, version: string): void {
  const mcp = program
    .command("mcp")
    .summary("serve the histories to coding agents, by MCP")
    .argument("[path...]", PATHS)
    .option("--metadata-only", "answer without texts of histories: only figures, and numbers for names")
    .addOption(
      new Option("--setup <tool>", "write the server into the settings of a tool, and end").choices(
        MCP_CLIENTS,
      ),
    )
    .addOption(
      new Option("--scope <scope>", "with --setup: for the user, or for the project in this folder")
        .choices(["user", "project"])
        .default("user"),
    )
    .option("--undo", "with --setup: remove it again")
    .option("--yes", "with --setup: write without a question")
    .explain({
      answers: "Serves the histories to coding agents: an MCP server on standard input and output.",
      examples: `
        agent-inspector mcp --setup claude-code
        agent-inspector mcp --setup codex --undo
        agent-inspector mcp ./data --source data --metadata-only`,
      notes: `
The program that uses the server starts and ends it. The server only reads. Its answers go to that program. --setup prints the change, and asks before it writes. The entry gets the folders and the options that are named with it.`,
    })
    .action(
      async (
        paths: string[],
        options: ToolsOptions & Partial<McpSetupOptions>,
        command: InspectorCommand,
      ) => {
        const { setup, scope = "user" } = options;
        if (setup !== undefined)
          return (await import("./mcp-setup.js")).setUpMcp(context, paths, { ...options, setup, scope });
        for (const name of ["undo", "yes", "scope"] as const) {
          if (command.getOptionValueSource(name) === "cli")
            throw new CommandLineError(`--${name} goes with --setup TOOL.`);
        }
        return (await import("../opening/histories.js")).serveTools(context, version, paths, options);
      },
    );
  addOptions(mcp, ...READING, ...PRICING);
}

export function addCollect(program: InspectorCommand, context: CommandContext): void {
  const collect = program
    .command("collect")
    .summary("receive spans of agents by OTLP/HTTP, and show them")
    .option("--data <folder>", "folder to add the spans to", spansDir())
    .option("-p, --port <number>", "port to receive spans on; 0 picks a free one", portNumber, 4318)
    .option("--ui-port <number>", "port of the page; 0 picks a free one", portNumber, 4680)
    .explain({
      answers: "Receives spans of agents in any language by OTLP/HTTP, stores them and shows them.",
      examples: `
        agent-inspector collect
        agent-inspector collect --data ./spans --port 0 --ui-port 0
        agent-inspector ./spans`,
      notes: `
An agent that is instrumented with OpenTelemetry sends its spans with these variables:
  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318
  OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
  OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none      only spans are received`,
    })
    .action(async (options: CollectOptions) => (await import("./collect.js")).collectSpans(context, options));
  addOptions(collect, ...SERVING, ...PRICING, "rules");
}

/** Does not validate: an error that is thrown here would print the headers. */
function addHeaders(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/\r?\n/).filter((line) => line.trim() !== "")];
}
