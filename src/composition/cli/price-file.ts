import { readFile } from "node:fs/promises";
import type { ModelPrices } from "../../adapters/prices/own-prices.js";
import { priceTableOf } from "../../adapters/prices/price-table.js";
import { CommandLineError } from "./command-line-error.js";

export interface PriceOptions {
  /** A file of prices; `false` for none at all. Default is the bundled ones. */
  readonly prices?: string | false | undefined;
}

/** @throws CommandLineError for a file that cannot be read, or that holds no prices: it names the line or the member */
export async function pricesIn({ prices: file }: PriceOptions): Promise<ModelPrices | false | undefined> {
  if (file === undefined || file === false) return file;
  const prices = parse(await read(file), file);
  try {
    priceTableOf(prices);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandLineError(`The prices in "${file}" cannot be used. ${error.message}`, { cause: error });
  }
  return prices;
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandLineError(`The prices in "${file}" cannot be read (${code}).`, { cause: error });
  }
}

function parse(text: string, file: string): ModelPrices {
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
