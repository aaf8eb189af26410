import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { isJsonObject, jsonIn } from "../../../domain/json/json.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import type { SetupMachine, SetupScope } from "./mcp-setup-places.js";

/** Not a dependency, because only the MCP server needs it. */
const PROTOCOL = "@modelcontextprotocol/server";
const BOTH_PACKAGES = `agent-inspector ${PROTOCOL}@2`;

/**
 * Downloads both packages into one folder and starts the server, from any folder. npx skips each package that the current project has,
 * and then they cannot import each other; a tag and an alias never match a project's package.
 */
export const DOWNLOAD_COMMAND = [
  "npx",
  "-y",
  "-p",
  "agent-inspector@latest",
  "-p",
  `${PROTOCOL}@npm:${PROTOCOL}@2`,
  "agent-inspector",
  "mcp",
] as const;

export interface ServerCommand {
  readonly command: readonly [string, ...string[]];
  readonly advice: string;
}

export async function findServerCommand(scope: SetupScope, machine: SetupMachine): Promise<ServerCommand> {
  const { command, advice } = await fastestCommand(scope, machine);
  // On Windows both are scripts, which only a shell starts.
  return { command: machine.platform === "win32" ? ["cmd", "/c", ...command] : command, advice };
}

async function fastestCommand(
  scope: SetupScope,
  { cwd, env, platform }: SetupMachine,
): Promise<ServerCommand> {
  if (scope === "project" && (await hasProtocol(await findPackage(cwd, "agent-inspector")))) {
    const advice = "The entry starts the package that is installed in this project.";
    return { command: ["npx", "--no", "agent-inspector", "mcp"], advice };
  }
  const executable = await findOnPath(env.PATH ?? "", platform);
  if (executable !== undefined && (await hasProtocol(executable.packageFolder))) {
    const advice = `The entry starts the installed package: ${visibleText(executable.file)}.`;
    return { command: ["agent-inspector", "mcp"], advice };
  }
  const install = scope === "project" ? "npm install --save-dev" : "npm install -g";
  const advice =
    "The entry downloads the package with npx, so that each start takes 3 to 20 seconds.\n" +
    `To start in 1 to 3 seconds, run this, then the same command again: ${install} ${BOTH_PACKAGES}`;
  return { command: [...DOWNLOAD_COMMAND], advice };
}

/** Skips the folders that npx and npm scripts add to the PATH for one call. */
async function findOnPath(
  searchPath: string,
  platform: NodeJS.Platform,
): Promise<{ readonly file: string; readonly packageFolder: string | undefined } | undefined> {
  for (const folder of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(folder) || /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)) continue;
    const file = path.join(folder, platform === "win32" ? "agent-inspector.cmd" : "agent-inspector");
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined) continue;
    // npm writes a script on Windows, and a link elsewhere.
    const inside = platform === "win32" ? path.join(folder, "node_modules", "agent-inspector") : real;
    return { file, packageFolder: await packageAround(inside) };
  }
  return undefined;
}

async function packageAround(file: string): Promise<string | undefined> {
  for (const folder of foldersUp(file)) {
    if ((await manifestIn(folder))?.name === "agent-inspector") return folder;
  }
  return undefined;
}

async function hasProtocol(packageFolder: string | undefined): Promise<boolean> {
  const protocol = packageFolder === undefined ? undefined : await findPackage(packageFolder, PROTOCOL);
  const version = protocol === undefined ? undefined : (await manifestIn(protocol))?.version;
  return typeof version === "string" && version.startsWith("2.");
}

async function findPackage(from: string, name: string): Promise<string | undefined> {
  for (const folder of foldersUp(from)) {
    const candidate = path.join(folder, "node_modules", name);
    if ((await manifestIn(candidate)) !== undefined) return realpath(candidate);
  }
  return undefined;
}

async function manifestIn(folder: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => undefined);
  const manifest = text === undefined ? undefined : jsonIn(text);
  return isJsonObject(manifest) ? manifest : undefined;
}

function* foldersUp(from: string): Generator<string> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    yield folder;
    if (path.dirname(folder) === folder) return;
  }
}
