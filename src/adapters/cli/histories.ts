import {
  InvalidRequestError,
  SessionNotFoundError,
  SourceChangedError,
  SourceUnavailableError,
  UnlookableError,
} from "../../application/errors.js";
import type { ListProgress } from "../../application/ports/list-progress.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import { changed, type JsonList, recordsOf } from "../../application/questions/json-list.js";
import type { SessionQuery } from "../../application/questions/list-sessions.js";
import type { InspectorUseCases } from "../../application/questions/use-cases.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import { COUNT } from "../../domain/text/figure-texts.js";
import { visibleLines, visibleText } from "../../domain/text/visible-text.js";
import { cacheDir } from "./cache.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { type OpenedSource, type OpenSourceOptions, openSources, type SourceOptions } from "./open-source.js";
import type { CommandContext, CommandLineParts } from "./parts.js";
import { type PriceOptions, pricesIn } from "./price-options.js";
import { type RuleOptions, rulesIn } from "./rule-options.js";
import { CommandLineError, stopSignal } from "./terminal.js";

/** Which histories are meant. */
export type NamedOptions = DatabaseOptions & SourceOptions;

/** The folders or the database that was named. */
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
  /** Whether what is read of files may be kept for the next start. */
  readonly cache: boolean;
  /** Whether JSON is printed, for programs. */
  readonly json?: boolean | undefined;
  /** How many sessions of the list are read at once, before they are asked for; with 0 it is found out which there are. Default is nothing. */
  readonly readAhead?: number | undefined;
}

type UseHistories<T> = (useCases: InspectorUseCases, signal: AbortSignal, opened: OpenedSource) => Promise<T>;

/** Errors whose message says what to do. */
const EXPLAINED = [
  InvalidRequestError,
  SessionNotFoundError,
  SourceChangedError,
  SourceUnavailableError,
  UnlookableError,
];

export function isExplained(error: unknown): error is Error {
  return EXPLAINED.some((known) => error instanceof known);
}

/**
 * Opens histories, has something done with them, such as printed, and closes them. It ends as soon as nobody reads what is printed any more.
 *
 * @throws CommandLineError for what is not there, or cannot be read
 */
export async function withHistories(
  context: CommandContext,
  paths: readonly string[],
  options: HistoriesOptions,
  use: UseHistories<void>,
): Promise<void> {
  const { terminal } = context;
  const stop = new AbortController();
  terminal.stdout.on("error", () => stop.abort());
  const { stderr } = terminal;
  const onProgress = (...progress: Parameters<typeof progressLine>) => {
    if (stderr.isTTY) stderr.write(progressLine(...progress));
  };
  try {
    const open = { cache: options.cache, demo: false, onProgress, readAhead: options.readAhead };
    await readHistories(context, paths, { ...options, open, signal: stop.signal }, use);
  } catch (error) {
    if (isExplained(error)) throw new CommandLineError(error.message, { cause: error });
    if (!stop.signal.aborted) throw error;
  }
}

interface ReadingOptions extends NamedOptions, PriceOptions, RuleOptions {
  readonly open: Omit<OpenSourceOptions, "pool">;
  readonly signal: AbortSignal;
}

/** The same as they are: errors and what stops it are the caller's. */
export function readHistories<T>(
  context: CommandContext,
  paths: readonly string[],
  { open, signal, ...named }: ReadingOptions,
  use: UseHistories<T>,
): Promise<T> {
  return withThreads(context.parts, async (pool) => {
    const opened = await openNamed(context, paths, named, { ...open, pool });
    try {
      const prices = await pricesIn(named, context.parts, opened.ownPrices);
      const rules = await rulesIn(named, context.parts);
      const { description, details = [] } = opened;
      const owner = JSON.stringify([description, ...details]);
      const keptEdits = open.cache ? { dir: cacheDir(), owner } : undefined;
      const useCases = await context.parts.useCases(opened.source, { pool, prices, rules, keptEdits });
      return await use(useCases, signal, opened);
    } finally {
      await opened.close();
    }
  });
}

export interface ToolsOptions extends HistoriesOptions {
  /** Whether no text of a history is given. */
  readonly metadataOnly?: boolean | undefined;
}

/** Serves histories to a program that speaks the Model Context Protocol, until it goes or a signal stops the process. */
export async function serveTools(
  context: CommandContext,
  version: string,
  paths: readonly string[],
  options: ToolsOptions,
): Promise<void> {
  const { parts, terminal } = context;
  const serveMcp = await parts.loadMcp();
  const stopped = stopSignal(terminal);
  await withHistories(context, paths, options, async (useCases, _signal, { description }) => {
    /** Standard output belongs to the protocol. */
    const onError = (error: unknown, tool: string) => {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      terminal.stderr.write(`agent-inspector: the tool ${tool} failed: ${visibleLines(cause)}\n`);
    };
    const { metadataOnly } = options;
    const files = await parts.workspaceFiles();
    const server = serveMcp(useCases, { version, description, metadataOnly, files, onError });
    await Promise.race([server.ended, stopped]);
    await server.close();
  });
}

/** The process does nothing else: it may read with every processor there is. */
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

/**
 * The line that is printed while a session list takes long.
 *
 * @param source whose list it is, where there are several
 */
export function progressLine({ sessions, total, elapsedMs }: ListProgress, source?: string): string {
  const seconds = Math.round(elapsedMs / 1_000);
  return `Reading the session list${source === undefined ? "" : ` of ${visibleText(source)}`}: ${COUNT.format(sessions)} of ${COUNT.format(total)} sessions, ${seconds} s\n`;
}

type ListsSessions = Pick<InspectorUseCases, "listSessions">;

export async function listOf(
  { listSessions }: ListsSessions,
  query: SessionQuery,
  signal: AbortSignal,
): Promise<JsonList> {
  return changed(await listSessions.execute(query, { signal }));
}

/** How many sessions an error names. */
const MOST_NAMED = 5;

/**
 * The session that somebody means by its id, the beginning of its id, or either of them behind its tenant: `acme/3f2a`. A whole id goes
 * before one that only begins so.
 *
 * @throws CommandLineError where it means none, or several
 */
export async function findSession(
  useCases: ListsSessions,
  name: string,
  signal: AbortSignal,
): Promise<InspectorSessionItem> {
  const slash = name.indexOf("/");
  const tenantId = slash === -1 ? undefined : name.slice(0, slash);
  const id = name.slice(slash + 1);
  if (id === "") throw new CommandLineError("Name a session by its id, or as tenant/session.");
  const find = async (query: SessionQuery) =>
    recordsOf<InspectorSessionItem>(await listOf(useCases, { tenantId, ...query }, signal));
  let found = await find({ sessionId: id });
  if (found.length === 0) {
    found = (await find({ text: id })).filter(({ sessionId }) => sessionId.startsWith(id));
  }
  const [session, ...others] = found;
  if (session === undefined) {
    throw new CommandLineError(
      `There is no session "${visibleText(name)}". "agent-inspector list" prints those that there are.`,
    );
  }
  if (others.length === 0) return session;
  const named = found.slice(0, MOST_NAMED).map((one) => visibleText(`${one.tenantId}/${one.sessionId}`));
  const more = found.length > named.length ? `, and ${found.length - named.length} more` : "";
  throw new CommandLineError(
    `"${visibleText(name)}" may be any of ${found.length} sessions: ${named.join(", ")}${more}. Name one of them.`,
  );
}
