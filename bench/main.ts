/**
 * `npm run bench`: measures speed, memory and stalls. It starts the service and its yardsticks as processes, and writes
 * `bench/RESULTS*.md`. `--small` generates less, without a database, and judges memory and stalls alone: for machines that share their
 * time. `--only NAME` runs one scenario; an unknown name lists them all.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { claudeCodeList, claudeCodeWindow } from "./claude-code.js";
import { codexAgents, codexRollout } from "./codex.js";
import { missingClients } from "./command-line-clients.js";
import { type Figure, figuresTable, isReached } from "./figures.js";
import { measuredOn } from "./measured-on.js";
import { opencodeDatabase } from "./opencode.js";
import { otlpTraces } from "./otlp-files.js";
import { otlpReceiver } from "./otlp-receiver.js";
import { overview } from "./overview.js";
import { measurePostgres, POSTGRES_SIZES, postgresResults } from "./postgres.js";
import { filtersResults, measureFilters } from "./postgres-filters.js";
import { recordedStreams } from "./recorded-streams.js";
import { remoteSource } from "./remote-source.js";
import { results } from "./results.js";
import { bigMessages, bigTrace, eightAtOnce, hugeTrace, sessionList, smallTrace } from "./scenarios.js";
import { listAtOnce, search } from "./search.js";
import { SHAPES, type Shape } from "./shapes.js";
import { measureSharded, shardedResults } from "./sharded.js";
import { FULL, type Sizes, SMALL } from "./sizes.js";
import { sources } from "./sources.js";
import { spanProcessor } from "./span-processor.js";
import { comparison, summary } from "./summaries.js";
import { why } from "./why.js";

/** Tolerance beyond a bound, on a machine that shares its time. */
const LENIENCE = { MB: 2, ms: 16 } as const;

type Scenario = (folder: string, sizes: Sizes) => Promise<Figure[]>;

const scenarios: Record<string, Scenario> = {
  ...inEachShape("trace", bigTrace),
  messages: bigMessages,
  huge: hugeTrace,
  ...inEachShape("list", sessionList),
  small: smallTrace,
  eight: eightAtOnce,
  "claude-code-list": claudeCodeList,
  "claude-code-window": claudeCodeWindow,
  sources,
  "codex-rollout": codexRollout,
  "codex-agents": codexAgents,
  opencode: opencodeDatabase,
  search,
  overview,
  why,
  "list-at-once": listAtOnce,
  summary,
  comparison,
  "span-processor": spanProcessor,
  "recorded-streams": recordedStreams,
  "remote-source": remoteSource,
  "otlp-traces": otlpTraces,
  "otlp-receiver": otlpReceiver,
};

const { values } = parseArgs({
  options: { small: { type: "boolean", default: false }, only: { type: "string" } },
});
const databases = ["postgres", "postgres-filters", "sharded"];
const names = [...Object.keys(scenarios), ...databases];
if (values.only !== undefined && !names.includes(values.only)) {
  throw new Error(`There is no scenario "${values.only}": it is one of ${names.join(", ")}.`);
}
const isAll = values.only === undefined && !values.small;
if (!databases.includes(values.only ?? "")) await measureFiles(values.small ? SMALL : FULL);
if (values.only === "postgres" || isAll) {
  await measureDatabase(
    "postgres",
    () => measurePostgres(POSTGRES_SIZES),
    (figures) => postgresResults(figures, POSTGRES_SIZES, measuredOn()),
  );
}
if (values.only === "postgres-filters" || isAll) {
  await measureDatabase("postgres-filters", measureFilters, (figures) =>
    filtersResults(figures, measuredOn()),
  );
}
if (values.only === "sharded" || isAll) {
  await measureDatabase("sharded", measureSharded, (figures) => shardedResults(figures, measuredOn()));
}

async function measureFiles(sizes: Sizes): Promise<void> {
  const scratch = scratchFolder();
  const figures: Figure[] = [];
  for (const [name, run] of Object.entries(scenarios)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`Measuring ${name} …`);
    const folder = path.join(scratch, name);
    await mkdir(folder);
    figures.push(...(await run(folder, sizes)));
    await rm(folder, { recursive: true });
  }
  console.log(`\n${figuresTable(figures)}\n`);
  if (values.small) judge(figures);
  else if (values.only === undefined) {
    await writeFile(path.join(import.meta.dirname, "RESULTS.md"), results(figures, sizes));
  }
}

function scratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "agent-inspector-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return folder;
}

async function measureDatabase(
  name: string,
  measure: () => Promise<Figure[]>,
  textOf: (figures: readonly Figure[]) => string,
): Promise<void> {
  const missing = missingClients();
  if (missing.length > 0) {
    console.log(
      `PostgreSQL is not measured: ${missing.join(", ")} missing. Install it: apt-get install postgresql-client curl util-linux`,
    );
    return;
  }
  console.log(`Measuring ${name} …`);
  const figures = await measure();
  console.log(`\n${figuresTable(figures)}\n`);
  await writeFile(path.join(import.meta.dirname, `RESULTS-${name}.md`), textOf(figures));
}

/** Only memory and stalls, with wide margins: a machine under load measures nothing else reliably. */
function judge(figures: readonly Figure[]): void {
  const broken = figures.filter((figure) => {
    const { unit, must } = figure;
    if ((unit !== "MB" && unit !== "ms") || must === undefined || !("most" in must)) return false;
    return isReached(figure, { most: must.most * LENIENCE[unit] }) === false;
  });
  for (const { name, spread, unit } of broken) console.log(`Too much: ${name}, ${spread.median} ${unit}`);
  if (broken.length > 0) process.exitCode = 1;
}

function inEachShape(
  name: string,
  run: (folder: string, shape: Shape, sizes: Sizes) => Promise<Figure[]>,
): Record<string, Scenario> {
  return Object.fromEntries(
    SHAPES.map((shape) => [
      `${name}-${shape.name.replaceAll(" ", "-")}`,
      (folder: string, sizes: Sizes) => run(folder, shape, sizes),
    ]),
  );
}
