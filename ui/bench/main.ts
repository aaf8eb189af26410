/**
 * How fast the page is, on histories of the sizes that people have. Build first; then
 * `node --import tsx ui/bench/main.ts FILE [PROJECTS]`: a real history of Claude Code, and a folder of projects for the list. It writes
 * `ui/bench/RESULTS.md`. Each figure is of a service that was just started and a browser that has never seen the page.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type Bound, type Figure, figuresTable, spreadOf } from "../../bench/figures.js";
import { measuredOn } from "../../bench/measured-on.js";
import { measurePage, type PageMeasures } from "./page-measures.js";
import { PipedBrowser } from "./piped-browser.js";
import { writeRealHistory } from "./real-history.js";
import { writeManySessions } from "./write-sessions.js";

const ROOT = path.resolve(import.meta.dirname, "../..");
const RUNS = 9;
const most = (bound: number): Bound => ({ most: bound });

interface Bounds {
  readonly paintedMs: readonly [must: number, aim: number];
  readonly serverMb?: readonly [must: number, aim: number];
}

const [source, projects] = process.argv.slice(2);
if (source === undefined) throw new Error("Name a real history: a file of JSON Lines.");

const dataDir = await mkdtemp(path.join(tmpdir(), "inspector-ui-bench-"));
const browser = await PipedBrowser.start();
try {
  const small = await writeRealHistory(source, dataDir, "four-megabytes", 4e6);
  const large = await writeRealHistory(source, dataDir, "thirty-three-megabytes", 33e6);
  const long = await writeManySessions(dataDir, 100_000, 2000);
  const load = loadavg()[0]!;
  const figures = [
    ...(projects === undefined
      ? []
      : await measured("list of real histories", projects, "#/", { paintedMs: [500, 300] })),
    ...(await measured("list of 2,003 sessions", dataDir, "#/", { paintedMs: [500, 300] })),
    ...(await measured("4 MB session", dataDir, trace("four-megabytes"), { paintedMs: [500, 300] })),
    ...(await measured("33 MB session", dataDir, trace("thirty-three-megabytes"), {
      paintedMs: [1500, 700],
      serverMb: [160, 120],
    })),
    ...(await measured("100,000 events", dataDir, trace("hundred-thousand-events"), {
      paintedMs: [3000, 1500],
    })),
    initialScript(),
  ];
  const sizes = `${small.events}, ${large.events} and ${long.events} events`;
  process.stdout.write(`${figuresTable(figures)}\n`);
  await writeFile(path.join(import.meta.dirname, "RESULTS.md"), results(figures, sizes, load));
} finally {
  await browser.close();
  await rm(dataDir, { recursive: true, force: true });
}

function trace(sessionId: string): string {
  return `#/s/bench/${sessionId}/trace`;
}

/** A service and a page of their own for each run. */
async function measured(name: string, folder: string, hash: string, bounds: Bounds): Promise<Figure[]> {
  const pages: PageMeasures[] = [];
  const peaks: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const { address, stop } = await startService(folder);
    pages.push(await measurePage(browser, `${address}${hash}`));
    peaks.push(await stop());
  }
  const spread = (of: (page: PageMeasures) => number) => spreadOf(pages.map(of));
  const [must, aim] = bounds.paintedMs;
  const task = { unit: "ms", must: most(50), aim: most(30) } as const;
  return [
    {
      name: `${name}: painted`,
      unit: "ms",
      spread: spread((page) => page.paintedMs),
      must: most(must),
      aim: most(aim),
    },
    { name: `${name}: longest task while loading`, ...task, spread: spread((page) => page.longestTaskMs) },
    {
      name: `${name}: longest task while scrolling`,
      ...task,
      spread: spread((page) => page.longestScrollTaskMs),
    },
    {
      name: `${name}: DOM nodes`,
      unit: "",
      spread: spread(({ nodes }) => nodes),
      must: most(2000),
      aim: most(1200),
    },
    {
      name: `${name}: service's peak memory`,
      unit: "MB",
      spread: spreadOf(peaks),
      ...(bounds.serverMb && { must: most(bounds.serverMb[0]), aim: most(bounds.serverMb[1]) }),
    },
  ];
}

async function startService(folder: string) {
  const main = path.join(ROOT, "dist/src/composition/cli/main.js");
  const child = spawn(process.execPath, [main, folder, "--port", "0", "--no-open"]);
  const [line] = await once(child.stdout, "data");
  const address = /http:\S+/.exec(String(line))![0];
  const stop = async (): Promise<number> => {
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1];
    const ended = once(child, "exit");
    child.kill();
    await ended;
    return Math.round(Number(peak) / 1000);
  };
  return { address, stop };
}

/** What the page loads before it shows anything: its script, what that imports, and the engine. */
function initialScript(): Figure {
  const assets = path.join(ROOT, "dist/ui/assets");
  const page = readFileSync(path.join(ROOT, "dist/ui/index.html"), "utf8");
  const names = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const initial = names.filter((name) => page.includes(name) || name.startsWith("engine-worker"));
  const bytes = initial.map((name) => gzipSync(readFileSync(path.join(assets, name))).length);
  const sum = bytes.reduce((total, length) => total + length, 0) / 1000;
  return {
    name: "initial JavaScript, gzip",
    unit: "kB",
    spread: spreadOf([sum]),
    must: most(150),
    aim: most(100),
  };
}

function results(figures: readonly Figure[], sizes: string, load: number): string {
  return `# Results of \`ui/bench\`

${measuredOn()}, at a load of ${load.toFixed(1)} before it began.

The 4 MB and 33 MB sessions are a real history, repeated until it is so long; with the one of 100,000 events they have
${sizes}, and lie beside 2,000 small sessions. Each of ${RUNS} runs starts the service anew and opens the address in a
browser profile that has never seen it; painted is the first frame with rows in it, counted from the navigation; a task is 0
where the browser reported none of 50 ms.

${figuresTable(figures)}
`;
}
