import { InvalidArgumentError, Option } from "commander";
import { MAX_LIMIT } from "../../../application/listing/window.js";
import { GROUPINGS, type Grouping } from "../../../domain/overview/overview.js";
import { CONTENT_KINDS, type ContentKind, DEFAULT_KINDS } from "../../../domain/search/search-query.js";
import type { HistoriesOptions } from "../opening/histories.js";
import type { CommandContext, SupportedSource } from "../opening/parts.js";
import { FILTER_HELP } from "../text/filter-help.js";
import { inColumns } from "../text/table.js";
import type { InspectorCommand } from "./inspector-command.js";
import type { ListCommandOptions } from "./list.js";
import { addOptions, numberIn, PATHS, PRICING, READING } from "./options.js";
import type { SearchOptions } from "./search.js";
import type { UsageOptions } from "./usage.js";
import type { WhyOptions } from "./why.js";

export const NAMES =
  "Name a session by its id, by the beginning of its id, or by either after its tenant: acme/s1. " +
  "Names are accepted as commands print them, and as addresses of the page. " +
  'Put "--" before an id that begins with two dashes.';

const ALL = Number.POSITIVE_INFINITY;
const pageSize = numberIn(1, MAX_LIMIT, `A limit is a number from 1 to ${MAX_LIMIT}, or all.`, ALL);
const matchCount = numberIn(1, 999_999_999, "A limit is a number from 1 up, or all.", ALL);

export function addReadingCommands(program: InspectorCommand, context: CommandContext): void {
  addSearch(program, context);
  addList(program, context);
  addUsage(program, context);
  addSources(program, context);
  addSummary(program, context);
  addCompare(program, context);
  addWhy(program, context);
}

function addSearch(program: InspectorCommand, context: CommandContext): void {
  const search = program
    .command("search")
    .summary("find a text in messages, thoughts, calls and results")
    .argument("<query>", "text to find")
    .argument("[path...]", PATHS)
    .addOption(
      new Option("--in <kinds>", `kinds of texts: some of ${CONTENT_KINDS.join(",")}`)
        .argParser(contentKinds)
        .default(DEFAULT_KINDS, DEFAULT_KINDS.join(",")),
    )
    .option("--session <name>", "print every match in this session")
    .addOption(
      new Option("--limit <number>", "most sessions to print; with --session, most matches")
        .argParser(matchCount)
        .default(ALL, "all"),
    )
    .option("--json", "print a line of JSON for each session; with --session, for each match")
    .explain({
      answers: "Finds a text in the messages, thoughts, tool calls and results of sessions.",
      examples: `
        agent-inspector search "shadow branch"
        agent-inspector search ECONNREFUSED ./data --in error,output --filter "model:opus after:7d"
        agent-inspector search 're:router\\.(ex|ts)' ./data --session acme/s1`,
      notes: `
A text without capitals matches in any case. '"text"' matches exactly, and 're:…' is a regular expression in RE2's syntax. Put "--" before a text that begins with two dashes.

${FILTER_HELP}`,
    })
    .action(async (query: string, paths: string[], options: SearchOptions) =>
      context.end(await (await import("./search.js")).searchHistories(context, query, paths, options)),
    );
  addOptions(search, "tenant", "filter", ...READING, ...PRICING);
}

function addList(program: InspectorCommand, context: CommandContext): void {
  const list = program
    .command("list")
    .summary("list the sessions, newest first")
    .argument("[path...]", PATHS)
    .option("--limit <number>", `most sessions to print, up to ${MAX_LIMIT}, or all (default: 20)`, pageSize)
    .option("--json", "print one JSON document; without --limit, of all sessions")
    .explain({
      answers: "Lists the sessions, newest first, with their tokens, errors and costs.",
      examples: `
        agent-inspector list
        agent-inspector list ./data --filter "tenant:acme tool:search error cost:>1 after:yesterday"
        agent-inspector list --json | jq '.sessions[] | select(.errors > 0) | .sessionId'`,
      notes: FILTER_HELP,
    })
    .action(async (paths: string[], options: ListCommandOptions) =>
      context.end(await (await import("./list.js")).listHistories(context, paths, options)),
    );
  addOptions(list, "tenant", "filter", ...READING, ...PRICING);
}

function addUsage(program: InspectorCommand, context: CommandContext): void {
  const usage = program
    .command("usage")
    .summary("sum up tokens, costs and failures by day, project, model, …")
    .argument("[path...]", PATHS)
    .addOption(
      new Option("--by <grouping>", "what a row is").choices(GROUPINGS).default("day" satisfies Grouping),
    )
    .option("--since <date>", "start of the range: 2026-11-01, 2026-11, 7d, yesterday", "all")
    .option("--until <date>", "end of the range, exclusive, in the same form", "now")
    .option(
      "--zone <name>",
      "time zone of the days, such as Europe/Berlin",
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    )
    .option("--json", "print the answer of the HTTP API's /overview")
    .explain({
      answers: "Sums up what sessions did and cost: by day, project, model, tool, user and more.",
      examples: `
        agent-inspector usage
        agent-inspector usage --by project --since 2026-10-01 --until 2026-11-01
        agent-inspector usage --by tool --since 7d --filter "tenant:acme"`,
      notes: `
Reads all matching sessions, and caches the result. Times without activity have no row. A ≥ marks costs of which a part has no pricing.

${FILTER_HELP}`,
    })
    .action(async (paths: string[], options: UsageOptions) =>
      context.end(await (await import("./usage.js")).printUsage(context, paths, options)),
    );
  addOptions(usage, "tenant", "filter", ...READING, ...PRICING);
}

function addSources(program: InspectorCommand, context: CommandContext): void {
  const sources = program
    .command("sources")
    .summary("show where histories are, and what will be deleted")
    .argument("[path...]", PATHS)
    .option("--json", "print the answer of the HTTP API's /sources")
    .explain({
      answers: "Shows where histories are, what of them cannot be read, and what their tools will delete.",
      examples: `
        agent-inspector sources
        agent-inspector sources ~/.claude/projects
        agent-inspector sources --json | jq '.sources[] | select(.retention.due.sessions > 0)'`,
      notes: `Kinds of histories, by their names:\n${formatList(context.parts.sources())}`,
    })
    .action(async (paths: string[], options: HistoriesOptions) =>
      context.end(await (await import("./sources.js")).printSources(context, paths, options)),
    );
  addOptions(sources, ...READING);
}

function formatList(sources: readonly SupportedSource[]): string {
  const rows = sources.flatMap(({ name, title, versions = "", placeText }) => [
    [name, `${title} ${versions}`],
    ["", placeText],
  ]);
  return inColumns(rows)
    .map((line) => `  ${line.trimEnd()}`)
    .join("\n");
}

function addSummary(program: InspectorCommand, context: CommandContext): void {
  const summary = program
    .command("summary")
    .summary("show where a session's tokens, money and time went")
    .argument("<session>", "a session, by its name")
    .argument("[path...]", PATHS)
    .option("--json", "print the answer of the HTTP API's /sessions/{id}/summary")
    .explain({
      answers: "Shows where a session's tokens, money and time went, and what failed in it.",
      examples: `
        agent-inspector summary 3f2a
        agent-inspector summary acme/s1 ./data
        agent-inspector summary s1 ./data --json | jq '.context.items[0]'`,
      notes: NAMES,
    })
    .action(async (session: string, paths: string[], options: HistoriesOptions) =>
      (await import("./summary.js")).summarizeHistory(context, session, paths, options),
    );
  addOptions(summary, ...READING, ...PRICING);
}

function addCompare(program: InspectorCommand, context: CommandContext): void {
  const compare = program
    .command("compare")
    .summary("compare two sessions, and show where they first differ")
    .argument("<a>", "a session, by its name")
    .argument("<b>", "another session")
    .argument("[path...]", PATHS)
    .option("--json", "print the answer of the HTTP API's /compare")
    .explain({
      answers: "Compares two sessions: their figures, and where their conversations first differ.",
      examples: `
        agent-inspector compare 3f2a 91c0
        agent-inspector compare acme/s1 acme/s2 ./data
        agent-inspector compare s1 s2 ./data --json | jq .difference`,
      notes: `${NAMES}

Compares what the main agents' messages say. Ids, instants and formats of vendors do not count.`,
    })
    .action(async (a: string, b: string, paths: string[], options: HistoriesOptions) =>
      (await import("./compare.js")).compareHistories(context, [a, b], paths, options),
    );
  addOptions(compare, ...READING, ...PRICING);
}

function addWhy(program: InspectorCommand, context: CommandContext): void {
  const why = program
    .command("why")
    .summary("show which edit of which session wrote a line, and why")
    .argument("<file>", "a file; :LINE or :LINE-LINE after it selects lines")
    .argument("[path...]", PATHS)
    .option("--commit <revision>", "read the file in this commit instead of in the folder")
    .option("--json", "print the answer of the HTTP API's /why")
    .explain({
      answers: "Shows which edit of which session wrote a line of a file, and the context of the model then.",
      examples: `
        agent-inspector why src/cart/total.ts:42
        agent-inspector why src/cart/total.ts:40-60 ~/.claude/projects
        agent-inspector why src/cart/total.ts --commit HEAD --json | jq '.blocks[].candidates[0]'`,
      notes: `
Applies the edits of all sessions to files of that name again, and follows each line to where it is now. In a git repository it adds the commit of each line. It reads only the current folder, its repository and the histories.

${FILTER_HELP}`,
    })
    .action(async (file: string, paths: string[], options: WhyOptions) =>
      context.end(await (await import("./why.js")).explainFile(context, file, paths, options)),
    );
  addOptions(why, "filter", ...READING, ...PRICING);
}

function contentKinds(text: string): ContentKind[] {
  return text.split(",").map((name) => {
    const kind = CONTENT_KINDS.find((one) => one === name);
    if (kind === undefined) throw new InvalidArgumentError(`Kinds are ${CONTENT_KINDS.join(", ")}.`);
    return kind;
  });
}
