import { createRequire } from "node:module";
import { Command, InvalidArgumentError, Option } from "commander";
import { CommandLineError } from "./command-line-error.js";
import type { DatabaseOptions } from "./database-commands.js";
import { openDemoSource, openSource } from "./open-source.js";
import { run, type ShowOptions } from "./run.js";
import { type AgentOptions, openAgent } from "./served-app.js";

const EXAMPLES = `
Examples:
  agent-inspector                     show ./data, or your Claude Code histories, or the demo
  agent-inspector ./my-agent/data     show the histories that an agent application wrote
  agent-inspector ~/.claude/projects  show the histories of Claude Code
  agent-inspector demo --port 0       show the demo on a free port
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
      "[path]",
      "a data directory, or a projects directory of Claude Code; without it, ./data where it is one, " +
        "else ~/.claude/projects where it is one, else the demo",
    )
    .option("-p, --port <number>", "the port to listen on; 0 picks a free one", parsePort, 4680)
    .option("--host <address>", "the address to listen on; there is no password", "127.0.0.1")
    .option("--no-open", "do not open a browser (it is opened in a terminal only)")
    .option("--database-url <url>", "show the histories in a PostgreSQL database instead")
    .option("--import", "copy the path into the database, and show nothing")
    .addHelpText("after", EXAMPLES)
    .action(showOrImport);
  program
    .command("demo")
    .description("write a sample of histories and show it")
    .action((_: unknown, demo: Command) =>
      run((sourceOptions) => openDemoSource("the demo", sourceOptions), demo.optsWithGlobals<ShowOptions>()),
    );
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
      return run(async () => openAgent(options), options);
    });
  return program;
}

async function showOrImport(path: string | undefined, options: ShowOptions & DatabaseOptions): Promise<void> {
  const { databaseUrl } = options;
  if (options.import) return (await databaseCommands()).importFolder(path, options);
  if (databaseUrl === undefined) return run((sourceOptions) => openSource(path, sourceOptions), options);
  if (path === undefined) {
    const { openDatabase } = await databaseCommands();
    return run(() => openDatabase(databaseUrl), options);
  }
  throw new CommandLineError(
    "Name a folder or a database to show. To copy one into the other, add --import.",
  );
}

/** Loaded only for who asks for a database: most of a start is loading modules. */
function databaseCommands() {
  return import("./database-commands.js");
}

/** An option that is misspelt may come with a secret: `--haeder=Authorization: …`. */
function withoutValue(error: string): string {
  return error.replace(/^(error: unknown option '[^'=]*)=.*'/s, "$1'");
}

/** Only collects them: an error that is thrown here would show what was given. */
function addHeaders(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/\r?\n/).filter((line) => line.trim() !== "")];
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

function ownVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)("agent-inspector/package.json");
  return version;
}
