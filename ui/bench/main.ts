/**
 * Measures the page on histories of realistic sizes. Build first; then `node --import tsx ui/bench/main.ts FILE [PROJECTS]`: a real
 * history of Claude Code, and a folder of projects for the list. It writes `ui/bench/RESULTS.md`. Each figure is of a new service and an
 * empty browser cache.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type Figure, figuresTable, spreadOf } from "../../bench/figures.js";
import { measuredOn } from "../../bench/measured-on.js";
import { type GrowthMeasures, measureGrowth } from "./measure-growth.js";
import { measurePage, openWindow, type PageMeasures } from "./page-measures.js";
import { PipedBrowser } from "./piped-browser.js";
import { writeRealHistory } from "./real-history.js";
import { writeRepeatedTranscript } from "./repeated-transcript.js";
import { writeManySessions } from "./write-sessions.js";

const ROOT = path.resolve(import.meta.dirname, "../..");
const RUNS = 5;

/** A list larger than any practical folder, from the memory of an application. */
const IN_MEMORY = ["--import", "tsx", "ui/test/serve-fixtures.ts", "0", "100000"];

const within = (must: number, aim: number) => ({ must: { most: must }, aim: { most: aim } });

interface Bounds {
  readonly painted?: ReturnType<typeof within>;
  readonly memory?: ReturnType<typeof within>;
}

/** Both a trace envelope and a line of Claude Code. */
const LINE = {
  id: "added",
  uuid: "aaaaaaaa-0000-4000-8000-000000000001",
  timestamp: "2030-01-01T00:00:00.000Z",
  sequence: 10_000_000,
  source: "runtime",
  traceId: "main",
  type: "user",
  message: { role: "user", content: "And now?" },
  event: { type: "turn.start", input: "And now?" },
};

const [source, projects] = process.argv.slice(2);
if (source === undefined) throw new Error("Name a real history: a file of JSON Lines.");

const dataDir = await mkdtemp(path.join(tmpdir(), "inspector-ui-bench-"));
const transcripts = await mkdtemp(path.join(tmpdir(), "inspector-ui-bench-"));
const TRANSCRIPT = "00000000-0000-4000-8000-000000000001";
const browser = await PipedBrowser.start();
try {
  const small = await writeRealHistory(source, dataDir, "four-megabytes", 4e6);
  const large = await writeRealHistory(source, dataDir, "thirty-three-megabytes", 33e6);
  const long = await writeManySessions(dataDir, 100_000, 2000);
  const load = loadavg()[0]!;
  const figures = [
    ...(projects === undefined
      ? []
      : await measured("list of real histories", served(projects), "#/", { painted: within(500, 300) })),
    ...(await measured("list of 2,003 sessions", served(dataDir), "#/", { painted: within(500, 300) })),
    ...(await measured("4 MB session", served(dataDir), view("four-megabytes", "trace"), {
      painted: within(400, 250),
    })),
    ...(await measured("4 MB session, messages", served(dataDir), view("four-megabytes", "messages"), {
      painted: within(1000, 600),
    })),
    ...(await measured("4 MB session, context", served(dataDir), view("four-megabytes", "context"), {
      painted: within(1000, 600),
    })),
    ...(await measured("33 MB session", served(dataDir), view("thirty-three-megabytes", "trace"), {
      painted: within(700, 400),
      memory: within(160, 120),
    })),
    ...(await measured("100,000 events", served(dataDir), view("hundred-thousand-events", "trace"), {
      painted: within(800, 500),
    })),
    ...(await grown("33 MB session", "bench", "thirty-three-megabytes", dataDir, () => {
      return path.join(dataDir, "tenants/bench/sessions/thirty-three-megabytes/trace/events.jsonl");
    })),
    ...(await grown("33 MB session of Claude Code", "-bench", TRANSCRIPT, transcripts, () => {
      return writeRepeatedTranscript(source, transcripts, TRANSCRIPT, 33e6);
    })),
    ...(await measured("list of 100,060 sessions", IN_MEMORY, "#/", {}, 3)),
    initialScript(),
  ];
  const sizes = `${small.events}, ${large.events} and ${long.events} events`;
  process.stdout.write(`${figuresTable(figures)}\n`);
  await writeFile(path.join(import.meta.dirname, "RESULTS.md"), results(figures, sizes, load));
} finally {
  await browser.close();
  for (const folder of [dataDir, transcripts]) await rm(folder, { recursive: true, force: true });
}

function view(sessionId: string, tab: "trace" | "messages" | "context"): string {
  return `#/s/bench/${sessionId}/${tab}`;
}

function served(folder: string): readonly string[] {
  return ["dist/src/composition/main.js", path.resolve(folder), "--port", "0", "--no-open"];
}

/** Costs of a poll after a session's file grew by a line. */
async function grown(
  name: string,
  tenantId: string,
  sessionId: string,
  folder: string,
  fileOf: () => string | Promise<string>,
): Promise<Figure[]> {
  const file = await fileOf();
  const measures: GrowthMeasures[] = [];
  const { address, stop } = await startService(served(folder));
  try {
    for (let run = 0; run < RUNS; run++) {
      const line = { ...LINE, sequence: LINE.sequence + run, uuid: LINE.uuid.slice(0, -1) + run };
      measures.push(await measureGrowth(address, { tenantId, sessionId }, file, `${JSON.stringify(line)}\n`));
    }
  } finally {
    await stop();
  }
  const spread = (of: (one: GrowthMeasures) => number) => spreadOf(measures.map(of));
  return [
    {
      name: `${name} grows by a line: bytes fetched`,
      unit: "kB",
      spread: spread(({ bytes }) => bytes / 1000),
      ...within(50, 10),
    },
    {
      name: `${name} grows by a line: time in the engine`,
      unit: "ms",
      spread: spread(({ busyMs }) => busyMs),
    },
  ];
}

/** Each run has another service and another page. */
async function measured(
  name: string,
  command: readonly string[],
  hash: string,
  bounds: Bounds,
  runs = RUNS,
): Promise<Figure[]> {
  const pages: PageMeasures[] = [];
  const peaks: number[] = [];
  for (let run = 0; run < runs; run++) {
    const page = await openWindow(browser);
    const { address, stop } = await startService(command);
    try {
      pages.push(await measurePage(page, `${address}${hash}`));
    } finally {
      peaks.push(await stop());
    }
  }
  const spread = (of: (page: PageMeasures) => number) => spreadOf(pages.map(of));
  const task = { unit: "ms", ...within(50, 30) } as const;
  return [
    { name: `${name}: painted`, unit: "ms", spread: spread((page) => page.paintedMs), ...bounds.painted },
    { name: `${name}: longest task while loading`, ...task, spread: spread((page) => page.longestTaskMs) },
    {
      name: `${name}: longest task while scrolling`,
      ...task,
      spread: spread((page) => page.longestScrollTaskMs),
    },
    { name: `${name}: DOM nodes`, unit: "", spread: spread(({ nodes }) => nodes), ...within(1200, 1000) },
    { name: `${name}: service's peak memory`, unit: "MB", spread: spreadOf(peaks), ...bounds.memory },
  ];
}

async function startService(command: readonly string[]) {
  const child = spawn(process.execPath, command, { cwd: ROOT });
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

/** Scripts before the first view: the page's, its imports, the engine, and the larger one of the two start views. */
function initialScript(): Figure {
  const assets = path.join(ROOT, "dist/ui/assets");
  const page = readFileSync(path.join(ROOT, "dist/ui/index.html"), "utf8");
  const names = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const bytesOf = (name: string) => gzipSync(readFileSync(path.join(assets, name))).length;
  const always = names.filter((name) => page.includes(name) || name.startsWith("engine-worker"));
  const views = names.filter((name) => /^sessions?-.{8}\.js$/.test(name) && !always.includes(name));
  const sum = always.reduce((total, name) => total + bytesOf(name), Math.max(...views.map(bytesOf))) / 1000;
  return {
    name: "initial JavaScript, gzip",
    unit: "kB",
    spread: spreadOf([sum]),
    ...within(120, 100),
  };
}

function results(figures: readonly Figure[], sizes: string, load: number): string {
  return `# Results of \`ui/bench\`

${measuredOn()}, at a load of ${load.toFixed(1)} before it began.

The 4 MB and 33 MB sessions are a real history, repeated until it is so long; with the one of 100,000 events they have
${sizes}, and lie beside 2,000 small sessions. Each of ${RUNS} runs (3 of 100,060 sessions, which are in the memory of an application) starts the service anew and opens the address in a
browser profile that has never seen it, in a window that has finished loading what is the browser's own; painted is the first frame with rows in it, counted from the navigation; a task is 0
where the browser reported none of 50 ms. The rows of sessions that grow are of an engine in this process, with the trace and the messages open: all that it fetches at one poll
after a line was added.

${figuresTable(figures)}
`;
}
