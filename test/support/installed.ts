import { execFileSync, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { PROJECT_ROOT } from "./build.js";

/** Where npm puts packages that it installs into a folder; nothing is there where it cannot. */
export async function installed(folder: string, packages: readonly string[]): Promise<string> {
  await writeFile(path.join(folder, "package.json"), '{"private":true}');
  const install = ["install", "--no-audit", "--no-fund", ...packages];
  spawnSync("npm", install, { cwd: folder, stdio: "ignore" });
  return path.join(folder, "node_modules");
}

/** Whether a command of such a package does anything here. */
export const runs = (command: string) => spawnSync(command, ["--version"]).status === 0;

/** This package as it is published, in a folder. */
export function packed(folder: string): string {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const printed = execFileSync("npm", args, { cwd: PROJECT_ROOT, encoding: "utf8" });
  const name = /"filename": "([^"]+)"/.exec(printed)?.[1];
  if (name === undefined) throw new Error(`npm packed nothing: ${printed}`);
  return path.join(folder, name);
}
