import { Command, Option } from "commander";
import { cacheDir, printCache, removeCache } from "./cache-commands.js";
import { addCollect } from "./collect-command.js";
import type { DatabaseOptions } from "./database-commands.js";
import { knownSources, namesOf } from "./known-sources.js";
import { type NamedOptions, openNamed } from "./open-named.js";
import { addHeaders, parsePort } from "./option-values.js";
import { ownVersion } from "./own-version.js";
import { addReadingCommands } from "./reading-commands.js";
import type { OpenServed, ShowOptions } from "./run.js";
import type { AgentOptions } from "./served-app.js";

const EXAMPLES = `
Examples:
  agent-inspector                     show every history that is found here, or the demo
  agent-inspector ./my-agent/data     show the histories that an agent application wrote
  agent-inspector ~/.claude/projects  show the histories of Claude Code
  agent-inspector ./traces.jsonl      show the traces of OpenTelemetry in a file, or a folder
  agent-inspector ./a/data ./b/data   show several in one list
  agent-inspector demo --port 0       show the demo on a free port
  agent-inspector search "shadow branch"                  find a text in the histories
  agent-inspector list --json         print the sessions, for scripts
  agent-inspector summary 3f2a        what a session's tokens, money and time went into
  agent-inspector compare 3f2a acme/s1                    two sessions side by side, and where they part
  agent-inspector mcp                 let coding agents read the histories, as an MCP server
  agent-inspector collect             receive spans of agents in any language by OTLP, and show them
  agent-inspector migrate --database-url URL              make or update the tables in a PostgreSQL database
  agent-inspector --database-url URL                      show the histories in it
  agent-inspector ./data --database-url URL --import      copy a folder into it
  agent-inspector ui --agent-url http://localhost:3000    show an agent application that runs elsewhere
  agent-inspector ui --agent-url URL --header "Authorization: Bearer …"
  curl http://127.0.0.1:4680/__inspector/sessions`;

/** The command line: what can be asked for, and what is then run. */
export function commandLine(): Command {
  const program = new Command("agent-inspector")
    .description("See what an AI agent did: serves the sessions, traces and messages of a folder, read-only.")
    .version(ownVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(withoutValue(text)) })
    .argument(
      "[path...]",
      `folders: ${knownSources()
        .map(({ kind }) => `a ${kind}`)
        .join(", ")}; without any, all that are found at their usual places`,
    )
    .option("--source <name>", `the kind of the folders, where it cannot be told: ${namesOf(knownSources())}`)
    .option("-p, --port <number>", "the port to listen on; 0 picks a free one", parsePort, 4680)
    .option("--host <address>", "the address to listen on; there is no password", "127.0.0.1")
    .option("--no-open", "do not open a browser (it is opened in a terminal only)")
    .option("--no-cache", "read every file anew, and keep nothing for the next start")
    .option("--prices <file>", "what models cost, as JSON, above the prices that are bundled")
    .option("--no-prices", "price nothing")
    .option("--database-url <url>", "show the histories in a PostgreSQL database instead")
    .option("--import", "copy the path into the database, and show nothing")
    .addHelpText("after", EXAMPLES)
    .addHelpText("after", () => `\nWhat was read is kept for the next start in ${cacheDir()}`)
    .action(showOrImport);
  program
    .command("demo")
    .description("write a sample of histories and show it")
    .action((_: unknown, demo: Command) =>
      run(
        async (sourceOptions) => (await import("./open-source.js")).openDemoSource("the demo", sourceOptions),
        demo.optsWithGlobals<ShowOptions>(),
      ),
    );
  addReadingCommands(program);
  addCollect(program);
  const cache = program
    .command("cache")
    .description("print where what was read is kept for the next start, and how large it is")
    .action(printCache);
  cache.command("clear").description("remove it").action(removeCache);
  program
    .command("migrate")
    .description("make the tables in a PostgreSQL database, or bring them up to date")
    .option(
      "--search-index",
      "also make an index for searching texts, where the server has pg_trgm; writing becomes several times as expensive",
    )
    .action(async (_: unknown, migrate: Command) => {
      const { migrateDatabase } = await databaseCommands();
      await migrateDatabase(migrate.optsWithGlobals<DatabaseOptions>());
    });
  program
    .command("ui")
    .description("show the page alone, on the API of an agent application that runs elsewhere")
    .requiredOption(
      "--agent-url <url>",
      "the base URL of the application that mounts /__inspector; credentials in it are used, and never shown",
    )
    .addOption(
      new Option("--header <header>", 'a header to send to it, as "Name: value"; may be given again')
        .env("AGENT_INSPECTOR_HEADER")
        .argParser(addHeaders),
    )
    .addHelpText(
      "after",
      "\nThe environment variable is not seen by other users of the machine. It holds a header a line.",
    )
    .action((_: unknown, ui: Command) => {
      const options = ui.optsWithGlobals<ShowOptions & AgentOptions>();
      return run(async () => (await import("./served-app.js")).openAgent(options), options);
    });
  return program;
}

async function showOrImport(paths: string[], options: ShowOptions & NamedOptions): Promise<void> {
  if (options.import) return (await databaseCommands()).importFolder(paths, options);
  return run((sourceOptions) => openNamed(paths, options, sourceOptions), options);
}

// Most of a start is loading modules: threads begin first, and what is not asked for is not loaded.

async function run(open: OpenServed, options: ShowOptions): Promise<void> {
  const { run } = await import("./run.js");
  return run(open, options);
}

function databaseCommands() {
  return import("./database-commands.js");
}

/** An option that is misspelt may come with a secret: `--haeder=Authorization: …`. */
function withoutValue(error: string): string {
  return error.replace(/^(error: unknown option '[^'=]*)=.*'/s, "$1'");
}
