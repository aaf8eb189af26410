import { once } from "node:events";
import {
  InvalidRequestError,
  SessionNotFoundError,
  SourceChangedError,
  SourceUnavailableError,
  UnlookableError,
} from "../../../application/errors.js";
import type { ListProgress } from "../../../application/ports/list-progress.js";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import { changed, type JsonList } from "../../../application/questions/json-list.js";
import type { SessionQuery } from "../../../application/questions/list-sessions.js";
import type { ParameterName } from "../../../application/questions/parameter-values.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import { MAX_TIMEOUT_MS } from "../../../domain/options/option-kinds.js";
import { formatCount } from "../../../domain/text/figures.js";
import { visibleLines, visibleText } from "../../../domain/text/visible-text.js";
import { CommandLineError, orExplain, stopSignal } from "../text/terminal.js";
import { cacheDir } from "./cache.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { type OpenedSource, type OpenSourceOptions, openSources, type SourceOptions } from "./open-source.js";
import type { CommandContext, CommandLineParts } from "./parts.js";
import { type PriceOptions, pricesIn } from "./price-options.js";
import { type RuleOptions, rulesIn } from "./rule-options.js";

export type NamedOptions = DatabaseOptions & SourceOptions;

export async function openNamed(
  context: CommandContext,
  paths: readonly string[],
  { databaseUrl, source }: NamedOptions,
  options: OpenSourceOptions,
): Promise<OpenedSource> {
  if (databaseUrl === undefined) return openSources(context, paths, { source }, options);
  if (paths.length === 0) return openDatabase(context, databaseUrl);
  throw new CommandLineError(
    "Name a folder or a database to show. To copy one into the other, add --import.",
  );
}

export interface HistoriesOptions extends NamedOptions, PriceOptions, RuleOptions {
  readonly cache: boolean;
  /** Modules of other authors. Default is an empty list. */
  readonly plugin?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  /** Sessions to read before a request; 0 only discovers them. Default is no reading ahead. */
  readonly readAhead?: number | undefined;
  /** In milliseconds, for one of several sources. Default is no limit. */
  readonly sourceTimeoutMs?: number | undefined;
}

export type UseHistories<T> = (
  useCases: InspectorUseCases,
  signal: AbortSignal,
  opened: OpenedSource,
) => Promise<T>;

const EXPLAINED = [
  InvalidRequestError,
  SessionNotFoundError,
  SourceChangedError,
  SourceUnavailableError,
  UnlookableError,
];

/**
 * Opens histories for a command, and closes them. The command also ends soon after its output has no reader.
 * @param stop ends it, too
 * @throws CommandLineError for histories that are missing, or cannot be read
 */
export function withHistories<T>(
  context: CommandContext,
  paths: readonly string[],
  options: HistoriesOptions,
  use: UseHistories<T>,
  stop?: AbortSignal,
): Promise<T> {
  const { parts, terminal, outputEnded } = context;
  const { cache, readAhead, sourceTimeoutMs = MAX_TIMEOUT_MS } = options;
  const signal = stop === undefined ? outputEnded : AbortSignal.any([outputEnded, stop]);
  const onProgress = (...progress: Parameters<typeof progressLine>) => {
    if (terminal.stderr.isTTY) terminal.stderr.write(progressLine(...progress));
  };
  const work = async (pool: ReadingPool) => {
    const openOptions = { pool, cache, readAhead, onProgress, demo: false, sourceTimeoutMs };
    const opened = await openNamed(context, paths, options, openOptions);
    try {
      const prices = await pricesIn(options, parts, opened.ownPrices);
      const rules = await rulesIn(options, parts);
      const { description, details = [] } = opened;
      const owner = JSON.stringify([description, ...details]);
      // Nothing in the cache depends on the code of a plugin.
      const cachedEdits = cache && options.plugin === undefined ? { dir: cacheDir(), owner } : undefined;
      const useCases = await parts.useCases(opened.source, { pool, prices, rules, cachedEdits });
      return await use(useCases, signal, opened);
    } finally {
      await opened.close();
    }
  };
  return orExplain(() => withThreads(parts, work), explained);
}

const TYPED: { readonly [parameter in ParameterName]?: string } = {
  q: "The query",
  from: "--since",
  to: "--until",
  zone: "--zone",
  filter: "--filter",
  tenantId: "--tenant",
  only: "--only",
  keep: "--keep",
};

function explained(error: unknown): string | undefined {
  if (!EXPLAINED.some((one) => error instanceof one)) return undefined;
  const { message } = error as Error;
  if (!(error instanceof InvalidRequestError)) return message;
  const typed = TYPED[error.parameter as ParameterName];
  return typed === undefined ? message : typed + message.slice(error.parameter.length);
}

export interface ToolsOptions extends HistoriesOptions {
  readonly metadataOnly?: boolean | undefined;
}

const TOOL_TIMEOUT_MS = 10_000;

export async function serveTools(
  context: CommandContext,
  version: string,
  paths: readonly string[],
  options: ToolsOptions,
): Promise<void> {
  const { parts, terminal } = context;
  const serveMcp = await parts.loadMcp();
  const stopped = stopSignal(terminal);
  const reading = { ...options, sourceTimeoutMs: TOOL_TIMEOUT_MS };
  await withHistories(context, paths, reading, async (useCases, signal, { description }) => {
    /** Standard output belongs to the protocol. */
    const onError = (error: unknown, tool: string) => {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      terminal.stderr.write(`agent-inspector: the tool ${tool} failed: ${visibleLines(cause)}\n`);
    };
    const { metadataOnly } = options;
    const files = await parts.workspaceFiles();
    const server = serveMcp(useCases, { version, description, metadataOnly, files, onError });
    await Promise.race([server.ended, stopped, once(signal, "abort")]);
    await server.close();
  });
}

/** The process does nothing else: it may use every processor. */
export async function withThreads<T>(
  parts: CommandLineParts,
  work: (pool: ReadingPool) => Promise<T>,
): Promise<T> {
  const pool = await parts.openPool();
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
}

export function progressLine({ sessions, total, elapsedMs }: ListProgress, source?: string): string {
  const seconds = Math.round(elapsedMs / 1_000);
  return `Reading the session list${source === undefined ? "" : ` of ${visibleText(source)}`}: ${formatCount(sessions)} of ${formatCount(total)} sessions, ${seconds} s\n`;
}

export async function listOf(
  { listSessions }: Pick<InspectorUseCases, "listSessions">,
  query: SessionQuery,
  signal: AbortSignal,
): Promise<JsonList> {
  return changed(await listSessions.execute(query, { signal }));
}
