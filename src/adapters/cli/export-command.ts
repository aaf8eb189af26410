import { type Command, Option } from "commander";
import { EXPORT_FORMATS } from "../../application/export/export-formats.js";
import type { CommandContext } from "./parts.js";
import { failing, NAMED } from "./reading-commands.js";

const EXPORT_EXAMPLES = `
${NAMED}
Paths may follow the sessions: they begin with the first argument behind a session that there is on this machine.

Nothing is written before it is said what becomes of secrets and personal data: --redact strict removes all that is found, and what
cannot be looked at; --no-redact looks for nothing. An id of --findings is good as long as the session does not change.

Exit code: 0 where the file is written, or --findings found nothing; 1 where it found something; 2 for an error.

Examples:
  agent-inspector export 3f2a -o session.html --redact strict        opens in a browser, from the disk
  agent-inspector export 3f2a --findings                             what would be removed
  agent-inspector export 3f2a -o session.html --redact strict --keep e-mail-address-1,home-folder-1
  agent-inspector export acme/s1 acme/s2 ./data -o both.jsonl --no-redact
  agent-inspector export 3f2a --only errors -o - --format markdown --redact strict | less
  agent-inspector export 3f2a --only turn:3 -o turn.json --format atif --redact strict
  agent-inspector session.html                                       opens it again`;

/** The command that writes sessions as a file. */
export function addExport(program: Command, context: CommandContext): void {
  program
    .command("export")
    .description("write sessions as one file: a page for a browser, or another format")
    .argument("<session...>", "one session or more, then the folders, as without a command")
    .addOption(
      new Option("--format <format>", "default: by the ending of the file, else html").choices(
        EXPORT_FORMATS,
      ),
    )
    .option("--only <part>", "a part of each session: errors, turn:3, agent:ID, step:ID")
    .option("-o, --output <file>", "the file to write; - is standard output")
    .option("--force", "replace the file where it is there")
    .addOption(
      new Option("--redact <how>", "remove secrets and personal data that are found").choices(["strict"]),
    )
    .option("--no-redact", "look for nothing, and remove nothing")
    .option("--keep <ids>", "findings that stay, by their ids: api-key-3,e-mail-address-1..4", listed)
    .option("--findings", "print what would be removed, by rule, and write nothing")
    .option("--show-values", "with --findings: print the values, not only how they begin")
    .option("--json", "with --findings: print them as one JSON document")
    .addHelpText("after", EXPORT_EXAMPLES)
    .exitOverride(failing)
    .action(async (named: string[], _: unknown, exported: Command) =>
      context.end(
        await (await import("./export.js")).exportHistories(context, named, exported.optsWithGlobals()),
      ),
    );
}

function listed(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(",").filter((one) => one !== "")];
}
