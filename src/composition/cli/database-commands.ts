import {
  AgentAppConfigurationError,
  RecordingError,
  SourceUnavailableError,
} from "../../application/errors.js";
import { createPostgresDataSource, importIntoPostgres, migratePostgres } from "../postgres.js";
import { CommandLineError } from "./command-line-error.js";
import { importBar } from "./import-bar.js";
import { type OpenedSource, openSources, type SourceOptions } from "./open-source.js";

/** The options that concern a database. */
export interface DatabaseOptions {
  readonly databaseUrl?: string | undefined;
  readonly import?: boolean | undefined;
  /** Of `migrate`. */
  readonly searchIndex?: boolean | undefined;
}

/** Opens a database to be served. One query runs first, so that a failure shows now and not to the first client. */
export function openDatabase(connectionString: string): Promise<OpenedSource> {
  const source = createPostgresDataSource({ connectionString });
  const close = async () => source.close?.();
  return inOneLine(async () => {
    try {
      await source.findSessions?.({ limit: 1 });
    } catch (error) {
      await close();
      throw error;
    }
    return { source, description: "the database", close };
  });
}

/** Brings the schema of a database up to date, and makes the index for searching texts where it is asked for and can be had. */
export async function migrateDatabase({ databaseUrl, searchIndex }: DatabaseOptions): Promise<void> {
  if (databaseUrl === undefined) throw new CommandLineError("Name the database: migrate --database-url URL.");
  const report = await inOneLine(() => migratePostgres({ connectionString: databaseUrl, searchIndex }));
  const { from, to } = report;
  const change = from === to ? `is version ${to} already` : `was version ${from} and is version ${to} now`;
  process.stdout.write(`The schema ${change}.\n`);
  if (report.searchIndex === undefined) return;
  const { isThere, reason } = report.searchIndex;
  if (isThere) process.stdout.write("The index for searching texts is there.\n");
  else process.stderr.write(`There is no index for searching texts; a search takes longer. ${reason}\n`);
}

/**
 * Copies a folder into a database. A second call goes on where the first was broken off.
 *
 * @throws CommandLineError where sessions were left out
 */
export async function importFolder(
  folders: readonly string[],
  { databaseUrl, source }: DatabaseOptions & SourceOptions,
): Promise<void> {
  if (folders.length !== 1 || databaseUrl === undefined) {
    throw new CommandLineError("Name one folder to import and where to: PATH --database-url URL --import.");
  }
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort(STOPPED));
  const opened = await openSources(folders, { source }, {});
  const bar = importBar(process.stderr);
  try {
    const report = await inOneLine(() =>
      importIntoPostgres(opened.source, {
        connectionString: databaseUrl,
        signal: stopped.signal,
        onProgress: (progress) => bar.show(progress),
      }),
    );
    bar.end();
    const { sessions, records, bytes, skipped } = report;
    process.stdout.write(
      `Imported ${sessions - skipped.length} sessions: ${records} new records, ${bytes} bytes.\n`,
    );
    for (const { tenantId, sessionId, reason } of skipped) {
      process.stderr.write(`Session "${sessionId}" of tenant "${tenantId}" ${reason}.\n`);
    }
    if (skipped.length > 0) throw new CommandLineError(`${skipped.length} sessions were not imported.`);
  } finally {
    bar.end();
    await opened.close();
  }
}

const STOPPED = new CommandLineError("Stopped. The same command goes on from here.");

/** Errors with a message for the user, and those that the database server reports, end the process in one line. */
async function inOneLine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isExplained = [AgentAppConfigurationError, RecordingError, SourceUnavailableError].some(
      (known) => error instanceof known,
    );
    if (isExplained) throw new CommandLineError((error as Error).message, { cause: error });
    if (error instanceof Error && "severity" in error) {
      throw new CommandLineError(`The database refused: ${error.message}.`, { cause: error });
    }
    throw error;
  }
}
