import { type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { MAX_LIMIT } from "../../application/questions/window.js";
import { GROUPINGS, type Grouping } from "../../domain/overview/overview.js";
import { CONTENT_KINDS, type ContentKind } from "../../domain/search/search-query.js";
import { FILTER_HELP } from "./filter-help.js";
import type { ToolsOptions } from "./histories.js";
import type { McpSetupOptions } from "./mcp-setup.js";
import { DOWNLOAD_COMMAND } from "./mcp-setup-command.js";
import { MCP_CLIENTS } from "./mcp-setup-places.js";
import type { CommandContext } from "./parts.js";
import { CommandLineError } from "./terminal.js";

const SEARCH_EXAMPLES = `
A text is found in any case, unless it has a capital. '"text"' is found exactly; 're:…' is a regular expression of RE2's syntax.

Exit code: 0 where something was found, 1 where nothing was, 2 for an error.

Examples:
  agent-inspector search "shadow branch"                  in every history that is found here
  agent-inspector search ECONNREFUSED ./data --in error,output
  agent-inspector search 're:router\\.(ex|ts)' ~/.claude/projects --json
  agent-inspector search timeout ./data --tenant acme --session s1    every hit in one session
  agent-inspector search ECONNREFUSED --in error --filter "model:opus after:7d"${FILTER_HELP}`;

const LIST_EXAMPLES = `
Examples:
  agent-inspector list                                    the newest 20 of all that are found here
  agent-inspector list ~/.claude/projects --limit 100
  agent-inspector list ./data --tenant acme --json | jq '.sessions[] | select(.errors > 0) | .sessionId'
  agent-inspector list --filter "tenant:acme tool:search error cost:>1 after:yesterday"
  agent-inspector list --filter "edited:router.ex -status:running"
  agent-inspector list --filter "(model:opus OR model:gpt-5) tokens:>1M"${FILTER_HELP}`;

const USAGE_EXAMPLES = `
Everything is read for it, and kept for the next time. Times in which nothing happened are left out of the table. A ≥ says that a part has no pricing.

Exit code: 0 where a session did something, 1 where none did, 2 for an error.

Examples:
  agent-inspector usage                                   by day, of all that are found here
  agent-inspector usage --by project --since 2026-10-01 --until 2026-11-01
  agent-inspector usage --by model --since 30d --filter "tenant:acme"
  agent-inspector usage --by tool --since 7d              calls, failures and durations, beside the week before
  agent-inspector usage --by day --json | jq '.rows | max_by(.cost.usd)'${FILTER_HELP}`;

const SOURCES_EXAMPLES = `
Everything is read for it, and kept for the next time. Nothing is written into a history.

Examples:
  agent-inspector sources                                 of all that are found here
  agent-inspector sources ~/.claude/projects
  agent-inspector sources --json | jq '.sources[] | select(.retention.due.sessions > 0)'`;

/** How sessions are named, for the help of commands. */
export const NAMED =
  'A session is named by its id, by the beginning of its id, or by either behind its tenant: acme/s1. "agent-inspector list" prints them.';

const SUMMARY_EXAMPLES = `
${NAMED}

Examples:
  agent-inspector summary 3f2a                            of all that are found here
  agent-inspector summary acme/s1 ./data
  agent-inspector summary s1 ./data --json | jq '.context.items[0]'`;

const COMPARE_EXAMPLES = `
${NAMED}
What the main agents' conversations say is compared; ids, instants and the shapes of vendors do not count.

Examples:
  agent-inspector compare 3f2a 91c0                       of all that are found here
  agent-inspector compare acme/s1 acme/s2 ./data
  agent-inspector compare s1 s2 ./data --json | jq .difference`;

const WHY_EXAMPLES = `
Edits of every session that edited a file of that name are done again, and what each wrote is followed to where it lies now. git, where it is there and the file lies in a
repository, says which commit each line comes from. Nothing outside of the current folder and its repository is read, beside the histories.

Exit code: 0 where a session wrote one of the lines, 1 where none did, 2 for an error.

Examples:
  agent-inspector why src/cart/total.ts:42                which edit wrote line 42, and what the model saw then
  agent-inspector why src/cart/total.ts:40-60 ~/.claude/projects
  agent-inspector why src/cart/total.ts                   who wrote what of the file
  agent-inspector why src/cart/total.ts:42 --commit HEAD~3
  agent-inspector why src/cart/total.ts --json | jq '.blocks[].candidates[0].sessionId'${FILTER_HELP}`;

const MCP_EXAMPLES = `
It is started by the program that uses it, and ends with it. It only reads. What it answers goes to the program that asked.

Examples:
  agent-inspector mcp --setup claude-code                 write it into the settings of Claude Code
  agent-inspector mcp --setup cursor --scope project      write it into the settings of this project
  agent-inspector mcp --setup codex --undo                remove it
  claude mcp add agent-inspector -- ${DOWNLOAD_COMMAND.join(" ")}
  agent-inspector mcp ./data --source data                what such a program may start instead
  agent-inspector mcp --metadata-only                     for agents that shall read no words of others`;

/** The commands that answer from histories, and end. */
export function addReadingCommands(program: Command, context: CommandContext): void {
  program
    .command("search")
    .description("find a text in what agents said, thought and did")
    .argument("<query>", "what to look for")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print a line of JSON for each session; of one session, for each hit")
    .option(
      "--in <kinds>",
      `which texts: some of ${CONTENT_KINDS.join(",")} (default: all but other)`,
      parseKinds,
    )
    .option("--tenant <id>", "only the sessions of this tenant")
    .option("--session <id>", "only this session, of the tenant (default: default)")
    .option("--filter <filter>", "only the sessions that it means")
    .option("--limit <number>", "end after so many sessions; of one session, hits", parseHits)
    .addHelpText("after", SEARCH_EXAMPLES)
    .exitOverride(failing)
    .action(async (query: string, paths: string[], _: unknown, search: Command) => {
      const { searchHistories } = await import("./search.js");
      context.end(await searchHistories(context, query, paths, search.optsWithGlobals()));
    });
  program
    .command("list")
    .description("print the sessions, newest first")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print one JSON document, with every session")
    .option("--tenant <id>", "only the sessions of this tenant")
    .option("--filter <filter>", "only the sessions that it means")
    .option("--limit <number>", "print at most so many, up to 1000 (default: 20, with --json all)", parsePage)
    .addHelpText("after", LIST_EXAMPLES)
    .action(async (paths: string[], _: unknown, list: Command) =>
      (await import("./list.js")).listHistories(context, paths, list.optsWithGlobals()),
    );
  program
    .command("usage")
    .description("print what sessions did and cost together: by day, project, model, tool, …")
    .argument("[path...]", "the folders, as without a command")
    .addOption(
      new Option("--by <grouping>", "what the rows are made by")
        .choices(GROUPINGS)
        .default("day" satisfies Grouping),
    )
    .option("--since <date>", "what was done from then on: 2026-11-01, 2026-11, 7d, yesterday (default: all)")
    .option("--until <date>", "what was done before, written alike (default: now)")
    .option("--filter <filter>", "only the sessions that it means")
    .option("--tenant <id>", "only the sessions of this tenant")
    .option("--zone <name>", "by whose days: a name such as Europe/Berlin (default: this machine's)")
    .option("--json", "print the answer of the HTTP API's /overview")
    .addHelpText("after", USAGE_EXAMPLES)
    .exitOverride(failing)
    .action(async (paths: string[], _: unknown, usage: Command) =>
      context.end(await (await import("./usage.js")).printUsage(context, paths, usage.optsWithGlobals())),
    );
  program
    .command("sources")
    .description("print where the histories come from, what could not be read, and what will be deleted")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print the answer of the HTTP API's /sources")
    .addHelpText("after", SOURCES_EXAMPLES)
    .action(async (paths: string[], _: unknown, sources: Command) =>
      (await import("./sources.js")).printSources(context, paths, sources.optsWithGlobals()),
    );
  program
    .command("summary")
    .description("print what a session's tokens, money and time went into")
    .argument("<session>", "a session")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print the answer of the HTTP API's /sessions/{id}/summary")
    .addHelpText("after", SUMMARY_EXAMPLES)
    .action(async (session: string, paths: string[], _: unknown, summary: Command) =>
      (await import("./summary.js")).summarizeHistory(context, session, paths, summary.optsWithGlobals()),
    );
  program
    .command("compare")
    .description("print two sessions side by side, and where they part")
    .argument("<a>", "a session")
    .argument("<b>", "another one")
    .argument("[path...]", "the folders, as without a command")
    .option("--json", "print the answer of the HTTP API's /compare")
    .addHelpText("after", COMPARE_EXAMPLES)
    .action(async (a: string, b: string, paths: string[], _: unknown, compare: Command) =>
      (await import("./compare.js")).compareHistories(context, [a, b], paths, compare.optsWithGlobals()),
    );
  program
    .command("why")
    .description("print which edit of which session wrote a line, and what the model saw then")
    .argument("<file>", "a file, with :LINE or :LINE-LINE behind it for some of its lines")
    .argument("[path...]", "the folders, as without a command")
    .option("--commit <revision>", "the file as it is in a commit (default: as it lies there)")
    .option("--filter <filter>", "only the sessions that it means")
    .option("--json", "print the answer of the HTTP API's /why")
    .addHelpText("after", WHY_EXAMPLES)
    .exitOverride(failing)
    .action(async (file: string, paths: string[], _: unknown, why: Command) => {
      const { explainFile } = await import("./why.js");
      context.end(await explainFile(context, file, paths, why.optsWithGlobals()));
    });
  program
    .command("mcp")
    .description("let coding agents read the histories: an MCP server on standard input and output")
    .argument("[path...]", "the folders, as without a command")
    .option(
      "--metadata-only",
      "never answer with a text of a history: figures alone, and numbers in the place of names",
    )
    .addOption(
      new Option(
        "--setup <tool>",
        "write the server into the settings of a tool, after showing what changes, and end",
      ).choices(MCP_CLIENTS),
    )
    .addOption(
      new Option("--scope <scope>", "with --setup: for the user, or for the project in this folder")
        .choices(["user", "project"])
        .default("user"),
    )
    .option("--undo", "with --setup: remove it")
    .option("--yes", "with --setup: do not ask")
    .addHelpText("after", MCP_EXAMPLES)
    .action(async (paths: string[], _: unknown, mcp: Command) => {
      const options = mcp.optsWithGlobals<ToolsOptions & Partial<McpSetupOptions>>();
      const { setup, scope = "user" } = options;
      if (setup !== undefined)
        return (await import("./mcp-setup.js")).setUpMcp(context, paths, { ...options, setup, scope });
      for (const name of ["undo", "yes"] as const) {
        if (options[name] === true) throw new CommandLineError(`--${name} goes with --setup TOOL.`);
      }
      return (await import("./histories.js")).serveTools(context, program.version()!, paths, options);
    });
}

/** What is said of a wrong call of a command whose exit code 1 means something else. */
export function failing({ exitCode, code, message }: CommanderError): never {
  throw new CommanderError(exitCode === 0 ? 0 : 2, code, message);
}

function parseKinds(text: string): ContentKind[] {
  return text.split(",").map((name) => {
    const kind = CONTENT_KINDS.find((known) => known === name);
    if (kind === undefined) throw new InvalidArgumentError(`Kinds are ${CONTENT_KINDS.join(", ")}.`);
    return kind;
  });
}

/** @returns a parser of whole numbers */
export function numberIn(from: number, to: number, problem: string): (text: string) => number {
  const digits = new RegExp(`^\\d{1,${String(to).length}}$`);
  return (text) => {
    const number = digits.test(text) ? Number(text) : Number.NaN;
    if (number >= from && number <= to) return number;
    throw new InvalidArgumentError(problem);
  };
}

const parsePage = numberIn(1, MAX_LIMIT, `A limit is a number from 1 to ${MAX_LIMIT}.`);
const parseHits = numberIn(1, 999_999_999, "A limit is a number from 1 up.");
