import { stat } from "node:fs/promises";
import path from "node:path";
import { visibleText } from "../../domain/text/visible-text.js";
import type { KnownSource } from "./parts.js";
import { CommandLineError, codeOf } from "./terminal.js";

/** @throws CommandLineError for a name that is none */
export function knownSource(known: readonly KnownSource[], name: string): KnownSource {
  const kind = known.find((one) => one.name === name);
  if (kind !== undefined) return kind;
  throw new CommandLineError(
    `There is no kind of source "${visibleText(name)}". Known are ${namesOf(known)}.`,
  );
}

export function namesOf(known: readonly KnownSource[]): string {
  return known.map(({ name }) => name).join(", ");
}

/**
 * What a folder, or a file, that was named is.
 *
 * @param said what its user says it is
 * @throws CommandLineError for one that is missing or of no kind that can be told: it says what to name instead, and how
 */
export async function kindOf(
  folder: string,
  known: readonly KnownSource[],
  said?: KnownSource,
): Promise<KnownSource> {
  const stats = await statOf(folder);
  if (stats === undefined) throw new CommandLineError(`There is no folder "${visibleText(folder)}".`);
  if (said !== undefined && (stats.isDirectory() || said.takesFiles)) return said;
  const [kind, other] = await recognisedIn(folder, known);
  if (other !== undefined) {
    throw new CommandLineError(
      `"${visibleText(folder)}" may be a ${kind?.kind} or a ${other.kind}. Say which: --source ${kind?.name}, or --source ${other.name}.`,
    );
  }
  if (kind !== undefined) return kind;
  const better = (await foldersInside(folder, known)) ?? (await folderAround(folder, known));
  if (better !== undefined) throw new CommandLineError(`"${visibleText(folder)}" ${better}`);
  if (!stats.isDirectory()) {
    const some = known.filter(({ takesFiles }) => takesFiles);
    const ways = some.map(
      ({ name, title }) => ` Where it holds histories of ${title}, add --source ${name}.`,
    );
    throw new CommandLineError(
      `"${visibleText(folder)}" is a file. Name the folder that the histories lie in.${ways.join("")}`,
    );
  }
  const kinds = known.map((one) => `no ${one.kind}: there is no ${one.required}`).join(",\n  ");
  throw new CommandLineError(
    `"${visibleText(folder)}" is ${kinds}.\nWhere it is one of them nevertheless, say which with --source (${namesOf(known)}).`,
  );
}

async function recognisedIn(folder: string, known: readonly KnownSource[]): Promise<KnownSource[]> {
  const found: KnownSource[] = [];
  for (const kind of known) if (await kind.recognises(folder)) found.push(kind);
  return found;
}

/** A home folder, or a tool's own: what to show lies in it. */
async function foldersInside(folder: string, known: readonly KnownSource[]): Promise<string | undefined> {
  const found: string[] = [];
  for (const kind of known) {
    for (const name of kind.inside) {
      const inside = path.join(folder, name);
      if (await kind.recognises(inside)) found.push(`the ${kind.kind} ${visibleText(inside)}`);
    }
  }
  return found.length === 0 ? undefined : `holds ${found.join(" and ")}. Name that instead.`;
}

/** How far up a folder is looked for that the named one is a part of: a project, a month, a session. */
const LEVELS_UP = 4;

async function folderAround(folder: string, known: readonly KnownSource[]): Promise<string | undefined> {
  // Any part of a folder of traces can be named by itself.
  const wholes = known.filter(({ inside }) => inside.length > 0);
  let around = path.resolve(folder);
  for (let level = 0; level < LEVELS_UP; level++) {
    around = path.dirname(around);
    const [kind] = await recognisedIn(around, wholes);
    if (kind !== undefined) return `is a part of the ${kind.kind} ${visibleText(around)}. Name that instead.`;
  }
  return undefined;
}

export async function isFolder(file: string): Promise<boolean> {
  return (await statOf(file))?.isDirectory() ?? false;
}

export async function isFile(file: string): Promise<boolean> {
  return (await statOf(file))?.isFile() ?? false;
}

async function statOf(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CommandLineError(`"${visibleText(file)}" cannot be read (${code}).`, { cause: error });
  }
}
