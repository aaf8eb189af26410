import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { PROJECT_ROOT } from "./build.js";
import { temporaryFolder } from "./data-directory.js";

export function snippetIn(document: string, name: string): string {
  const found = new RegExp(`<!-- snippet: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(document);
  if (found?.[1] === undefined) throw new Error(`There is no snippet ${name}`);
  return found[1];
}

/** Looks like the result of `npm install agent-inspector` with these packages. */
export async function folderWith(
  document: string,
  packages: readonly string[],
  names: readonly string[],
): Promise<string> {
  const folder = await temporaryFolder();
  await linkPackages(folder, packages);
  await writeSnippets(folder, document, names);
  return folder;
}

/** Links this package and its dependencies; `ai=ai-7` links `ai-7` as `ai`. */
export async function linkPackages(folder: string, packages: readonly string[]): Promise<void> {
  const modules = path.join(folder, "node_modules");
  const targets: [name: string, target: string][] = [["agent-inspector", PROJECT_ROOT]];
  for (const named of packages) {
    const [name = "", installed = name] = named.split("=");
    targets.push([name, path.join(PROJECT_ROOT, "node_modules", installed)]);
  }
  for (const [name, target] of targets) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    await symlink(target, path.join(modules, name));
  }
}

export async function writeSnippets(
  folder: string,
  document: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await writeFile(path.join(folder, name), snippetIn(document, name));
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
