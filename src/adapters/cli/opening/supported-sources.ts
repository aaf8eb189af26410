import { stat } from "node:fs/promises";
import { visibleText } from "../../../domain/text/visible-text.js";
import { CommandLineError, codeOf } from "../text/terminal.js";
import type { SupportedSource } from "./parts.js";

/** @throws CommandLineError for a name that does not exist */
export function supportedSource(sources: readonly SupportedSource[], name: string): SupportedSource {
  const kind = sources.find((one) => one.name === name);
  if (kind !== undefined) return kind;
  throw new CommandLineError(
    `There is no kind of source "${visibleText(name)}". Supported kinds: ${namesOf(sources)}.`,
  );
}

export function namesOf(sources: readonly SupportedSource[]): string {
  return sources.map(({ name }) => name).join(", ");
}

export async function isFolder(file: string): Promise<boolean> {
  return (await statOf(file))?.isDirectory() ?? false;
}

export async function isFile(file: string): Promise<boolean> {
  return (await statOf(file))?.isFile() ?? false;
}

/**
 * Follows links. `undefined` if the path does not exist.
 * @throws CommandLineError if access is denied
 */
export async function statOf(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CommandLineError(`"${visibleText(file)}" cannot be read (${code}).`, { cause: error });
  }
}
