import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { PROJECT_ROOT } from "./build.js";

/** @returns the path of the archive in the folder */
export function packedInto(folder: string): string {
  const arguments_ = ["pack", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", arguments_, { cwd: PROJECT_ROOT, stdio: ["ignore", "ignore", "pipe"] });
  const [archive = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  return path.join(folder, archive);
}

/** npm's folder; empty where npm cannot install. */
export async function installed(folder: string, packages: readonly string[]): Promise<string> {
  await writeFile(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  const install = ["install", "--no-audit", "--no-fund", ...packages];
  spawnSync("npm", install, { cwd: folder, stdio: "ignore" });
  return path.join(folder, "node_modules");
}

/** The command may be missing here. */
export const runs = (command: string) => spawnSync(command, ["--version"]).status === 0;
