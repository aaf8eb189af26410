import type { MigrateOptions } from "../opening/database.js";
import type { CommandContext } from "../opening/parts.js";
import type { InspectorCommand } from "./inspector-command.js";
import type { KeepArguments } from "./keep.js";
import { addOptions, PATHS } from "./options.js";

export function addKeep(program: InspectorCommand, context: CommandContext): void {
  const keep = program
    .command("keep")
    .summary("copy histories, before their tools delete them")
    .argument("[path...]", PATHS)
    .requiredOption("--to <folder>", "folder of the copies; it is created if it is missing")
    .option("--json", "print one JSON document about the copies")
    .explain({
      answers: "Copies histories into a folder, before their tools delete them.",
      examples: `
        agent-inspector keep --to ~/histories
        agent-inspector keep ~/.claude/projects --to ~/histories --json
        agent-inspector ~/histories`,
      notes: `
Copies are exact, and checked by their hash. The next call copies new data. Data that was deleted or cut meanwhile stays in the copy. Settings and credentials are not copied.`,
    })
    .action(async (paths: string[], options: KeepArguments) =>
      context.end(await (await import("./keep.js")).keepHistories(context, paths, options)),
    );
  addOptions(keep, "source", "plugin");
}

export function addMigrate(program: InspectorCommand, context: CommandContext): void {
  program
    .command("migrate")
    .summary("create or update the tables in a PostgreSQL database")
    .requiredOption("--database-url <url>", "the database")
    .option("--search-index", "also index texts for searches, with pg_trgm: writing costs several times more")
    .explain({
      answers: "Creates the tables in a PostgreSQL database, or updates them.",
      examples: `
        agent-inspector migrate --database-url postgres://inspector@localhost/agents
        agent-inspector migrate --search-index --database-url postgres://inspector@localhost/agents`,
    })
    .action(async (options: MigrateOptions) =>
      (await import("../opening/database.js")).migrateDatabase(context, options),
    );
}
