import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";

/** Where npm puts packages that it installs into a folder; nothing is there where it cannot. */
export async function installed(folder: string, packages: readonly string[]): Promise<string> {
  await writeFile(path.join(folder, "package.json"), '{"private":true}');
  const install = ["install", "--no-audit", "--no-fund", ...packages];
  spawnSync("npm", install, { cwd: folder, stdio: "ignore" });
  return path.join(folder, "node_modules");
}

/** Whether a command of such a package does anything here. */
export const runs = (command: string) => spawnSync(command, ["--version"]).status === 0;
