import { CommandLineError } from "./command-line-error.js";
import type { DatabaseOptions } from "./database-commands.js";
import type { OpenedSource, OpenSourceOptions, SourceOptions } from "./open-source.js";

/** Which histories are meant. */
export type NamedOptions = DatabaseOptions & SourceOptions;

/** The folders or the database that was named. */
export async function openNamed(
  paths: readonly string[],
  { databaseUrl, source }: NamedOptions,
  options: OpenSourceOptions,
): Promise<OpenedSource> {
  if (databaseUrl === undefined)
    return (await import("./open-source.js")).openSources(paths, { source }, options);
  if (paths.length === 0) return (await import("./database-commands.js")).openDatabase(databaseUrl);
  throw new CommandLineError(
    "Name a folder or a database to show. To copy one into the other, add --import.",
  );
}
