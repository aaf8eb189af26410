import { readFile } from "node:fs/promises";
import type { PriceTable } from "../../application/ports/price-table.js";
import { visibleText } from "../../domain/text/visible-text.js";
import type { CommandLineParts } from "./parts.js";
import { codeOf, orExplain } from "./terminal.js";

export interface PriceOptions {
  /** A file of prices; `false` for none at all. Default is the bundled ones. */
  readonly prices?: string | false | undefined;
}

/**
 * @param brought what the histories bring themselves: where the options say nothing
 * @throws CommandLineError for a file that cannot be read, or that holds no prices: it names the line or the member
 */
export async function pricesIn(
  { prices: file }: PriceOptions,
  parts: Pick<CommandLineParts, "pricesOf">,
  brought?: unknown,
): Promise<PriceTable> {
  if (file === false) return parts.pricesOf(false);
  if (file === undefined) {
    return orExplain(
      () => parts.pricesOf(brought),
      (error) =>
        error instanceof TypeError
          ? `The prices in what is opened cannot be used. ${error.message} Name others with --prices, or none with --no-prices.`
          : undefined,
    );
  }
  const text = await orExplain(
    () => readFile(file, "utf8"),
    (error) => `The prices in "${visibleText(file)}" cannot be read (${codeOf(error)}).`,
  );
  const prices: unknown = await orExplain(
    () => JSON.parse(text),
    (error) =>
      error instanceof SyntaxError
        ? `The prices in "${visibleText(file)}" are no JSON${whereIn(error, text)}.`
        : undefined,
  );
  return orExplain(
    () => parts.pricesOf(prices),
    (error) =>
      error instanceof TypeError
        ? `The prices in "${visibleText(file)}" cannot be used. ${error.message}`
        : undefined,
  );
}

/** Of an error that says where it is: others quote the text there, and a text that breaks off has it at its end. */
function whereIn({ message }: SyntaxError, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const end = /^Unexpected end/.test(message) ? text.length : undefined;
  const at = position === undefined ? end : Number(position);
  const line = at === undefined ? "" : ` in line ${text.slice(0, at).split("\n").length}`;
  return `${line}: ${message.replace(/\s+/g, " ")}`;
}
