import type { OwnRule } from "../../application/ports/export.js";
import { takeFile } from "./option-file.js";
import type { CommandLineParts } from "./parts.js";

export interface RuleOptions {
  /** A file with custom rules for removals from exported sessions. Default is no file. */
  readonly rules?: string | undefined;
}

/** @throws CommandLineError for a file that cannot be read, or that holds no rules */
export async function rulesIn(
  { rules: file }: RuleOptions,
  parts: Pick<CommandLineParts, "rulesOf">,
): Promise<readonly OwnRule[] | undefined> {
  return file === undefined ? undefined : takeFile(file, "rules", parts.rulesOf);
}
