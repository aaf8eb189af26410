/**
 * `npm run bench`: how fast, how lean and how considerate the service is. It generates its data, starts the service and its
 * yardsticks as processes of their own, and writes what it measured to `bench/RESULTS.md`.
 *
 * `--small` generates less and judges memory and stalls alone: for machines that share their time. `--only NAME` runs one
 * scenario.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Figure, figuresTable, isReached } from "./figures.js";
import { generate } from "./generate.js";
import { bigList, eightAtOnce, hugeTrace, sessionList, smallTrace } from "./scenarios.js";
import { FULL, SMALL } from "./sizes.js";

/** How far past its bound a figure may be on a machine that shares its time. */
const LENIENCE = { MB: 2, ms: 8 } as const;

const { values } = parseArgs({
  options: { small: { type: "boolean", default: false }, only: { type: "string" } },
});
const sizes = values.small ? SMALL : FULL;
const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-bench-"));

try {
  console.log("Generating data …");
  const data = await generate(folder, sizes);
  const scenarios: Record<string, () => Promise<Figure[]>> = {
    trace: () => bigList("big trace", data, data.bigTrace, data.bigTraceBody, sizes.runs),
    messages: () => bigList("big messages", data, data.bigMessages, data.bigMessagesBody, sizes.runs),
    huge: () => hugeTrace(data, sizes.runs),
    list: () => sessionList(data, sizes.runs),
    small: () => smallTrace(data, sizes.runs),
    eight: () => eightAtOnce(data, sizes.runs),
  };
  const figures: Figure[] = [];
  for (const [name, run] of Object.entries(scenarios)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`Measuring ${name} …`);
    figures.push(...(await run()));
  }
  console.log(`\n${figuresTable(figures)}\n`);
  if (values.small) judge(figures);
  else if (values.only === undefined) await writeResults(figures);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Judges memory and stalls alone, with wide margins: what a machine under load still tells. */
function judge(figures: readonly Figure[]): void {
  const broken = figures.filter((figure) => {
    const { unit, must } = figure;
    if (unit === "ratio" || must === undefined || !("most" in must)) return false;
    return isReached(figure, { most: must.most * LENIENCE[unit] }) === false;
  });
  for (const { name, spread, unit } of broken) console.log(`Too much: ${name}, ${spread.median} ${unit}`);
  if (broken.length > 0) process.exitCode = 1;
}

async function writeResults(figures: readonly Figure[]): Promise<void> {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`;
  const text = `# Results of \`npm run bench\`

Measured on ${new Date().toISOString().slice(0, 10)} with Node.js ${process.versions.node} on ${machine}.

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
