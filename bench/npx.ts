/**
 * Time of `npx agent-inspector` up to its address, and size of an installation, for the packed package. A local registry serves it and
 * forwards other requests.
 *
 *   node --import tsx bench/npx.ts
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.resolve(import.meta.dirname, "..");
const WARM_RUNS = 3;

const folder = mkdtempSync(path.join(tmpdir(), "agent-inspector-npx-"));
const [home, cache, installed] = ["home", "cache", "installed"].map((name) => path.join(folder, name)) as [
  string,
  string,
  string,
];
for (const made of [home, installed]) mkdirSync(made);

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

let requests = 0;
const upstream = run("npm", ["config", "get", "registry"], ROOT).trim().replace(/\/$/, "");
run("npm", ["pack", "--silent", "--pack-destination", folder], ROOT);
const tarball = readFileSync(path.join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz"))!));
const manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };

const registry = createServer(async ({ url = "", headers }, response) => {
  requests += 1;
  const own = `http://${headers.host}`;
  if (url.endsWith("/agent-inspector.tgz")) return response.end(tarball);
  response.setHeader("Content-Type", "application/json");
  if (url === "/agent-inspector") {
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const dist = { tarball: `${own}/agent-inspector.tgz`, integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    return response.end(
      JSON.stringify({ name: "agent-inspector", "dist-tags": { latest: manifest.version }, versions }),
    );
  }
  const answer = await fetch(upstream + url, { headers: { accept: headers.accept ?? "*/*" } });
  response.statusCode = answer.status;
  const type = answer.headers.get("content-type") ?? "";
  response.setHeader("Content-Type", type);
  const body = Buffer.from(await answer.arrayBuffer());
  return response.end(type.includes("json") ? body.toString().replaceAll(upstream, own) : body);
}).listen(0, "127.0.0.1");
await new Promise((resolve) => registry.once("listening", resolve));

const env = {
  ...process.env,
  HOME: home,
  npm_config_cache: cache,
  npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
  npm_config_update_notifier: "false",
  npm_config_audit: "false",
};

/** @returns seconds until a command prints its address */
async function untilAddress(command: string, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = spawn(command, args, {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  for await (const text of child.stdout) if (/http:\/\/127\.0\.0\.1/.test(String(text))) break;
  const seconds = (performance.now() - begun) / 1_000;
  process.kill(-child.pid!, "SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  return seconds;
}

const show = ["--no-open", "--port", "0"];
for (let i = 0; i <= WARM_RUNS; i += 1) {
  requests = 0;
  const seconds = await untilAddress("npx", ["-y", "agent-inspector", ...show]);
  console.log(`npx, ${i === 0 ? "cold" : "warm"}: ${seconds.toFixed(2)} s, ${requests} requests`);
}
const main = path.join(ROOT, "dist/src/composition/main.js");
for (let i = 0; i < WARM_RUNS; i += 1) {
  console.log(`the command itself: ${(await untilAddress(process.execPath, [main, ...show])).toFixed(2)} s`);
}

writeFileSync(path.join(installed, "package.json"), '{"private":true}');
// Asynchronous, because this process is the registry.
await promisify(execFile)("npm", ["install", "agent-inspector"], { cwd: installed, env });
const lock = JSON.parse(readFileSync(path.join(installed, "package-lock.json"), "utf8")) as {
  packages: object;
};
const files = readdirSync(path.join(installed, "node_modules"), { recursive: true, withFileTypes: true });
const bytes = files
  .filter((entry) => entry.isFile())
  .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
console.log(
  `npm install: ${Object.keys(lock.packages).length - 1} packages, ${(bytes / 1e6).toFixed(1)} MB in ${files.length} files`,
);

registry.close();
registry.closeAllConnections();
rmSync(folder, { recursive: true, force: true });
