import { type Command, InvalidArgumentError, Option } from "commander";

const option = (flags: string, description: string) => new Option(flags, description);

export const PATHS = "folders or files of histories; without any, all at their usual places here";

const OPTIONS = {
  source: () => option("--source <name>", 'kind of the folders: "agent-inspector sources --help" lists them'),
  plugin: () =>
    option(
      "--plugin <module>",
      "run the code of this file or package, to read one more kind of histories",
    ).argParser((module: string, others: readonly string[] = []) => [...new Set([...others, module])]),
  database: () => option("--database-url <url>", "read a PostgreSQL database instead of folders"),
  "no-cache": () => option("--no-cache", "read every file again, and write no cache"),
  prices: () => option("--prices <file>", "prices of models, as JSON, used before the bundled ones"),
  "no-prices": () => option("--no-prices", "use only costs that the histories record"),
  rules: () => option("--rules <file>", "more rules for what to remove from exported sessions, as JSON"),
  port: () =>
    option("-p, --port <number>", "port to listen on; 0 picks a free one")
      .argParser(portNumber)
      .default(4680),
  host: () => option("--host <address>", "address to listen on; there is no password").default("127.0.0.1"),
  "no-open": () => option("--no-open", "do not open a browser"),
  tenant: () => option("--tenant <name>", "only sessions of this tenant, or of the project in this folder"),
  filter: () => option("--filter <filter>", "only sessions that match"),
} satisfies { readonly [name: string]: () => Option };

type OptionName = keyof typeof OPTIONS;

export const READING = ["source", "plugin", "database", "no-cache"] as const satisfies OptionName[];
export const PRICING = ["prices", "no-prices"] as const satisfies OptionName[];
export const SERVING = ["host", "no-open"] as const satisfies OptionName[];

export function addOptions<C extends Command>(command: C, ...names: readonly OptionName[]): C {
  for (const name of names) command.addOption(OPTIONS[name]());
  return command;
}

export function numberIn(from: number, to: number, problem: string, all?: number): (text: string) => number {
  const digits = new RegExp(`^\\d{1,${String(to).length}}$`);
  return (text) => {
    if (text === "all" && all !== undefined) return all;
    const number = digits.test(text) ? Number(text) : Number.NaN;
    if (number >= from && number <= to) return number;
    throw new InvalidArgumentError(problem);
  };
}

export const portNumber = numberIn(0, 65_535, "A port is a number from 0 to 65535.");
