/**
 * `npm run bench`: how fast, how lean and how considerate the service is. It generates its data, starts the service and its
 * yardsticks as processes of their own, and writes what it measured to `bench/RESULTS.md` and `bench/RESULTS-postgres.md`.
 *
 * `--small` generates less, without a database, and judges memory and stalls alone: for machines that share their time.
 * `--only NAME` runs one scenario: trace, messages, huge, list, small, eight or postgres.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { missingClients } from "./command-line-clients.js";
import { type Figure, figuresTable, isReached } from "./figures.js";
import { type BenchData, generate } from "./generate.js";
import { measuredOn } from "./measured-on.js";
import { measurePostgres, POSTGRES_SIZES, postgresResults } from "./postgres.js";
import { bigList, eightAtOnce, hugeTrace, sessionList, smallTrace } from "./scenarios.js";
import { FULL, SMALL } from "./sizes.js";

/** How far past its bound a figure may be on a machine that shares its time. */
const LENIENCE = { MB: 2, ms: 8 } as const;

const { values } = parseArgs({
  options: { small: { type: "boolean", default: false }, only: { type: "string" } },
});
const sizes = values.small ? SMALL : FULL;
const scenarios: Record<string, (data: BenchData) => Promise<Figure[]>> = {
  trace: (data) => bigList("big trace", data, data.bigTrace, data.bigTraceBody, sizes.runs),
  messages: (data) => bigList("big messages", data, data.bigMessages, data.bigMessagesBody, sizes.runs),
  huge: (data) => hugeTrace(data, sizes.runs),
  list: (data) => sessionList(data, sizes.runs),
  small: (data) => smallTrace(data, sizes.runs),
  eight: (data) => eightAtOnce(data, sizes.runs),
};
const names = [...Object.keys(scenarios), "postgres"];
if (values.only !== undefined && !names.includes(values.only)) {
  throw new Error(`There is no scenario "${values.only}": it is one of ${names.join(", ")}.`);
}
if (values.only !== "postgres") await measureFiles();
if (values.only === "postgres" || (values.only === undefined && !values.small)) await measureDatabase();

async function measureFiles(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-bench-"));
  try {
    console.log("Generating data …");
    const data = await generate(folder, sizes);
    const figures: Figure[] = [];
    for (const [name, run] of Object.entries(scenarios)) {
      if (values.only !== undefined && values.only !== name) continue;
      console.log(`Measuring ${name} …`);
      figures.push(...(await run(data)));
    }
    console.log(`\n${figuresTable(figures)}\n`);
    if (values.small) judge(figures);
    else if (values.only === undefined) await writeResults(figures);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureDatabase(): Promise<void> {
  const missing = missingClients();
  if (missing.length > 0) {
    console.log(
      `PostgreSQL is not measured: ${missing.join(", ")} missing. Install it: apt-get install postgresql-client curl util-linux`,
    );
    return;
  }
  console.log("Measuring postgres …");
  const figures = await measurePostgres(POSTGRES_SIZES);
  console.log(`\n${figuresTable(figures)}\n`);
  const text = postgresResults(figures, POSTGRES_SIZES, measuredOn());
  await writeFile(path.join(import.meta.dirname, "RESULTS-postgres.md"), text);
}

/** Judges memory and stalls alone, with wide margins: what a machine under load still tells. */
function judge(figures: readonly Figure[]): void {
  const broken = figures.filter((figure) => {
    const { unit, must } = figure;
    if ((unit !== "MB" && unit !== "ms") || must === undefined || !("most" in must)) return false;
    return isReached(figure, { most: must.most * LENIENCE[unit] }) === false;
  });
  for (const { name, spread, unit } of broken) console.log(`Too much: ${name}, ${spread.median} ${unit}`);
  if (broken.length > 0) process.exitCode = 1;
}

async function writeResults(figures: readonly Figure[]): Promise<void> {
  const text = `# Results of \`npm run bench\`

${measuredOn()}.

The big trace is ${sizes.bigEnvelopes} envelopes (100 MB), the big messages are 100 MB, the huge trace is
${sizes.hugeEnvelopes} envelopes (700 MB), the list is ${sizes.sessions} sessions of ${sizes.sessionEnvelopes} envelopes (250 MB),
the small trace is ${sizes.sessionEnvelopes} envelopes. Times are ratios to a yardstick that was measured in the same run: a plain
\`node:http\` server that streams the same bytes from a ready file, or the naive way (read every file, parse every line, sort,
\`c.json\`). Memory is the kernel's peak (VmHWM) less that at idle; stalls are \`monitorEventLoopDelay\`'s maximum in the
service's process; the co-hosted route is asked every 10 ms.

${figuresTable(figures)}
`;
  await writeFile(path.join(import.meta.dirname, "RESULTS.md"), text);
}
