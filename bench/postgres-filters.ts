import { migratePostgres } from "../src/postgres.js";
import { startServer, type TestServer } from "../test/support/postgres-server.js";
import { whileAwake } from "./awake.js";
import { timesInCurl, timesInPsql } from "./command-line-clients.js";
import { type Bounds, type Figure, figure, figuresTable, repeated, spreadOf, within } from "./figures.js";
import { ServerProcess } from "./measure.js";
import { STALL } from "./scenarios.js";
import { sessionsOfAYear } from "./sessions-of-a-year.js";

/** Requests before the measurement, and in one run. */
const WARM = 2_000;
const REQUESTS = 60;

/** Slower questions depend on the database alone, and get fewer requests. */
const SLOW_MS = 200;
const SLOW_REQUESTS = 4;

/** The overview compares with the previous month, so it reads two. */
const MONTH = "from=2026-12-01&to=2027-01-01&zone=UTC";

const COLUMNS =
  "tenant_id, session_id, user_id, agent_id, title, created_at, added_at, newest, state, " +
  "turns, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens";

interface FilterKind {
  readonly filter: string;
  /** The same in SQL; absent where columns are not enough. */
  readonly where?: string;
  readonly bounds?: Bounds;
}

const hasModel = (name: string) => `(model LIKE '%${name}%' OR usage_by_model LIKE '%${name}%')`;

const FILTER_KINDS: readonly FilterKind[] = [
  {
    filter: "tenant:tenant-7 model:model-3 errors:>0 after:2026-03-01",
    where: `tenant_id = 'tenant-7' AND ${hasModel("model-3")} AND errors > 0 AND last_active >= '2026-03-01'`,
    bounds: within(6),
  },
  { filter: "tenant:tenant-7", where: "tenant_id = 'tenant-7'", bounds: within(6) },
  { filter: "model:rare-model", where: hasModel("rare-model") },
  { filter: "cost:>1" },
];

const RUNS = 3;

/** 100,000 sessions of a year; the overview is of one month. */
export async function measureFilters(): Promise<Figure[]> {
  const server = await startServer(["-c", "fsync=off", "-c", "shared_buffers=1GB"]);
  try {
    return await measureOn(server, RUNS);
  } finally {
    await server.stop();
  }
}

export function filtersResults(figures: readonly Figure[], machine: string): string {
  return `# Results of \`npm run bench\`: filters and the overview in PostgreSQL

${machine}: 100,000 sessions, which lie evenly over a year, of 60 tenants. A page has 100 sessions, and is taken by \`curl\` as in
[the others](RESULTS-postgres.md); the bare query is SQL in \`psql\` for the same rows, by hand. The overview is of the last month of the year, and reads the one before, too.
Each run is a median, of ${RUNS} runs.

${figuresTable(figures)}
`;
}

async function measureOn(server: TestServer, runs: number): Promise<Figure[]> {
  const url = await server.createDatabase();
  await migratePostgres({ connectionString: url });
  for (const statement of sessionsOfAYear(100_000)) await server.run(statement, url);
  const service = await ServerProcess.start("service", "postgres", url);
  const figures = await whileAwake(async () => {
    const pages: Figure[] = [];
    for (const kind of FILTER_KINDS) pages.push(...(await filteredPage(kind, service.base, url, runs)));
    return [...pages, ...(await overviewOfAMonth(service, runs))];
  });
  await service.stop();
  return figures;
}

async function filteredPage(
  { filter, where, bounds }: FilterKind,
  base: string,
  url: string,
  runs: number,
): Promise<Figure[]> {
  const page = `${base}/__inspector/sessions?limit=100&filter=${encodeURIComponent(filter)}`;
  const [first] = await timesInCurl(page, 1);
  const requests = first! < SLOW_MS ? REQUESTS : SLOW_REQUESTS;
  await timesInCurl(page, first! < SLOW_MS ? WARM : SLOW_REQUESTS);
  const samples = await repeated(runs, async () => {
    const ours = spreadOf(await timesInCurl(page, requests)).median;
    const bare = `SELECT ${COLUMNS} FROM agent_inspector.sessions WHERE ${where} ORDER BY last_active DESC, place LIMIT 101`;
    const yardstick = where === undefined ? ours : spreadOf(await timesInPsql(url, bare, requests)).median;
    return { ours, yardstick, ratio: ours / yardstick };
  });
  const name = `page filtered by ${filter}`;
  if (where === undefined) return [figure(name, "ms", samples.ours)];
  return [
    figure(name, "ms", samples.ours),
    figure(`${name}, bare query in psql`, "ms", samples.yardstick),
    figure(`${name} ÷ bare query`, "ratio", samples.ratio, bounds),
  ];
}

async function overviewOfAMonth(service: ServerProcess, runs: number): Promise<Figure[]> {
  const overview = `${service.base}/__inspector/overview?${MONTH}`;
  await timesInCurl(overview, 10);
  const samples = await repeated(runs, async () => {
    await service.longestStallMs(true);
    const ms = spreadOf(await timesInCurl(overview, 5)).median;
    return { ms, stall: await service.longestStallMs(true) };
  });
  return [
    figure("overview of a month", "ms", samples.ms, within(500)),
    figure("overview of a month: longest stall", "ms", samples.stall, STALL),
  ];
}
