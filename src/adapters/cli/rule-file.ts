import { readFile } from "node:fs/promises";
import { AgentAppConfigurationError } from "../../application/errors.js";
import type { OwnRule } from "../../application/ports/export.js";
import { visibleText } from "../../domain/text/visible-text.js";
import type { CommandLineParts } from "./parts.js";
import { codeOf, orExplain } from "./terminal.js";

export interface RuleOptions {
  /** A file of own rules for what is removed from exported sessions. Default is none. */
  readonly rules?: string | undefined;
}

/** @throws CommandLineError for a file that cannot be read, or that holds no rules */
export async function rulesIn(
  { rules: file }: RuleOptions,
  parts: Pick<CommandLineParts, "rulesOf">,
): Promise<readonly OwnRule[] | undefined> {
  if (file === undefined) return undefined;
  const text = await orExplain(
    () => readFile(file, "utf8"),
    (error) => `The rules in "${visibleText(file)}" cannot be read (${codeOf(error)}).`,
  );
  return orExplain(
    () => parts.rulesOf(text),
    (error) => (error instanceof AgentAppConfigurationError ? error.message : undefined),
  );
}
