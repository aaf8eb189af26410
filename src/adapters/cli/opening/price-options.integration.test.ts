import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMAND_LINE_PARTS } from "../../../composition/command-line-parts.js";
import { CommandLineError } from "../text/terminal.js";
import { pricesIn } from "./price-options.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "price-file-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function priceFile(text: string): Promise<string> {
  const file = path.join(folder, "prices.json");
  await writeFile(file, text);
  return file;
}

/** Returns the cost of a token that is read. */
async function priceOf(prices: string | false | undefined, model: string): Promise<number | undefined> {
  const ratesOf = await (await pricesIn({ prices }, COMMAND_LINE_PARTS)).load();
  return ratesOf({ model, at: 0, contextTokens: 0 })?.input;
}

describe("A file of prices", () => {
  it("is read", async () => {
    const file = await priceFile('{ "my-model": { "input": 1, "output": 2 } }');
    expect(await priceOf(file, "my-model")).toBe(1e-6);
  });

  it("is that of the package where none is named, and none where none is wanted", async () => {
    expect(await priceOf(undefined, "claude-sonnet-4-5")).toBe(3e-6);
    expect(await priceOf(false, "claude-sonnet-4-5")).toBeUndefined();
  });

  it.each([
    ['{\n  "m": { "input": 1, }\n}', "are no JSON in line 2: Expected double-quoted property name"],
    ['{\n  "m": {', "are no JSON in line 2: "],
    ['{\n  "m": x }', 'are no JSON: Unexpected token \'x\', "{ "m": x }" is not valid JSON.'],
    ['{\n  "m": { "input": 1 } }', 'cannot be used. "m": "output" is missing.'],
    ["3", "cannot be used. It has to be an object"],
  ])("is refused where it holds %j", async (text, problem) => {
    const file = await priceFile(text);
    const refused = expect(pricesIn({ prices: file }, COMMAND_LINE_PARTS)).rejects;
    await refused.toThrow(CommandLineError);
    await expect(pricesIn({ prices: file }, COMMAND_LINE_PARTS)).rejects.toThrow(
      `The prices in "${file}" ${problem}`,
    );
  });

  it("is refused where it is not there", async () => {
    const file = path.join(folder, "gone.json");
    await expect(pricesIn({ prices: file }, COMMAND_LINE_PARTS)).rejects.toThrow(
      `The prices in "${file}" cannot be read (ENOENT).`,
    );
  });
});
