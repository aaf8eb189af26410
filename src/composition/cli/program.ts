import { createRequire } from "node:module";
import { Command, InvalidArgumentError, Option } from "commander";
import { MAX_LIMIT } from "../../application/window.js";
import { CONTENT_KINDS, type ContentKind } from "../../domain/search-query.js";
import { cacheDir, printCache, removeCache, spansDir } from "./cache-commands.js";
import type { CollectOptions } from "./collect.js";
import { CommandLineError } from "./command-line-error.js";
import type { CompareOptions } from "./compare-command.js";
import type { DatabaseOptions } from "./database-commands.js";
import { knownSources, namesOf } from "./known-sources.js";
import type { ListOptions } from "./list-command.js";
import type { McpOptions } from "./mcp-command.js";
import type { OpenedSource, OpenSourceOptions, SourceOptions } from "./open-source.js";
import type { OpenServed, ShowOptions } from "./run.js";
import type { SearchOptions } from "./search-command.js";
import type { AgentOptions } from "./served-app.js";
import type { SummaryOptions } from "./summary-command.js";

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

const COLLECT_HELP = `
An agent that is instrumented with OpenTelemetry sends its spans where these variables say:
  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318
  OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
  OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none      spans are all that is received

Examples:
  agent-inspector collect
  agent-inspector collect --data ./spans --port 0 --ui-port 0
  agent-inspector ./spans             show them again`;

const SEARCH_EXAMPLES = `
A text is found in any case, unless it has a capital. '"text"' is found exactly; 're:…' is a regular expression of RE2's syntax.

Exit code: 0 where something was found, 1 where nothing was, 2 for an error.

Examples:
  agent-inspector search "shadow branch"                  in every history that is found here
  agent-inspector search ECONNREFUSED ./data --in error,output
  agent-inspector search 're:router\\.(ex|ts)' ~/.claude/projects --json
  agent-inspector search timeout ./data --tenant acme --session s1 --limit 20`;

const LIST_EXAMPLES = `
Examples:
  agent-inspector list                                    the newest 20 of all that are found here
  agent-inspector list ~/.claude/projects --limit 100
  agent-inspector list ./data --tenant acme --json | jq '.sessions[] | select(.errors > 0) | .sessionId'`;

const SUMMARY_EXAMPLES = `
A session is named by its id, by the beginning of its id, or by either behind its tenant: acme/s1. "agent-inspector list" prints them.

Examples:
  agent-inspector summary 3f2a                            of all that are found here
  agent-inspector summary acme/s1 ./data
  agent-inspector summary s1 ./data --json | jq '.context.items[0]'`;

const COMPARE_EXAMPLES = `
A session is named by its id, by the beginning of its id, or by either behind its tenant: acme/s1. "agent-inspector list" prints them.
What the main agents' conversations say is compared; ids, instants and the shapes of vendors do not count.

Examples:
  agent-inspector compare 3f2a 91c0                       of all that are found here
  agent-inspector compare acme/s1 acme/s2 ./data
  agent-inspector compare s1 s2 ./data --json | jq .difference`;

const MCP_EXAMPLES = `
It is started by the program that uses it, and ends with it. It only reads. What it answers goes to the program that asked.

Examples:
  claude mcp add agent-inspector -- npx -y agent-inspector mcp
  codex mcp add agent-inspector -- npx -y agent-inspector mcp
  agent-inspector mcp ./data --source data                what such a program may start instead`;

const SHARED_WITH_COLLECT = ["--host", "--no-open", "--prices", "--no-prices"];

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
        async (sourceOptions) => (await sourceCommands()).openDemoSource("the demo", sourceOptions),
        demo.optsWithGlobals<ShowOptions>(),
      ),
    );
  addSearch(program);
  addList(program);
  addSummary(program);
  addCompare(program);
  addMcp(program);
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

function addSearch(program: Command): void {
  program
    .command("search")
    .description("find a text in what agents said, thought and did")
    .argument("<query>", "what to look for")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print a line of JSON for each hit")
    .option(
      "--in <kinds>",
      `which texts: some of ${CONTENT_KINDS.join(",")} (default: all but other)`,
      parseKinds,
    )
    .option("--tenant <id>", "only the sessions of this tenant")
    .option("--session <id>", "only this session, of the tenant (default: default)")
    .option("--limit <number>", "end after so many hits", parseHits)
    .addHelpText("after", SEARCH_EXAMPLES)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(async (query: string, paths: string[], _: unknown, search: Command) => {
      const options = search.optsWithGlobals<SearchOptions & DatabaseOptions & SourceOptions>();
      const { searchHistories } = await import("./search-command.js");
      await searchHistories(query, (sourceOptions) => openNamed(paths, options, sourceOptions), options);
    });
}

function addList(program: Command): void {
  program
    .command("list")
    .description("print the sessions, newest first")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print one JSON document, with every session")
    .option("--tenant <id>", "only the sessions of this tenant")
    .option("--limit <number>", "print at most so many, up to 1000 (default: 20, with --json all)", parsePage)
    .addHelpText("after", LIST_EXAMPLES)
    .action(async (paths: string[], _: unknown, list: Command) => {
      const options = list.optsWithGlobals<ListOptions & DatabaseOptions & SourceOptions>();
      const { listHistories } = await import("./list-command.js");
      await listHistories((sourceOptions) => openNamed(paths, options, sourceOptions), options);
    });
}

function addSummary(program: Command): void {
  program
    .command("summary")
    .description("print what a session's tokens, money and time went into")
    .argument("<session>", "a session")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print the answer of the HTTP API's /sessions/{id}/summary")
    .addHelpText("after", SUMMARY_EXAMPLES)
    .action(async (session: string, paths: string[], _: unknown, summary: Command) => {
      const options = summary.optsWithGlobals<SummaryOptions & DatabaseOptions & SourceOptions>();
      const { summarizeHistory } = await import("./summary-command.js");
      await summarizeHistory(session, (sourceOptions) => openNamed(paths, options, sourceOptions), options);
    });
}

function addCompare(program: Command): void {
  program
    .command("compare")
    .description("print two sessions side by side, and where they part")
    .argument("<a>", "a session")
    .argument("<b>", "another one")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print the answer of the HTTP API's /compare")
    .addHelpText("after", COMPARE_EXAMPLES)
    .action(async (a: string, b: string, paths: string[], _: unknown, compare: Command) => {
      const options = compare.optsWithGlobals<CompareOptions & DatabaseOptions & SourceOptions>();
      const { compareHistories } = await import("./compare-command.js");
      await compareHistories([a, b], (sourceOptions) => openNamed(paths, options, sourceOptions), options);
    });
}

function addMcp(program: Command): void {
  program
    .command("mcp")
    .description("let coding agents read the histories: an MCP server on standard input and output")
    .argument("[path...]", "the folders, as without a command")
    .addHelpText("after", MCP_EXAMPLES)
    .action(async (paths: string[], _: unknown, mcp: Command) => {
      const options = mcp.optsWithGlobals<McpOptions & DatabaseOptions & SourceOptions>();
      const { serveHistories } = await import("./mcp-command.js");
      await serveHistories((sourceOptions) => openNamed(paths, options, sourceOptions), {
        ...options,
        version: ownVersion(),
      });
    });
}

function addCollect(program: Command): void {
  program
    .command("collect")
    .description("receive spans by OTLP/HTTP, keep them in a folder, and show them while they come")
    .option("--data <folder>", "where they are kept, beside those of before", spansDir())
    .option("-p, --port <number>", "the port to receive them on; 0 picks a free one", parsePort, 4318)
    .option("--ui-port <number>", "the port of the page; 0 picks a free one", parsePort, 4680)
    // The program has an option of that name, too, which means another port.
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () =>
        program.options.filter(({ long }) => SHARED_WITH_COLLECT.includes(long ?? "")),
    })
    .addHelpText("after", COLLECT_HELP)
    .action(async (_: unknown, collect: Command) => {
      const options = collect.optsWithGlobals<CollectOptions>();
      const isSaid = program.getOptionValueSource("port") !== "default";
      const { port } = isSaid ? options : collect.opts<CollectOptions>();
      const { collectSpans } = await import("./collect.js");
      await collectSpans({ ...options, port });
    });
}

async function showOrImport(
  paths: string[],
  options: ShowOptions & DatabaseOptions & SourceOptions,
): Promise<void> {
  if (options.import) return (await databaseCommands()).importFolder(paths, options);
  return run((sourceOptions) => openNamed(paths, options, sourceOptions), options);
}

/** The folders or the database that was named. */
async function openNamed(
  paths: readonly string[],
  { databaseUrl, source }: DatabaseOptions & SourceOptions,
  options: OpenSourceOptions,
): Promise<OpenedSource> {
  if (databaseUrl === undefined) return (await sourceCommands()).openSources(paths, { source }, options);
  if (paths.length === 0) return (await databaseCommands()).openDatabase(databaseUrl);
  throw new CommandLineError(
    "Name a folder or a database to show. To copy one into the other, add --import.",
  );
}

// Most of a start is loading modules: threads begin first, and what is not asked for is not loaded.

async function run(open: OpenServed, options: ShowOptions): Promise<void> {
  const { run } = await import("./run.js");
  return run(open, options);
}

function sourceCommands() {
  return import("./open-source.js");
}

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

function parseKinds(text: string): ContentKind[] {
  return text.split(",").map((name) => {
    const kind = CONTENT_KINDS.find((known) => known === name);
    if (kind === undefined) throw new InvalidArgumentError(`Kinds are ${CONTENT_KINDS.join(", ")}.`);
    return kind;
  });
}

function parsePage(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new InvalidArgumentError(`A limit is a number from 1 to ${MAX_LIMIT}.`);
  }
  return limit;
}

function parseHits(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new InvalidArgumentError("A limit is a number from 1 up.");
  return limit;
}

function ownVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)("agent-inspector/package.json");
  return version;
}
