/**
 * How fast the page is, on histories of the sizes that people have. Build first; then
 * `node --import tsx ui/bench/main.ts path/to/a/real/history.jsonl`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { startBrowser } from "../test/browser/browser.js";
import { measurePage } from "./page-measures.js";
import { writeRealHistory } from "./real-history.js";
import { writeManySessions } from "./write-sessions.js";

const ROOT = path.resolve(import.meta.dirname, "../..");
const source = process.argv[2];
if (source === undefined) throw new Error("Name a real history: a file of JSON Lines.");

const dataDir = await mkdtemp(path.join(tmpdir(), "inspector-ui-bench-"));
const small = await writeRealHistory(source, dataDir, "four-megabytes", 4e6);
const large = await writeRealHistory(source, dataDir, "thirty-three-megabytes", 33e6);
const long = await writeManySessions(dataDir, 100_000, 2000);
print("history", `4 MB: ${small.events} events, 33 MB: ${large.events} events, long: ${long.events} events`);

print(
  "machine",
  `${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}: above the number of processors, nothing below is the page's own time`,
);

const browser = await startBrowser();
try {
  await measured("four-megabytes", false);
  await measured("thirty-three-megabytes", true);
  await measured("hundred-thousand-events", true);
  const { address, stop } = await startServer();
  const list = await measurePage(browser, `${address}#/`, "text=/sessions/", true);
  print("list of 2,003 sessions", `${told(list)}; server ${stop()} MB`);
  print("initial JavaScript, gzip", `${initialScript()} kB`);
} finally {
  await browser.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** A server of its own for each, so that its peak memory is that of this history. */
async function measured(sessionId: string, scroll: boolean): Promise<void> {
  const { address, stop } = await startServer();
  const page = `${address}#/s/bench/${sessionId}/trace`;
  const cold = await measurePage(browser, page, '[role="treegrid"]', scroll);
  const warm = await measurePage(browser, page, '[role="treegrid"]');
  print(sessionId, `cold ${told(cold)}; again ${told(warm)}; server ${stop()} MB`);
}

function told({
  paintedMs,
  longestTaskMs,
  longestCpuMs,
  nodes,
}: Awaited<ReturnType<typeof measurePage>>): string {
  const task = longestTaskMs === 0 ? "no task of 50 ms" : `longest task ${Math.round(longestTaskMs)} ms`;
  return `painted ${Math.round(paintedMs)} ms, ${task} (at most ${Math.round(longestCpuMs)} ms of processor), ${nodes} nodes`;
}

async function startServer() {
  const main = path.join(ROOT, "dist/src/composition/cli/main.js");
  const child = spawn(process.execPath, [main, dataDir, "--port", "0", "--no-open"]);
  const [line] = await once(child.stdout, "data");
  const address = /http:\S+/.exec(String(line))![0];
  const stop = (): number => {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1];
    child.kill();
    return Math.round(Number(peak) / 1000);
  };
  return { address, stop };
}

/** What the page loads before it shows anything: its script, what that imports, and the engine. */
function initialScript(): number {
  const assets = path.join(ROOT, "dist/ui/assets");
  const page = readFileSync(path.join(ROOT, "dist/ui/index.html"), "utf8");
  const names = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const initial = names.filter((name) => page.includes(name) || name.startsWith("engine-worker"));
  const bytes = initial.reduce(
    (sum, name) => sum + gzipSync(readFileSync(path.join(assets, name))).length,
    0,
  );
  return Math.round(bytes / 100) / 10;
}

function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(26)} ${value}\n`);
}
