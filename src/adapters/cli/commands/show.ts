import { spawn } from "node:child_process";
import path from "node:path";
import type { Hono } from "hono";
import { type HistoriesOptions, openNamed, progressLine, withThreads } from "../opening/histories.js";
import { type OpenedSource, type OpenSourceOptions, openDemo } from "../opening/open-source.js";
import type { CommandContext } from "../opening/parts.js";
import { pricesIn } from "../opening/price-options.js";
import { rulesIn } from "../opening/rule-options.js";
import { orExplain, print, stopSignal } from "../text/terminal.js";
import { isLoopback, listen, type ServeOptions } from "./serve.js";

export interface ShowOptions extends ServeOptions, HistoriesOptions {
  readonly open: boolean;
}

export interface AgentOptions extends ShowOptions {
  readonly agentUrl: string;
  readonly header?: readonly string[] | undefined;
}

export function showHistories(
  context: CommandContext,
  paths: readonly string[],
  options: ShowOptions,
): Promise<void> {
  return show(context, options, (sourceOptions) => openNamed(context, paths, options, sourceOptions));
}

export function showDemo(context: CommandContext, options: ShowOptions): Promise<void> {
  return show(context, options, (sourceOptions) => openDemo(context, "the demo", sourceOptions));
}

/** @throws CommandLineError for an invalid address or header */
export function showAgent(context: CommandContext, options: AgentOptions): Promise<void> {
  const { agentUrl, header = [] } = options;
  return show(context, options, async () => {
    const app = await orExplain(
      () => context.parts.agentApp(agentUrl, Object.fromEntries(header.map(splitHeader))),
      (error) => (error instanceof TypeError ? error.message : undefined),
    );
    const { origin, pathname } = new URL(agentUrl);
    return {
      app,
      description: `the agent application at ${origin}${pathname}`,
      close: async () => undefined,
    };
  });
}

/** A line without a colon is a header without a value, which the check of the headers refuses. */
function splitHeader(line: string): [name: string, value: string] {
  const [name = "", ...value] = line.split(":");
  return [name, value.join(":")];
}

/** Of the page's first request. The API reads one more, to determine if more exist. */
const FIRST_ROWS = 100;

function show(
  context: CommandContext,
  options: ShowOptions,
  open: (
    options: OpenSourceOptions,
  ) => Promise<OpenedSource | (Omit<OpenedSource, "source"> & { readonly app: Hono })>,
): Promise<void> {
  const { parts, terminal, outputEnded } = context;
  return withThreads(parts, async (pool) => {
    const stopped = stopSignal(terminal);
    const opened = await open({
      pool,
      cache: options.cache,
      readAhead: FIRST_ROWS + 1,
      onProgress: (...progress) => void terminal.stderr.write(progressLine(...progress)),
    });
    try {
      const prices = await pricesIn(options, parts, opened.ownPrices);
      const rules = await rulesIn(options, parts);
      const server = await listen(options);
      try {
        const { description, details = [] } = opened;
        const lines = [`Showing ${description}: ${server.address}`, ...details, ""];
        const printing = print(terminal, lines.join("\n"), outputEnded);
        welcome(context, server.address, options);
        await printing;
        const app =
          "app" in opened ? opened.app : await parts.inspectorApp(opened.source, { pool, prices, rules });
        await server.answer(app);
        await stopped;
      } finally {
        await server.close();
      }
    } finally {
      await opened.close();
    }
  });
}

/** Warns if the server accepts other machines, and opens a browser if a person sits before it. */
export function welcome(
  { terminal }: CommandContext,
  address: string,
  { host, open }: ShowOptions,
  allowed = "read every history",
): void {
  if (!isLoopback(host)) {
    terminal.stderr.write(
      `Bound to ${host}: everyone who can reach this machine there can now ${allowed}, without a password.\n`,
    );
  }
  if (open && terminal.stdout.isTTY && !process.env.CI) openBrowser(address);
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

function openBrowser(address: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  // Some systems start a program of that name in the current folder, which may be a stranger's.
  const cwd = path.parse(process.execPath).root;
  const opener = spawn(command, [...args, address], { cwd, stdio: "ignore", detached: true });
  // A machine without a browser is not a failure: the address is printed.
  opener.on("error", () => undefined);
  opener.unref();
}
