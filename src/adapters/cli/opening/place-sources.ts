import { readdir } from "node:fs/promises";
import path from "node:path";
import { SourceUnavailableError } from "../../../application/errors.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { CommandLineError, codeOf, orExplain } from "../text/terminal.js";
import type { SupportedSource } from "./parts.js";
import { namesOf, statOf } from "./supported-sources.js";

export interface HistoryPlace {
  readonly kind: SupportedSource;
  readonly folder: string;
  readonly part?: FolderPart | undefined;
}

export interface FolderPart {
  readonly folder: string;
  readonly tenantId: string;
}

export interface NamedPlaces {
  readonly histories: readonly HistoryPlace[];
  readonly leftOut: readonly string[];
}

/**
 * Returns the path itself, or histories in it: at the usual paths as in a home folder, or in separate folders. A part of a larger source
 * is that source, limited to the part.
 * @param chosen kind of source according to the user
 * @throws CommandLineError for a missing path, or one without a recognisable kind
 */
export async function placesOf(
  named: string,
  sources: readonly SupportedSource[],
  chosen?: SupportedSource,
): Promise<NamedPlaces> {
  const stats = await statOf(named);
  if (stats === undefined) throw new CommandLineError(`There is no file or folder ${quoted(named)}.`);
  const isFolder = stats.isDirectory();
  if (chosen !== undefined && !isFolder && !chosen.takesFiles) {
    throw new CommandLineError(
      `${quoted(named)} is a file, and ${withArticle(chosen.kind)} is a folder. Name that.`,
    );
  }
  const wanted = chosen === undefined ? sources : [chosen];
  if (!isFolder) {
    const here = await placeAt(named, wanted);
    if (here.length > 0) return all(here);
    if (chosen !== undefined) return all([completePlace(chosen, named)]);
  }
  const search: Search = { sources: wanted, leftOut: [], foldersLeft: MOST_FOLDERS };
  const itself = isFolder ? await placeAt(named, wanted.filter(hasLayout)) : [];
  if (itself.length > 0) return all(itself);
  const around = await placeAround(named, wanted);
  if (around?.part !== undefined) return all([around]);
  const histories = isFolder ? await placesWithin(named, LEVELS_BELOW, search) : [];
  if (histories.length > 0) return { histories, leftOut: search.leftOut };
  if (chosen !== undefined) return all([completePlace(chosen, named)]);
  if (around !== undefined) {
    const { kind, folder } = around;
    throw new CommandLineError(
      `${quoted(named)} is a part of the ${kind.kind} ${visibleText(folder)}. Name that instead.`,
    );
  }
  throw new CommandLineError(`${quoted(named)} ${isFolder ? noFolder(sources) : noFile(sources)}`);
}

function all(histories: readonly HistoryPlace[]): NamedPlaces {
  return { histories, leftOut: [] };
}

const quoted = (named: string) => `"${visibleText(named)}"`;

function completePlace(kind: SupportedSource, folder: string): HistoryPlace {
  return { kind, folder };
}

/**
 * Returns the source at a path itself; `undefined` if its kind is not recognised.
 *
 * @throws CommandLineError if it may be of several kinds
 */
async function placeAt(place: string, sources: readonly SupportedSource[]): Promise<HistoryPlace[]> {
  const kinds: SupportedSource[] = [];
  for (const kind of sources) if (await recognises(kind, place)) kinds.push(kind);
  if (kinds.length < 2) return kinds.map((kind) => completePlace(kind, place));
  const what = kinds.map(({ kind }) => withArticle(kind)).join(" or ");
  const ways = kinds.map(({ name }) => `--source ${name}`).join(", or ");
  throw new CommandLineError(`${quoted(place)} may be ${what}. Say which: ${ways}.`);
}

async function recognises(kind: SupportedSource, place: string): Promise<boolean> {
  try {
    return await kind.recognises(place);
  } catch (error) {
    if (error instanceof SourceUnavailableError) return false;
    throw error;
  }
}

interface Search {
  readonly sources: readonly SupportedSource[];
  readonly leftOut: string[];
  foldersLeft: number;
}

const LEVELS_BELOW = 3;
const MOST_FOLDERS = 300;

async function placesIn(folder: string, levels: number, search: Search): Promise<readonly HistoryPlace[]> {
  const itself = await placeAt(folder, search.sources.filter(hasLayout));
  return itself.length > 0 ? itself : placesWithin(folder, levels, search);
}

/** Histories of several tools may lie side by side in a folder that has the layout of none. */
async function placesWithin(
  folder: string,
  levels: number,
  search: Search,
): Promise<readonly HistoryPlace[]> {
  const inside = await usualPlacesIn(folder, search.sources);
  if (inside.length > 0) return inside;
  const before = search.leftOut.length;
  const below = await placesBelow(folder, levels, search);
  const kinds = new Set(below.map(({ kind }) => kind));
  if (kinds.size > 1 || [...kinds].some(hasLayout)) return below;
  const anyDepth = search.sources.filter((kind) => !hasLayout(kind));
  const here = await placeAt(folder, anyDepth);
  if (here.length > 0) search.leftOut.length = before;
  return here;
}

/** Other kinds are discovered at any depth, so nearby files give no information. */
function hasLayout({ isAnyDepth }: SupportedSource): boolean {
  return !isAnyDepth;
}

async function usualPlacesIn(folder: string, sources: readonly SupportedSource[]): Promise<HistoryPlace[]> {
  const histories: HistoryPlace[] = [];
  for (const kind of sources) {
    for (const name of kind.inside) {
      const inside = path.join(folder, name);
      if (await recognises(kind, inside)) histories.push(completePlace(kind, inside));
    }
  }
  return histories;
}

/** Follows neither links nor hidden folders. An unreadable folder affects only its own content. */
async function placesBelow(folder: string, levels: number, search: Search): Promise<HistoryPlace[]> {
  if (levels === 0) return [];
  const histories: HistoryPlace[] = [];
  for (const name of await foldersIn(folder)) {
    if (search.foldersLeft-- === 0) {
      search.leftOut.push(`${quoted(folder)} exceeds the limit of searched folders.`);
    }
    if (search.foldersLeft < 0) break;
    try {
      const inside = path.join(folder, name);
      histories.push(...(await placesIn(inside, levels - 1, search)));
    } catch (error) {
      if (!(error instanceof CommandLineError)) throw error;
      search.leftOut.push(error.message);
    }
  }
  return histories;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await orExplain(
    () => readdir(folder, { withFileTypes: true }),
    (error) => codeOf(error) && `${quoted(folder)} cannot be read (${codeOf(error)}).`,
  );
  const folders = entries.filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
  return folders.map(({ name }) => name).sort();
}

const LEVELS_UP = 4;

async function placeAround(
  named: string,
  sources: readonly SupportedSource[],
): Promise<HistoryPlace | undefined> {
  const wholes = sources.filter(hasLayout);
  const part = path.resolve(named);
  let folder = part;
  for (let level = 0; level < LEVELS_UP; level++) {
    folder = path.dirname(folder);
    for (const kind of wholes) {
      if (!(await recognises(kind, folder))) continue;
      const tenantId = await kind.tenantIn?.(folder, part);
      return { kind, folder, part: tenantId === undefined ? undefined : { folder: named, tenantId } };
    }
  }
  return undefined;
}

function noFolder(sources: readonly SupportedSource[]): string {
  const folders = sources.filter(({ place }) => place !== undefined);
  const kinds = folders.map((one) => `no ${one.kind}: there is no ${one.required}`).join(",\n  ");
  return `is ${kinds}.\nWhere it is one of them nevertheless, say which with --source (${namesOf(folders)}).`;
}

function noFile(sources: readonly SupportedSource[]): string {
  const some = sources.filter(({ takesFiles }) => takesFiles);
  const titles = some.map(({ title }) => title).join(", ");
  return (
    `is a file in which no history is recognised (${titles}). Name a file of one, or the folder that the histories lie in.\n` +
    `Where it is one nevertheless, say which with --source (${namesOf(some)}).`
  );
}

/** @example withArticle("OpenCode data directory") // "an OpenCode data directory" */
export function withArticle(kind: string): string {
  return `${/^[aeiou]/i.test(kind) ? "an" : "a"} ${kind}`;
}
