/** `npm start`: builds what is missing or older than its source, then runs the command line. */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const root = path.resolve(import.meta.dirname, "..");
const main = path.join(root, "dist/src/composition/main.js");

if (changedAt(main) < newestSource()) {
  const { status } = spawnSync(process.execPath, [path.join(root, "scripts/build.mjs")], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
// In this process, so that a signal reaches the server itself. Later arguments are those of the command line.
process.argv[1] = main;
await import(pathToFileURL(main).href);

function newestSource() {
  const files = readdirSync(path.join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Math.max(...[...files, path.join(root, "package.json")].map(changedAt));
}

function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
