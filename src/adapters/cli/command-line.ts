import { createRequire } from "node:module";
import { Command, CommanderError, Option } from "commander";
import { visibleLines, visibleText } from "../../domain/text/visible-text.js";
import { cacheDir, printCache, removeCache, spansDir } from "./cache.js";
import type { CollectOptions } from "./collect.js";
import { addExport } from "./export-command.js";
import type { CommandContext, CommandLineParts, KnownSource } from "./parts.js";
import { addReadingCommands, numberIn } from "./reading-commands.js";
import type { ShowOptions } from "./show.js";
import { CommandLineError, type Ending, type Output, type Terminal } from "./terminal.js";
import { inColumns } from "./text.js";

/**
 * Runs a command to its end.
 *
 * @param args what was typed behind the command's name
 * @throws what nobody expected, with its stack
 *
 * @example
 * const ending = await runCommandLine(process.argv.slice(2), COMMAND_LINE_PARTS, process);
 */
export async function runCommandLine(
  args: readonly string[],
  parts: CommandLineParts,
  terminal: Terminal,
): Promise<Ending> {
  let ending: Ending = 0;
  const end = (other: Ending) => {
    ending = other;
  };
  try {
    await commandLine({ parts, terminal, end }).parseAsync(args, { from: "user" });
    return ending;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CommandLineError)) throw error;
    terminal.stderr.write(`error: ${visibleLines(error.message)}\n`);
    return error.exitCode;
  }
}

const { version: VERSION }: { version: string } = createRequire(import.meta.url)(
  "agent-inspector/package.json",
);

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
  agent-inspector usage --by model    what sessions did and cost together
  agent-inspector sources             where they come from, and what will be deleted
  agent-inspector summary 3f2a        what a session's tokens, money and time went into
  agent-inspector compare 3f2a acme/s1                    two sessions side by side, and where they part
  agent-inspector export 3f2a -o session.html --redact strict         a session as one file to hand on
  agent-inspector session.html        open it again
  agent-inspector mcp                 let coding agents read the histories, as an MCP server
  agent-inspector keep --to ~/kept    copy the histories, before their tools delete them
  agent-inspector collect             receive spans of agents in any language by OTLP, and show them
  agent-inspector migrate --database-url URL              make or update the tables in a PostgreSQL database
  agent-inspector --database-url URL                      show the histories in it
  agent-inspector ./data --database-url URL --import      copy a folder into it
  agent-inspector ~/.claude/projects --database-url URL --import --watch    and go on as it grows
  agent-inspector ui --agent-url http://localhost:3000    show an agent application that runs elsewhere
  agent-inspector ui --agent-url URL --header "Authorization: Bearer …"
  curl http://127.0.0.1:4680/__inspector/sessions`;

/** What can be asked for, and what is then run. What is not asked for is not loaded. */
function commandLine(context: CommandContext): Command {
  const { parts, terminal } = context;
  const known = parts.sources();
  const program = new Command("agent-inspector")
    .description("See what an AI agent did: serves the sessions, traces and messages of a folder, read-only.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeLast(terminal.stdout, text),
      writeErr: (text) => writeLast(terminal.stderr, text),
      outputError: (text, write) => write(visibleLines(withoutValue(text))),
    })
    .argument(
      "[path...]",
      "folders or files of histories, or a folder that holds some; without any, all that are found at their usual places",
    )
    .option("--source <name>", "the kind of the folders, where it cannot be told: a name of the list below")
    .option("-p, --port <number>", "the port to listen on; 0 picks a free one", parsePort, 4680)
    .option("--host <address>", "the address to listen on; there is no password", "127.0.0.1")
    .option("--no-open", "do not open a browser (it is opened in a terminal only)")
    .option("--no-cache", "read every file anew, and keep nothing for the next start")
    .option("--prices <file>", "what models cost, as JSON, above the prices that are bundled")
    .option("--no-prices", "price nothing")
    .option(
      "--rules <file>",
      "what is removed from exported sessions, as JSON, before what is known to be secret",
    )
    .option("--database-url <url>", "show the histories in a PostgreSQL database instead")
    .option("--import", "copy the path into the database, and show nothing; again, it copies what is new")
    .option("--watch", "with --import: go on as the histories grow")
    .option(
      "--machine <name>",
      "with --import: what this machine is called in the database (default: its host name)",
    )
    .addHelpText("after", () => `\nHistories that are read, by their names:\n${formatList(known)}`)
    .addHelpText("after", EXAMPLES)
    .addHelpText("after", () => `\nWhat was read is kept for the next start in ${visibleText(cacheDir())}`)
    .action(async (paths: string[], options: ShowOptions) => {
      if (options.import)
        return (await import("./import-histories.js")).importHistories(context, paths, options);
      for (const name of ["watch", "machine"] as const) {
        if (options[name] === undefined) continue;
        throw new CommandLineError(
          `--${name} goes with --import: PATH --database-url URL --import --${name}.`,
        );
      }
      return (await import("./show.js")).showHistories(context, paths, options);
    });
  program
    .command("demo")
    .description("write a sample of histories and show it")
    .action(async (_: unknown, demo: Command) =>
      (await import("./show.js")).showDemo(context, demo.optsWithGlobals()),
    );
  addReadingCommands(program, context);
  addExport(program, context);
  addCollect(program, context);
  addKeep(program, context);
  const cache = program
    .command("cache")
    .description("print where what was read is kept for the next start, and how large it is")
    .action(() => printCache(context));
  cache
    .command("clear")
    .description("remove it")
    .action(() => removeCache(context));
  program
    .command("migrate")
    .description("make the tables in a PostgreSQL database, or bring them up to date")
    .option(
      "--search-index",
      "also make an index for searching texts, where the server has pg_trgm; writing becomes several times as expensive",
    )
    .action(async (_: unknown, migrate: Command) =>
      (await import("./database.js")).migrateDatabase(context, migrate.optsWithGlobals()),
    );
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
    .action(async (_: unknown, ui: Command) =>
      (await import("./show.js")).showAgent(context, ui.optsWithGlobals()),
    );
  return program;
}

/** A line for each kind. `docs/formats.md` has more of each. */
function formatList(known: readonly KnownSource[]): string {
  const rows = known.map(({ name, title, versions = "", placeText }) => [name, title, versions, placeText]);
  return inColumns(rows)
    .map((line) => `  ${line.trimEnd()}`)
    .join("\n");
}

const KEEP_HELP = `
Copies are byte for byte and checked by their hash. The next time, what is new is copied; what is deleted or cut meanwhile stays in the copy.
Sessions are copied, and what they are read with: neither settings nor credentials. Nothing is written into what is copied.
A copy opens as what it is of: agent-inspector DIR, or a folder in it.

Exit code: 0 where all of it was copied, 1 where something was not.

Examples:
  agent-inspector keep --to ~/kept                       every history that is found here
  agent-inspector keep ~/.claude/projects --to /mnt/backup/agents
  agent-inspector keep --to ~/kept --json | jq '.sources[].failed'
  agent-inspector ~/kept                                 show the copies`;

function addKeep(program: Command, context: CommandContext): void {
  program
    .command("keep")
    .description("copy histories into a folder, so that they stay when their tool deletes them")
    .argument("[path...]", "the folders, as without a command")
    .requiredOption("--to <folder>", "where the copies lie; it is made where it is not there")
    .option("--json", "print what was copied as one JSON document")
    .addHelpText("after", KEEP_HELP)
    .action(async (paths: string[], _: unknown, keep: Command) =>
      context.end(await (await import("./keep.js")).keepHistories(context, paths, keep.optsWithGlobals())),
    );
}

const COLLECT_HELP = `
An agent that is instrumented with OpenTelemetry sends its spans where these variables say:
  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318
  OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
  OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none      spans are all that is received

Examples:
  agent-inspector collect
  agent-inspector collect --data ./spans --port 0 --ui-port 0
  agent-inspector ./spans             show them again`;

const SHARED_WITH_COLLECT = ["--host", "--no-open", "--prices", "--no-prices"];

function addCollect(program: Command, context: CommandContext): void {
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
      await collectSpans(context, { ...options, port });
    });
}

/** Only collects them: an error that is thrown here would show what was given. */
function addHeaders(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/\r?\n/).filter((line) => line.trim() !== "")];
}

const parsePort = numberIn(0, 65_535, "A port is a number from 0 to 65535.");

/** An option that is misspelt may come with a secret: `--haeder=Authorization: …`. */
function withoutValue(error: string): string {
  return error.replace(/^(error: unknown option '[^'=]*)=.*'/s, "$1'");
}

/** Help, or what is wrong with a call: it is no failure where nobody reads it. */
function writeLast(output: Output, text: string): void {
  output.once("error", () => undefined).write(text);
}
