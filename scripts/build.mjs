/** Builds `dist` anew, so that nothing of an older build stays in it. */
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const root = path.resolve(import.meta.dirname, "..");

rmSync(path.join(root, "dist"), { recursive: true, force: true });
const compiler = path.join(root, "node_modules/typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
chmodSync(path.join(root, "dist/src/composition/cli/main.js"), 0o755);

const page = spawnSync(
  process.execPath,
  [path.join(root, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"],
  {
    cwd: path.join(root, "ui"),
    // A test runner's own environment would build the page for testing.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "inherit",
  },
);
if (page.status !== 0) process.exit(page.status ?? 1);

// Compressed once, here: a process that serves the page has better things to do.
const built = path.join(root, "dist/ui");
for (const name of readdirSync(built, { recursive: true, encoding: "utf8" })) {
  if (!/\.(js|css)$/.test(name)) continue;
  const body = readFileSync(path.join(built, name));
  const gzipped = gzipSync(body, { level: 9 });
  if (gzipped.length < body.length) writeFileSync(path.join(built, `${name}.gz`), gzipped);
}
