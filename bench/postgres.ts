import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { migratePostgres } from "../src/postgres.js";
import { generateSessions } from "../test/support/generated-sessions.js";
import { startServer, type TestServer } from "../test/support/postgres-server.js";
import { whileAwake } from "./awake.js";
import { timesInCurl, timesInPsql } from "./command-line-clients.js";
import { type Figure, figure, figuresTable, repeated, spreadOf, within } from "./figures.js";
import { Client, latencyWhile, ServerProcess, TAKEN_FOR_P99 } from "./measure.js";
import { CO_HOSTED_P99, STALL } from "./scenarios.js";

export interface PostgresSizes {
  readonly runs: number;
  readonly sessions: number;
  readonly sessionEnvelopes: number;
  readonly sessionEnvelopeBytes: number;
  readonly bigEnvelopes: number;
  readonly bigEnvelopeBytes: number;
}

export const POSTGRES_SIZES: PostgresSizes = {
  runs: 5,
  sessions: 100_000,
  sessionEnvelopes: 50,
  sessionEnvelopeBytes: 340,
  bigEnvelopes: 150_000,
  bigEnvelopeBytes: 680,
};

/** Sessions of one statement. */
const STEP = 5_000;

/** Histories in PostgreSQL, beside the same SQL in `psql`. Starts a server, or uses the one of `DATABASE_URL`. */
export async function measurePostgres(sizes: PostgresSizes): Promise<Figure[]> {
  const flags = ["fsync=off", "max_wal_size=8GB", "shared_buffers=1GB", "checkpoint_timeout=1h"];
  const server = await startServer(flags.flatMap((flag) => ["-c", flag]));
  const client = new Client();
  try {
    const url = await server.createDatabase();
    await migratePostgres({ connectionString: url });
    await generate(server, url, sizes);
    return [
      ...(await pages(url, sizes.runs)),
      ...(await bigTrace(url, client, sizes)),
      ...(await sizesOnDisk(server, url)),
    ];
  } finally {
    client.stop();
    await server.stop();
  }
}

async function generate(server: TestServer, url: string, sizes: PostgresSizes): Promise<void> {
  for (let first = 1; first <= sizes.sessions; first += STEP) {
    const count = Math.min(STEP, sizes.sessions + 1 - first);
    await server.run(generateSessions(count, sizes.sessionEnvelopes, sizes.sessionEnvelopeBytes, first), url);
    console.log(`${first + count - 1} sessions`);
  }
  // The big session is first in no list, and in none of the pages.
  await server.run(generateSessions(1, sizes.bigEnvelopes, sizes.bigEnvelopeBytes, sizes.sessions + 1), url);
  await server.run("VACUUM ANALYZE", url);
  // Waits for the disk: pending gigabytes would disturb the measurement.
  await server.run("CHECKPOINT", url);
  await promisify(execFile)("sync");
}

const COLUMNS =
  "tenant_id, session_id, user_id, agent_id, title, created_at, added_at, newest, state, " +
  "turns, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens";

/** Requests before the measurement: a new service runs code without compilation. */
const WARM = 2_000;

/** Above this, the time is that of the database. */
const SLOW_MS = 30;

/** Requests of one run, for a page and for the query beside it. */
const REQUESTS = 60;

interface PageKind {
  readonly name: string;
  /** Filter of the list, in the address and in the bare query. */
  readonly query: string;
  readonly where: string;
}

const ALL_SESSIONS: PageKind = { name: "all sessions", query: "", where: "" };
const PAGE_KINDS: readonly PageKind[] = [
  ALL_SESSIONS,
  { name: "of a tenant", query: "&tenantId=tenant-7", where: "WHERE tenant_id = 'tenant-7'" },
  { name: "of a user", query: "&userId=user-7", where: "WHERE user_id = 'user-7'" },
  { name: "with an error", query: "&status=error", where: "WHERE state = 'error'" },
  {
    name: "with a text in the title",
    query: "&q=title%20777",
    where: "WHERE strpos(search, 'title 777') > 0",
  },
];

/** Pages of 100 sessions; those without a filter also while idle processors may sleep. */
async function pages(url: string, runs: number): Promise<Figure[]> {
  const service = await ServerProcess.start("service", "postgres", url);
  const figures = await whileAwake(async () => {
    // Compiles the code that all pages share before the first kind.
    await timesInCurl(`${service.base}/__inspector/sessions?limit=100`, WARM);
    const empty = await timesInCurl(`${service.base}/co-hosted`, WARM);
    const awake = [figure("an empty answer over HTTP", "ms", empty)];
    for (const kind of PAGE_KINDS) {
      const page = await pageOf(kind, service.base, url, runs);
      awake.push(...page.slice(0, -1), { ...page.at(-1)!, must: { most: 6 } });
    }
    return awake;
  });
  const sleepy = await pageOf({ ...ALL_SESSIONS, name: "all sessions, sleepy" }, service.base, url, runs);
  await service.stop();
  return [...figures, ...sleepy];
}

/** A page, the bare query for its columns, and their ratio. */
async function pageOf(
  { name, query, where }: PageKind,
  base: string,
  url: string,
  runs: number,
): Promise<Figure[]> {
  const bare = `SELECT ${COLUMNS} FROM agent_inspector.sessions ${where} ORDER BY last_active DESC, place LIMIT 101`;
  const page = `${base}/__inspector/sessions?limit=100${query}`;
  const [first] = await timesInCurl(page, 1);
  if (first! < SLOW_MS) await timesInCurl(page, WARM);
  const ours: number[] = [];
  const yardstick: number[] = [];
  for (let run = 0; run < runs; run++) {
    ours.push(spreadOf(await timesInCurl(page, REQUESTS)).median);
    yardstick.push(spreadOf(await timesInPsql(url, bare, REQUESTS)).median);
  }
  const ratios = ours.map((ms, run) => ms / yardstick[run]!);
  return [
    figure(`page ${name}`, "ms", ours),
    figure(`page ${name}, bare query in psql`, "ms", yardstick),
    figure(`page ${name} ÷ bare query`, "ratio", ratios),
  ];
}

async function bigTrace(url: string, client: Client, sizes: PostgresSizes): Promise<Figure[]> {
  const number = sizes.sessions + 1;
  const [tenantId, sessionId] = [`tenant-${number % 50}`, `session-${number}`];
  const where = `WHERE tenant_id = '${tenantId}' AND session_id = '${sessionId}' ORDER BY position`;
  const copy = `COPY (SELECT record FROM agent_inspector.trace_envelopes ${where}) TO STDOUT`;
  const samples = await repeated(sizes.runs, async () => {
    const service = await ServerProcess.start("service", "postgres", url);
    const trace = `${service.base}/__inspector/sessions/${sessionId}/trace?tenantId=${tenantId}`;
    await client.takeOne(`${service.base}/co-hosted`);
    await client.takeOne(`${service.base}/__inspector/sessions?limit=1`);
    const idle = service.peakMemoryMB;
    const copied = spreadOf(await timesInPsql(url, copy, 3)).median;
    await service.longestStallMs(true);
    const first = (await client.takeOne(trace)).ms / copied;
    const again = (await client.takeOne(trace)).ms / copied;
    const stall = await service.longestStallMs(true);
    const memory = service.peakMemoryMB - idle;
    const p99 = await latencyWhile(`${service.base}/co-hosted`, client.takeInTurn(trace, TAKEN_FOR_P99));
    await service.stop();
    return { copied, first, again, memory, stall, p99 };
  });
  return [
    figure("big trace: COPY in psql", "ms", samples.copied),
    figure("big trace: first time ÷ COPY", "ratio", samples.first, within(3)),
    figure("big trace: again ÷ COPY", "ratio", samples.again, within(3)),
    figure("big trace: memory growth", "MB", samples.memory, within(64)),
    figure("big trace: longest stall", "ms", samples.stall, STALL),
    figure("big trace: co-hosted route, p99 meanwhile", "ms", samples.p99, CO_HOSTED_P99),
  ];
}

async function sizesOnDisk(server: TestServer, url: string): Promise<Figure[]> {
  const rows = await server.run(
    `SELECT relname AS name, pg_table_size(oid) / 1e6 AS rows, pg_indexes_size(oid) / 1e6 AS indexes
      FROM pg_class WHERE relnamespace = 'agent_inspector'::regnamespace AND relkind = 'r' AND reltuples > 0
      ORDER BY relname`,
    url,
  );
  const [records] = await server.run(
    "SELECT sum(bytes) / 1e6 AS bytes FROM agent_inspector.trace_envelopes",
    url,
  );
  return [
    figure("records, as they are written", "MB", [Number(records?.bytes)]),
    ...rows.flatMap(({ name, rows, indexes }) => [
      figure(`on disk: ${name}`, "MB", [Number(rows)]),
      figure(`on disk: indexes of ${name}`, "MB", [Number(indexes)]),
    ]),
  ];
}

export function postgresResults(figures: readonly Figure[], sizes: PostgresSizes, machine: string): string {
  return `# Results of \`npm run bench\`: PostgreSQL

${machine}: ${sizes.sessions} sessions with
${sizes.sessions * sizes.sessionEnvelopes} records of ${sizes.sessionEnvelopeBytes} bytes, and a trace of ${sizes.bigEnvelopes} envelopes of ${sizes.bigEnvelopeBytes}. The yardsticks are
SQL in \`psql\` for the same rows, which throws its results away. Pages are taken by \`curl\`, one after the other on one connection, as psql's
queries are; the bare query does not go over HTTP. A page is asked for at least ${WARM} times before it is measured; then each run is the median of ${REQUESTS} pages by
the median of ${REQUESTS} queries. Meanwhile loops of the scheduler's idle class keep the processors awake: a page wakes one
process after another four times, a query twice, and waking a processor of a virtual machine can take longer than either. What is called
sleepy was measured without them. The co-hosted route is asked every 10 ms while the big trace is taken ${TAKEN_FOR_P99} times in turn.

${figuresTable(figures)}
`;
}
