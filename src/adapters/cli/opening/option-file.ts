import { readFile } from "node:fs/promises";
import { AgentAppConfigurationError } from "../../../application/errors.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { codeOf, orExplain } from "../text/terminal.js";

/** False for the name of a package: no file of the current folder replaces that. */
export function isModulePath(module: string): boolean {
  return /^(?:\.{1,2}|[a-z]:)?[\\/]|\.[cm]?[jt]s$/i.test(module);
}

/**
 * @param what name of its content for people: `prices`
 * @param take converts its value. Its `TypeError` or `AgentAppConfigurationError` describes an invalid value
 * @throws CommandLineError for a file that cannot be read or used: it names the line or the member
 */
export async function takeFile<T>(
  file: string,
  what: string,
  take: (value: unknown) => Promise<T>,
): Promise<T> {
  const named = `The ${what} in "${visibleText(file)}"`;
  const text = await orExplain(
    () => readFile(file, "utf8"),
    (error) => `${named} cannot be read (${codeOf(error)}).`,
  );
  const value: unknown = await orExplain(
    () => JSON.parse(text),
    (error) => (error instanceof SyntaxError ? `${named} are no JSON${whereIn(error, text)}.` : undefined),
  );
  return takeValue(named, () => take(value));
}

export function takeValue<T>(named: string, take: () => Promise<T>, advice = ""): Promise<T> {
  return orExplain(take, (error) =>
    error instanceof TypeError || error instanceof AgentAppConfigurationError
      ? `${named} cannot be used. ${error.message}${advice}`
      : undefined,
  );
}

function whereIn({ message }: SyntaxError, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const end = /^Unexpected end/.test(message) ? text.length : undefined;
  const at = position === undefined ? end : Number(position);
  const line = at === undefined ? "" : ` in line ${text.slice(0, at).split("\n").length}`;
  return `${line}: ${message.replace(/\s+/g, " ")}`;
}
