import { createRequire } from "node:module";
import { type Command, CommanderError } from "commander";
import { nearestName } from "../../domain/options/nearest-name.js";
import { visibleLines, visibleText } from "../../domain/text/visible-text.js";
import { addExport } from "./commands/export-command.js";
import { InspectorCommand } from "./commands/inspector-command.js";
import { addOptions, PATHS, PRICING, READING, SERVING } from "./commands/options.js";
import { addReadingCommands } from "./commands/reading-commands.js";
import { addCollect, addDemo, addMcp, addUi } from "./commands/serving-commands.js";
import type { ShowOptions } from "./commands/show.js";
import { addKeep, addMigrate } from "./commands/writing-commands.js";
import { cacheDir, printCache, removeCache } from "./opening/cache.js";
import type { HistoriesOptions } from "./opening/histories.js";
import type { CommandContext, CommandLineParts, SupportedSource } from "./opening/parts.js";
import { statOf } from "./opening/supported-sources.js";
import {
  CommandLineError,
  codeOf,
  type Ending,
  FAILED,
  isReaderGone,
  type Terminal,
} from "./text/terminal.js";

/**
 * @param args arguments after the name of the command
 * @throws an unexpected error
 * @example
 * const ending = await runCommandLine(process.argv.slice(2), COMMAND_LINE_PARTS, process);
 */
export async function runCommandLine(
  args: readonly string[],
  parts: CommandLineParts,
  terminal: Terminal,
): Promise<Ending> {
  const { stdout, stderr } = terminal;
  const output = new AbortController();
  stdout.on("error", (error) => output.abort(error));
  stderr.on("error", () => undefined);
  // Node drops the error of its standard output after the event.
  const outputError = (): unknown => stdout.errored ?? output.signal.reason;
  let ending: Ending = 0;
  const end = (other: Ending) => {
    ending = other;
  };
  try {
    const program = commandLine({ parts, terminal, end, outputEnded: output.signal });
    await refuseMisspelt(program.parseOptions([...args]).operands, program);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) ending = error.exitCode === 0 ? 0 : FAILED;
    else if (error instanceof CommandLineError) {
      ending = error.exitCode;
      stderr.write(`error: ${visibleLines(error.message)}\n`);
    } else if (outputError() === undefined) throw error;
  }
  // A failed stream accepts nothing more, and does not call back.
  if (!stdout.errored) await new Promise((resolve) => stdout.write("", resolve));
  const problem = outputError();
  if (problem === undefined || isReaderGone(problem)) return ending;
  stderr.write(`error: The output cannot be written (${codeOf(problem)}).\n`);
  return FAILED;
}

/** Without it, a command that does not exist would count as a folder. */
async function refuseMisspelt([word = "", topic = ""]: readonly string[], program: InspectorCommand) {
  const names = ["help", ...program.commands.map((command) => command.name())];
  const isHelp = word === "help";
  const typed = isHelp ? topic : word;
  if (/^-|[/\\]|^$/.test(typed) || names.includes(typed)) return;
  const nearest = nearestName(typed, names);
  if (!isHelp && (nearest === undefined || (await statOf(typed)) !== undefined)) return;
  const what = isHelp ? "command" : "command, file or folder";
  const advice =
    nearest === undefined ? '"agent-inspector help" lists the commands.' : `Did you mean \`${nearest}\`?`;
  throw new CommandLineError(`There is no ${what} "${visibleText(typed)}". ${advice}`);
}

const { version: VERSION }: { version: string } = createRequire(import.meta.url)(
  "agent-inspector/package.json",
);

const HELP_WIDTH = 100;

function commandLine(base: CommandContext): InspectorCommand {
  const { terminal } = base;
  const plugins: SupportedSource[] = [];
  const sources = () => [...plugins, ...base.parts.sources()];
  const context = { ...base, parts: { ...base.parts, sources } };
  const program = new InspectorCommand("agent-inspector")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print the help")
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(visibleLines(withoutValue(text))),
      getOutHelpWidth: () => terminal.stdout.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => terminal.stderr.columns ?? HELP_WIDTH,
    })
    .argument("[path...]", PATHS)
    .action(async (paths: string[], options: ShowOptions) => {
      if (options.import)
        return context.end(
          await (await import("./commands/import-histories.js")).importHistories(context, paths, options),
        );
      for (const name of ["watch", "machine"] as const) {
        if (options[name] === undefined) continue;
        throw new CommandLineError(
          `--${name} goes with --import: PATH --database-url URL --import --${name}.`,
        );
      }
      return (await import("./commands/show.js")).showHistories(context, paths, options);
    });
  program.hook("preSubcommand", passOptions);
  program.hook("preAction", async (_, command) => {
    const { plugin = [] } = command.opts<HistoriesOptions>();
    if (plugin.length > 0) plugins.push(...(await base.parts.loadPlugins(plugin)));
  });
  addOptions(program, "port", ...SERVING, ...READING, ...PRICING, "rules");
  program
    .option("--import", "copy the path into the database, and end; again, it copies what is new")
    .option("--watch", "with --import: continue as the histories grow")
    .option("--machine <name>", "with --import: name of this machine there, instead of its host name");
  program.commandsGroup("Commands that print an answer:");
  addReadingCommands(program, context);
  program.commandsGroup("Commands that serve:");
  addDemo(program, context);
  addUi(program, context);
  addMcp(program, context, VERSION);
  addCollect(program, context);
  program.commandsGroup("Commands that write:");
  addExport(program, context);
  addKeep(program, context);
  addMigrate(program, context);
  program.commandsGroup("Other commands:");
  addCache(program, context);
  program.helpCommand("help [command]", "print the help of a command");
  return program.explain({
    answers: "Shows what AI agents did: serves their recorded sessions as a web page. It only reads.",
    examples: `
      agent-inspector                      all histories on this machine, or a demo
      agent-inspector ./my-agent/data      the histories of one agent application
      agent-inspector list --help          how to use one command`,
    notes: `Exit codes: 0 done, 1 nothing matched, 2 wrong usage or a failure, 130 stopped by Ctrl-C
Cache: ${visibleText(cacheDir())}`,
  });
}

/** Options before a command belong to it: `agent-inspector --database-url URL list`. */
function passOptions(program: Command, command: Command): void {
  for (const option of program.options) {
    const name = option.attributeName();
    if (program.getOptionValueSource(name) !== "cli") continue;
    if (!command.options.some((one) => one.attributeName() === name))
      command.error(`error: option '${option.flags}' does not apply to '${command.name()}'`);
    command.setOptionValueWithSource(name, program.getOptionValue(name), "cli");
  }
}

function addCache(program: InspectorCommand, context: CommandContext): void {
  const cache = program
    .command("cache")
    .summary("print the path and the size of the cache, or clear it")
    .action(() => printCache(context));
  cache
    .command("clear")
    .summary("remove the cache")
    .explain({
      answers: "Removes what was cached for the next start.",
      examples: "agent-inspector cache clear",
    })
    .action(() => removeCache(context));
  cache.explain({
    answers: "Prints the path and the size of the cache, which makes the next start faster.",
    examples: `
      agent-inspector cache
      agent-inspector cache clear`,
  });
}

/** A misspelt option may come with a secret: `--haeder=Authorization: …`. */
function withoutValue(error: string): string {
  return error.replace(/^(error: unknown option '[^'=]*)=.*'/s, "$1'");
}
