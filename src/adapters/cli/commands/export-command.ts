import { Option } from "commander";
import { EXPORT_FORMATS } from "../../../application/export/export-formats.js";
import type { CommandContext } from "../opening/parts.js";
import type { ExportOptions } from "./export.js";
import type { InspectorCommand } from "./inspector-command.js";
import { addOptions, PRICING, READING } from "./options.js";
import { NAMES } from "./reading-commands.js";

export function addExport(program: InspectorCommand, context: CommandContext): void {
  const exported = program
    .command("export")
    .summary("write sessions to one file: a page, or another format")
    .argument("<session...>", "one session or more, by their names; folders or files of histories after them")
    .option("-o, --output <file>", "file to write; - is standard output")
    .addOption(
      new Option(
        "--format <format>",
        "format of the file; without it, its ending decides, else html",
      ).choices(EXPORT_FORMATS),
    )
    .option("--only <part>", "a part of each session: errors, turn:3, agent:ID, step:ID")
    .option("--force", "replace an existing file")
    .addOption(
      new Option("--redact <how>", "remove the secrets and personal data that rules match").choices([
        "strict",
      ]),
    )
    .option("--no-redact", "remove nothing")
    .option("--keep <ids>", "findings to retain, by their ids: api-key-3,e-mail-address-1..4", listed)
    .addOption(
      new Option("--findings", "print what --redact strict would remove, and write nothing").conflicts([
        "output",
        "format",
        "force",
        "redact",
        "keep",
      ]),
    )
    .option("--show-values", "with --findings: print complete values")
    .option("--json", "with --findings: print one JSON document")
    .explain({
      answers: "Writes sessions to one file to hand on: a web page, Markdown, JSON Lines, ATIF or OTLP.",
      examples: `
        agent-inspector export 3f2a --findings
        agent-inspector export 3f2a -o session.html --redact strict --keep e-mail-address-1
        agent-inspector export acme/s1 acme/s2 ./data -o - --format markdown --no-redact | less`,
      notes: `
--redact strict or --no-redact must say what happens to secrets and personal data. Ids of findings are valid until the session changes. "agent-inspector session.html" opens an exported file.

${NAMES} Paths begin with the first name after a session that opens as histories.`,
    })
    .action(async (names: string[], options: ExportOptions) =>
      context.end(await (await import("./export.js")).exportHistories(context, names, options)),
    );
  addOptions(exported, "rules", ...READING, ...PRICING);
}

function listed(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(",").filter((one) => one !== "")];
}
