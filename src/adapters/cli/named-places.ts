import { readdir } from "node:fs/promises";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import { visibleText } from "../../domain/text/visible-text.js";
import { namesOf, statOf } from "./known-sources.js";
import type { KnownSource } from "./parts.js";
import { CommandLineError, codeOf, orExplain } from "./terminal.js";

/** A folder, or a file, that is opened. */
export interface FoundPlace {
  readonly kind: KnownSource;
  readonly folder: string;
  /** The folder in it that was named: nothing else of it is shown. Default is that all of it is. */
  readonly part?: FolderPart | undefined;
}

/** A folder in a folder of histories that holds all that is one tenant's: a project. */
export interface FolderPart {
  readonly folder: string;
  readonly tenantId: string;
}

export interface NamedPlaces {
  readonly found: readonly FoundPlace[];
  /** What in the named folder is not shown, and why: a sentence each. */
  readonly leftOut: readonly string[];
}

/**
 * What is opened for a folder, or a file, that was named: itself; what lies in it, at the usual places as in a home folder, or each in a
 * folder of its own; or the whole that it is a part of, of which only that part is shown.
 *
 * @param said what its user says it is
 * @throws CommandLineError for one that is missing or of no kind that can be told: it says what to name instead, and how
 */
export async function placesOf(
  named: string,
  known: readonly KnownSource[],
  said?: KnownSource,
): Promise<NamedPlaces> {
  const stats = await statOf(named);
  if (stats === undefined) throw new CommandLineError(`There is no file or folder ${quoted(named)}.`);
  const isFolder = stats.isDirectory();
  if (said !== undefined && !isFolder && !said.takesFiles) {
    throw new CommandLineError(`${quoted(named)} is a file, and a ${said.kind} is a folder. Name that.`);
  }
  const wanted = said === undefined ? known : [said];
  if (!isFolder) {
    const here = await placeAt(named, wanted);
    if (here.length > 0) return all(here);
    if (said !== undefined) return all([whole(said, named)]);
  }
  const search: Search = { known: wanted, leftOut: [], foldersLeft: MOST_FOLDERS };
  const itself = isFolder ? await placeAt(named, wanted.filter(hasLayout)) : [];
  if (itself.length > 0) return all(itself);
  const around = await placeAround(named, wanted);
  if (around?.part !== undefined) return all([around]);
  const found = isFolder ? await placesWithin(named, LEVELS_BELOW, search) : [];
  if (found.length > 0) return { found, leftOut: search.leftOut };
  if (said !== undefined) return all([whole(said, named)]);
  if (around !== undefined) {
    const { kind, folder } = around;
    throw new CommandLineError(
      `${quoted(named)} is a part of the ${kind.kind} ${visibleText(folder)}. Name that instead.`,
    );
  }
  throw new CommandLineError(`${quoted(named)} ${isFolder ? noFolder(known) : noFile(known)}`);
}

function all(found: readonly FoundPlace[]): NamedPlaces {
  return { found, leftOut: [] };
}

const quoted = (named: string) => `"${visibleText(named)}"`;

function whole(kind: KnownSource, folder: string): FoundPlace {
  return { kind, folder };
}

/**
 * What a folder, or a file, itself is; nothing for what is of no kind.
 *
 * @throws CommandLineError where it may be of several
 */
async function placeAt(place: string, known: readonly KnownSource[]): Promise<FoundPlace[]> {
  const kinds: KnownSource[] = [];
  for (const kind of known) if (await recognises(kind, place)) kinds.push(kind);
  if (kinds.length < 2) return kinds.map((kind) => whole(kind, place));
  const what = kinds.map(({ kind }) => `a ${kind}`).join(" or ");
  const ways = kinds.map(({ name }) => `--source ${name}`).join(", or ");
  throw new CommandLineError(`${quoted(place)} may be ${what}. Say which: ${ways}.`);
}

/** What may not be read is not recognised. */
async function recognises(kind: KnownSource, place: string): Promise<boolean> {
  try {
    return await kind.recognises(place);
  } catch (error) {
    if (error instanceof SourceUnavailableError) return false;
    throw error;
  }
}

interface Search {
  readonly known: readonly KnownSource[];
  readonly leftOut: string[];
  /** How many folders may still be looked into. */
  foldersLeft: number;
}

/** How deep below a folder, and in how many folders, histories are looked for. */
const LEVELS_BELOW = 3;
const MOST_FOLDERS = 300;

async function placesIn(folder: string, levels: number, search: Search): Promise<readonly FoundPlace[]> {
  const itself = await placeAt(folder, search.known.filter(hasLayout));
  return itself.length > 0 ? itself : placesWithin(folder, levels, search);
}

/** Histories of several tools may lie side by side in a folder that has the layout of none. */
async function placesWithin(folder: string, levels: number, search: Search): Promise<readonly FoundPlace[]> {
  const inside = await usualPlacesIn(folder, search.known);
  if (inside.length > 0) return inside;
  const before = search.leftOut.length;
  const below = await placesBelow(folder, levels, search);
  const kinds = new Set(below.map(({ kind }) => kind));
  if (kinds.size > 1 || [...kinds].some(hasLayout)) return below;
  const anyDepth = search.known.filter((kind) => !hasLayout(kind));
  const here = await placeAt(folder, anyDepth);
  // It is opened as one, with whatever lies in it.
  if (here.length > 0) search.leftOut.length = before;
  return here;
}

/** Whether its files lie at places of their own: other kinds are found at any depth, so that what lies near them tells nothing. */
function hasLayout({ isAnyDepth }: KnownSource): boolean {
  return !isAnyDepth;
}

/** A home folder, or a tool's own: what to show lies in it. */
async function usualPlacesIn(folder: string, known: readonly KnownSource[]): Promise<FoundPlace[]> {
  const found: FoundPlace[] = [];
  for (const kind of known) {
    for (const name of kind.inside) {
      const inside = path.join(folder, name);
      if (await recognises(kind, inside)) found.push(whole(kind, inside));
    }
  }
  return found;
}

/** Neither links nor hidden folders are followed. A folder that cannot be read or told costs only what lies in it. */
async function placesBelow(folder: string, levels: number, search: Search): Promise<FoundPlace[]> {
  if (levels === 0) return [];
  const found: FoundPlace[] = [];
  for (const name of await foldersIn(folder)) {
    if (search.foldersLeft-- === 0) {
      search.leftOut.push(`${quoted(folder)} holds more folders than are looked into.`);
    }
    if (search.foldersLeft < 0) break;
    try {
      const inside = path.join(folder, name);
      found.push(...(await placesIn(inside, levels - 1, search)));
    } catch (error) {
      if (!(error instanceof CommandLineError)) throw error;
      search.leftOut.push(error.message);
    }
  }
  return found;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await orExplain(
    () => readdir(folder, { withFileTypes: true }),
    (error) => codeOf(error) && `${quoted(folder)} cannot be read (${codeOf(error)}).`,
  );
  const folders = entries.filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
  return folders.map(({ name }) => name).sort();
}

/** How far up a folder is looked for that the named one is a part of: a project, a month, a session. */
const LEVELS_UP = 4;

async function placeAround(named: string, known: readonly KnownSource[]): Promise<FoundPlace | undefined> {
  const wholes = known.filter(hasLayout);
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

function noFolder(known: readonly KnownSource[]): string {
  const folders = known.filter(({ place }) => place !== undefined);
  const kinds = folders.map((one) => `no ${one.kind}: there is no ${one.required}`).join(",\n  ");
  return `is ${kinds}.\nWhere it is one of them nevertheless, say which with --source (${namesOf(folders)}).`;
}

function noFile(known: readonly KnownSource[]): string {
  const some = known.filter(({ takesFiles }) => takesFiles);
  const titles = some.map(({ title }) => title).join(", ");
  return (
    `is a file in which no history is recognised (${titles}). Name a file of one, or the folder that the histories lie in.\n` +
    `Where it is one nevertheless, say which with --source (${namesOf(some)}).`
  );
}
