import {
  AgentAppConfigurationError,
  RecordingError,
  SourceUnavailableError,
} from "../../../application/errors.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { orExplain } from "../text/terminal.js";
import type { OpenedSource } from "./open-source.js";
import type { CommandContext } from "./parts.js";

export interface DatabaseOptions {
  readonly databaseUrl?: string | undefined;
  readonly import?: boolean | undefined;
  readonly watch?: boolean | undefined;
  readonly machine?: string | undefined;
}

export interface MigrateOptions {
  readonly databaseUrl: string;
  readonly searchIndex?: boolean | undefined;
}

/** One query runs first, so that a failure shows now and not to the first client. */
export async function openDatabase(
  { parts }: CommandContext,
  connectionString: string,
): Promise<OpenedSource> {
  const source = await parts.openDatabase(connectionString);
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

export async function migrateDatabase(
  { parts, terminal }: CommandContext,
  { databaseUrl, searchIndex }: MigrateOptions,
): Promise<void> {
  const { stdout, stderr } = terminal;
  const report = await inOneLine(() => parts.migrate({ connectionString: databaseUrl, searchIndex }));
  const { from, to } = report;
  const change = from === to ? `is version ${to} already` : `was version ${from} and is version ${to} now`;
  stdout.write(`The schema ${change}.\n`);
  if (report.searchIndex === undefined) return;
  const { isThere, reason } = report.searchIndex;
  if (isThere) stdout.write("The index for searching texts is there.\n");
  else
    stderr.write(
      `There is no index for searching texts; a search takes longer. ${visibleText(reason ?? "")}\n`,
    );
}

const EXPLAINED = [AgentAppConfigurationError, RecordingError, SourceUnavailableError];

export function inOneLine<T>(work: () => Promise<T>): Promise<T> {
  return orExplain(work, (error) => {
    if (!(error instanceof Error)) return undefined;
    if (EXPLAINED.some((errorType) => error instanceof errorType)) return error.message;
    return "severity" in error ? `The database refused: ${error.message}.` : undefined;
  });
}
