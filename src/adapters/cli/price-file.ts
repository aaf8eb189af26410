import { readFile } from "node:fs/promises";
import type { PriceTable } from "../../application/ports/price-table.js";
import type { CommandLineParts } from "./parts.js";
import { CommandLineError, codeOf } from "./terminal.js";

export interface PriceOptions {
  /** A file of prices; `false` for none at all. Default is the bundled ones. */
  readonly prices?: string | false | undefined;
}

/** @throws CommandLineError for a file that cannot be read, or that holds no prices: it names the line or the member */
export async function pricesIn(
  { prices: file }: PriceOptions,
  parts: Pick<CommandLineParts, "pricesOf">,
): Promise<PriceTable> {
  if (file === undefined || file === false) return parts.pricesOf(file);
  const prices = parse(await read(file), file);
  try {
    return await parts.pricesOf(prices);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandLineError(`The prices in "${file}" cannot be used. ${error.message}`, { cause: error });
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandLineError(`The prices in "${file}" cannot be read (${codeOf(error)}).`, {
      cause: error,
    });
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandLineError(
      `The prices in "${file}" are no JSON${placeOf(error, text)}: ${error.message.replace(/\s+/g, " ")}.`,
      { cause: error },
    );
  }
}

/** Of an error that says where it is: others quote the text there, and a text that breaks off has it at its end. */
function placeOf({ message }: SyntaxError, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const end = /^Unexpected end/.test(message) ? text.length : undefined;
  const at = position === undefined ? end : Number(position);
  return at === undefined ? "" : ` in line ${text.slice(0, at).split("\n").length}`;
}
