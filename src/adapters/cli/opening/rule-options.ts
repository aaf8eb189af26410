import type { OwnRule } from "../../../application/ports/export.js";
import { takeFile } from "./option-file.js";
import type { CommandLineParts } from "./parts.js";

export interface RuleOptions {
  readonly rules?: string | undefined;
}

/** @throws CommandLineError for a file that cannot be read, or without rules */
export async function rulesIn(
  { rules: file }: RuleOptions,
  parts: Pick<CommandLineParts, "rulesOf">,
): Promise<readonly OwnRule[] | undefined> {
  return file === undefined ? undefined : takeFile(file, "rules", parts.rulesOf);
}
