/**
 * Removes and rebuilds `dist`.
 *
 *   node scripts/build.mjs [--if-changed]
 *
 *   --if-changed  skips the build if a digest of the sources is the same
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const root = path.resolve(import.meta.dirname, "..");

const stamp = path.join(root, "dist/.sources");
const sources = digestOf([
  ...["src", "test/contract", "ui/src", "scripts"]
    .flatMap(filesBelow)
    .filter((file) => !file.endsWith(".test.ts")),
  ...[
    "docs/signing-in.md",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "ui/index.html",
    "ui/exported.html",
    "ui/vite.config.ts",
    "ui/vite.exported.config.ts",
  ],
]);
if (process.argv.includes("--if-changed") && existsSync(stamp) && readFileSync(stamp, "utf8") === sources)
  process.exit(0);

rmSync(path.join(root, "dist"), { recursive: true, force: true });
const compiler = path.join(root, "node_modules/typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
chmodSync(path.join(root, "dist/src/composition/main.js"), 0o755);

// The build id binds cached values on disk to this code.
const compiled = path.join(root, "dist/src");
const buildId = path.join(compiled, "adapters/files/cache/build-id.js");
const unbuilt = readFileSync(buildId, "utf8");
const built = unbuilt.replace(
  '"source"',
  `"${digestOf(filesBelow("dist/src").filter((file) => file.endsWith(".js"))).slice(0, 16)}"`,
);
if (built === unbuilt) throw new Error("build-id.js names no build to be replaced.");
writeFileSync(buildId, built);

for (const [script, ...args] of [
  [path.join(root, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"],
  [path.join(root, "scripts/exported-page.mjs")],
]) {
  const page = spawnSync(process.execPath, [script, ...args], {
    cwd: path.join(root, "ui"),
    // A test runner's own environment would build the page for testing.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: "inherit",
  });
  if (page.status !== 0) process.exit(page.status ?? 1);
}

// Compressed here, so that serving processes need not do it.
const pageFolder = path.join(root, "dist/ui");
for (const name of readdirSync(pageFolder, { recursive: true, encoding: "utf8" })) {
  if (!/\.(js|css)$/.test(name)) continue;
  const body = readFileSync(path.join(pageFolder, name));
  const gzipped = gzipSync(body, { level: 9 });
  if (gzipped.length < body.length) writeFileSync(path.join(pageFolder, `${name}.gz`), gzipped);
}

writeFileSync(stamp, sources);

/** @param {string} folder */
function filesBelow(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** @param {readonly string[]} files */
function digestOf(files) {
  const hash = createHash("sha256");
  for (const file of [...files].sort()) hash.update(file).update(readFileSync(path.join(root, file)));
  return hash.digest("hex");
}
