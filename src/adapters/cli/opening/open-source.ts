import { mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { SourceUnavailableError } from "../../../application/errors.js";
import type { InspectorDataSource } from "../../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../../application/ports/list-progress.js";
import { scopeToTenants } from "../../../application/sources/scope.js";
import { fingerprint } from "../../../domain/text/fingerprints.js";
import { visibleLines, visibleText } from "../../../domain/text/visible-text.js";
import { inColumns } from "../text/table.js";
import { CommandLineError, NOTHING_MATCHED } from "../text/terminal.js";
import { usableCacheDir } from "./cache.js";
import type { CommandContext, FolderOptions, SupportedSource } from "./parts.js";
import { type FolderPart, type HistoryPlace, placesOf, withArticle } from "./place-sources.js";
import { isFile, namesOf, supportedSource } from "./supported-sources.js";

export interface OpenedSource {
  readonly source: InspectorDataSource;
  readonly description: string;
  readonly kind?: SupportedSource | undefined;
  readonly ownPrices?: unknown;
  readonly details?: readonly string[] | undefined;
  close(): Promise<void>;
}

export interface OpenSourceOptions extends Pick<FolderOptions, "pool" | "readAhead"> {
  readonly onProgress?: ((progress: ListProgress, source?: string) => void) | undefined;
  readonly cache?: boolean | undefined;
  readonly demo?: boolean | undefined;
  /** In milliseconds, for one of several sources. Default is that of `combineDataSources`. */
  readonly sourceTimeoutMs?: number | undefined;
}

export interface SourceOptions {
  /** Name of the folders' kind, which are then not searched. Default is detection. */
  readonly source?: string | undefined;
}

/**
 * Falls back to all folders at their usual paths, then to the demo.
 * @throws CommandLineError for a missing folder or an unrecognised kind, and for no folders with a disabled demo
 */
export async function openSources(
  context: CommandContext,
  folders: readonly string[],
  { source }: SourceOptions,
  options: OpenSourceOptions,
): Promise<OpenedSource> {
  const matches = await findFolders(context, folders, source);
  if (matches.length > 0) return openFolders(context, matches, options);
  if (options.demo === false) throw noHistories(context);
  return openDemo(
    context,
    "the demo, because no histories exist at the usual paths",
    options,
    lookedFor(context),
  );
}

/**
 * Falls back to all folders at their usual paths; each once.
 * @throws CommandLineError for a missing folder or an unrecognised kind, and for a kind without a folder
 */
export async function findFolders(
  context: CommandContext,
  folders: readonly string[],
  source?: string,
): Promise<HistoryFolder[]> {
  const all = context.parts.sources();
  const chosen = source === undefined ? undefined : supportedSource(all, source);
  const sources = chosen === undefined ? all : [chosen];
  const matches: HistoryPlace[] = folders.length === 0 ? await usualFolders(context, sources) : [];
  for (const folder of folders) {
    const places = await placesOf(folder, all, chosen);
    matches.push(...places.histories);
    for (const reason of places.leftOut) sayLeftOut(context, reason);
  }
  if (matches.length > 0 || chosen === undefined) return withoutRepeated(matches);
  throw new CommandLineError(
    `There is no ${chosen.kind}${chosen.place === undefined ? " at a usual path" : ` at ${shortened(chosen.place)}`}. Name it: agent-inspector PATH --source ${chosen.name}.`,
  );
}

export function noHistories(context: CommandContext): CommandLineError {
  const lines = ["No histories exist at the usual paths.", ...lookedFor(context)];
  return new CommandLineError(lines.join("\n"), { exitCode: NOTHING_MATCHED });
}

function lookedFor({ parts }: CommandContext): string[] {
  const sources = parts.sources();
  return [
    "Looked for:",
    ...table(
      sources.flatMap(({ kind, place }) =>
        place === undefined ? [] : [[withArticle(kind), shortened(place)]],
      ),
    ),
    `To open another folder: agent-inspector PATH. If its kind is not detected, add --source (${namesOf(sources)}).`,
  ];
}

export async function openDemo(
  { parts }: CommandContext,
  description: string,
  { pool, readAhead, onProgress }: OpenSourceOptions,
  details?: readonly string[],
): Promise<OpenedSource> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "agent-inspector-demo-"));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const stop = await parts.writeDemo(dataDir);
    const source = await supportedSource(parts.sources(), "data").open(dataDir, {
      pool,
      readAhead,
      onProgress,
    });
    const close = async () => {
      await source.close?.();
      await stop();
      await remove();
    };
    return { source, description, details, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

function sayLeftOut({ terminal }: CommandContext, reason: string): void {
  terminal.stderr.write(`${visibleLines(reason)} It is skipped.\n`);
}

async function usualFolders(
  context: CommandContext,
  sources: readonly SupportedSource[],
): Promise<HistoryPlace[]> {
  const matches: HistoryPlace[] = [];
  for (const kind of sources) {
    const { place } = kind;
    if (place === undefined) continue;
    try {
      if (await kind.recognises(place)) matches.push({ kind, folder: place });
    } catch (error) {
      if (!(error instanceof CommandLineError)) throw error;
      sayLeftOut(context, error.message);
    }
  }
  return matches;
}

async function withoutRepeated(matches: readonly HistoryPlace[]): Promise<HistoryFolder[]> {
  const opened = new Map<string, HistoryFolder>();
  for (const { kind, folder, part } of matches) {
    const key = `${kind.name} ${await realpath(folder)}`;
    const before: HistoryFolder = opened.get(key) ?? { kind, folder, parts: [] };
    if (before.parts === undefined) continue;
    opened.set(key, { kind, folder, parts: part && [...before.parts, part] });
  }
  return [...opened.values()];
}

export interface HistoryFolder {
  readonly kind: SupportedSource;
  readonly folder: string;
  readonly parts?: readonly FolderPart[] | undefined;
}

function labelOf({ folder, parts }: HistoryFolder): string {
  return parts?.[0]?.folder ?? folder;
}

async function openFolders(
  context: CommandContext,
  wanted: readonly HistoryFolder[],
  { cache, onProgress, demo = true, sourceTimeoutMs, ...options }: OpenSourceOptions,
): Promise<OpenedSource> {
  const { parts, terminal } = context;
  const cacheDir = cache ? await usableCacheDir(terminal) : undefined;
  const opening = wanted.map(async (one) => {
    const { kind, folder, parts: some } = one;
    const { key, name } = nameOf(one, wanted);
    const report = (progress: ListProgress) => onProgress?.(progress, wanted.length > 1 ? name : undefined);
    const source = await kind.open(folder, { ...options, onProgress: report, cacheDir });
    const close = async () => source.close?.();
    const tenants = some?.map(({ tenantId }) => tenantId);
    return { one, key, name, source: tenants ? { ...scopeToTenants(source, tenants), close } : source };
  });
  const opened = await withoutUnusable(context, opening);
  const matches = opened.map(({ one }) => one);

  const source = await parts.combine(
    opened.map(({ one: _, ...rest }) => rest),
    {
      timeoutMs: sourceTimeoutMs,
      onError(error, { key }) {
        // Commands that print an answer report the missing source with it.
        const isExpected = error instanceof SourceUnavailableError;
        if (isExpected && !demo) return;
        const name = opened.find((one) => one.key === key)?.name ?? key;
        terminal.stderr.write(`${visibleLines(`${name}: ${isExpected ? error.message : inspect(error)}`)}\n`);
      },
    },
  );
  const close = async () => source.close?.();
  const [first, another] = matches as [HistoryFolder, HistoryFolder?];
  if (another === undefined) {
    const { kind, folder, parts: some } = first;
    const what = (await isFile(folder))
      ? `a file of ${kind.title}: ${shortened(folder)}`
      : `the ${kind.kind} ${shortened(folder)}`;
    const ownPrices = await kind.ownPrices?.(folder);
    if (some === undefined) return { source, kind, ownPrices, description: what, close };
    const named = some.length === 1 ? shortened(labelOf(first)) : `${some.length} parts`;
    return { source, kind, description: `${named} of ${what}`, close };
  }
  for (const { kind, folder } of matches) {
    if ((await kind.ownPrices?.(folder)) !== undefined) {
      terminal.stderr.write(
        `${shortened(folder)} contains its own prices. They are not used together with other histories.\n`,
      );
    }
  }
  const details = table(opened.map(({ one, name }) => [visibleText(name), shortened(labelOf(one))]));
  return { source, description: `${matches.length} sources`, details, close };
}

async function withoutUnusable<T>(
  context: CommandContext,
  opening: readonly Promise<T>[],
): Promise<readonly T[]> {
  const settled = await Promise.allSettled(opening);
  const failures = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  const fatal = failures.find((error) => !(error instanceof CommandLineError));
  if (fatal !== undefined || failures.length === settled.length) throw fatal ?? failures[0];
  for (const error of failures) sayLeftOut(context, (error as CommandLineError).message);
  return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

/** Paths distinguish several folders of a kind, so that addresses do not depend on the other sources. */
function nameOf(folder: HistoryFolder, all: readonly HistoryFolder[]) {
  const { kind } = folder;
  const label = labelOf(folder);
  const alike = all.filter((one) => one.kind.name === kind.name);
  if (alike.length === 1) return { key: kind.name, name: kind.title };
  const full = path.resolve(label);
  const parts = full.split(path.sep);
  const endOf = (place: string, length: number) =>
    path.resolve(place).split(path.sep).slice(-length).join("/");
  const length = parts.findIndex(
    (_, i) => alike.filter((one) => endOf(labelOf(one), i + 1) === endOf(label, i + 1)).length === 1,
  );
  return {
    key: `${kind.name}-${fingerprint(full)}`,
    name: `${kind.title} ${endOf(label, length + 1)}`,
  };
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  return inColumns(rows).map((line) => `  ${line.trimEnd()}`);
}

export function shortened(folder: string): string {
  const inHome = path.relative(homedir(), folder);
  const isInHome = path.isAbsolute(folder) && inHome !== "" && !inHome.startsWith("..");
  return visibleText(isInHome ? path.join("~", inHome) : folder);
}
