import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { PROJECT_ROOT } from "./build.js";
import { temporaryFolder } from "./data-directory.js";

/** A snippet of a document, by the name in the comment before it. */
export function snippetIn(document: string, name: string): string {
  const found = new RegExp(`<!-- snippet: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(document);
  if (found?.[1] === undefined) throw new Error(`There is no snippet ${name}`);
  return found[1];
}

/** A folder as `npm install agent-inspector` and these packages leave it, with some snippets in it. */
export async function folderWith(
  document: string,
  packages: readonly string[],
  names: readonly string[],
): Promise<string> {
  const folder = await temporaryFolder();
  const modules = path.join(folder, "node_modules");
  await mkdir(path.join(modules, "@hono"), { recursive: true });
  await symlink(PROJECT_ROOT, path.join(modules, "agent-inspector"));
  for (const name of packages) {
    await symlink(path.join(PROJECT_ROOT, "node_modules", name), path.join(modules, name));
  }
  for (const name of names) await writeFile(path.join(folder, name), snippetIn(document, name));
  return folder;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
