import { createPostgresDataSource, createPostgresSessionStore } from "../src/postgres.js";
import { generateSessions } from "../test/support/generated-sessions.js";
import {
  type AgentsServer,
  startAgentsServer,
  startShardedServers,
} from "../test/support/sharded-postgres.js";
import { timesInCurl } from "./command-line-clients.js";
import { type Figure, figure, figuresTable, spreadOf } from "./figures.js";
import { ServerProcess } from "./measure.js";

/** Sessions, records of each, and length of the long trace. */
const SESSIONS = 5_000;
const RECORDS = 10;
const LONG_TRACE = 20_000;
const BYTES = 400;

const RUNS = 5;
/** Requests in one run, and before the first. */
const REQUESTS = 20;
const WARM = 60;

const QUESTIONS: readonly (readonly [name: string, path: string])[] = [
  ["page of all sessions", "sessions?limit=100"],
  ["page of a tenant", "sessions?limit=100&tenantId=tenant-7"],
  ["page of a user", "sessions?limit=100&userId=user-7"],
  ["trace of 10 envelopes", "sessions/session-7/trace?tenantId=tenant-7"],
  ["trace of 20,000 envelopes", `sessions/session-${SESSIONS + 1}/trace?tenantId=tenant-1`],
];

/** The tables on three servers, beside one server with all of them. */
export async function measureSharded(): Promise<Figure[]> {
  const one = await startAgentsServer();
  const three = await startShardedServers();
  try {
    const places = [one, three.front];
    for (const { server, url } of places) {
      await server.run(generateSessions(SESSIONS, RECORDS, BYTES), url);
      await server.run(generateSessions(1, LONG_TRACE, BYTES, SESSIONS + 1), url);
    }
    for (const { server, url } of [one, ...three.shards]) await server.run("VACUUM ANALYZE", url);
    return [...(await questions(places)), ...(await searches(places)), ...(await writes(places))];
  } finally {
    await three.stop();
    await one.server.stop();
  }
}

async function questions(places: readonly AgentsServer[]): Promise<Figure[]> {
  const services = await Promise.all(
    places.map(({ url }) => ServerProcess.start("service", "postgres", url)),
  );
  const figures: Figure[] = [];
  for (const [name, path] of QUESTIONS) {
    const addresses = services.map(({ base }) => `${base}/__inspector/${path}`);
    for (const address of addresses) await timesInCurl(address, path.includes("limit=100") ? WARM : REQUESTS);
    figures.push(...(await compared(name, async (place) => timesInCurl(addresses[place]!, REQUESTS))));
  }
  for (const service of services) await service.stop();
  return figures;
}

/** A text without any match, without an index, through the source: over HTTP, the time limit would cut an answer. */
async function searches(places: readonly AgentsServer[]): Promise<Figure[]> {
  const sources = places.map(({ url }) => createPostgresDataSource({ connectionString: url }));
  const query = { kind: "text", text: "nowhere", isExact: true } as const;
  const search = async (place: number) => {
    const begun = performance.now();
    await sources[place]!.searchRecords!({ query, tenantId: "tenant-7", limit: 10, budgetMs: 60_000 });
    return performance.now() - begun;
  };
  for (const place of [0, 1]) await search(place);
  const figures = await compared(`search through a tenant's ${SESSIONS / 50} sessions`, async (place) => [
    await search(place),
    await search(place),
    await search(place),
  ]);
  for (const source of sources) await source.close?.();
  return figures;
}

async function writes(places: readonly AgentsServer[]): Promise<Figure[]> {
  const stores = places.map(({ url }) => createPostgresSessionStore({ connectionString: url }));
  const key = { tenantId: "tenant-7", sessionId: "written" };
  const append = (messages: number) => async (place: number) => {
    const times: number[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const records = Array.from({ length: messages }, () => ({ role: "user", content: "x".repeat(BYTES) }));
      const begun = performance.now();
      await stores[place]!.appendMessages(key, records);
      times.push(performance.now() - begun);
    }
    return times;
  };
  for (const place of [0, 1]) await append(1)(place);
  const figures = [
    ...(await compared("a message stored", append(1))),
    ...(await compared("200 messages stored", append(200))),
  ];
  for (const store of stores) await store.close?.();
  return figures;
}

/** Alternates in each run, so that other load concerns both. */
async function compared(name: string, measure: (place: number) => Promise<number[]>): Promise<Figure[]> {
  const taken: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++)
    for (const place of [0, 1] as const) taken[place].push(spreadOf(await measure(place)).median);
  const [one, three] = taken;
  return [
    figure(`${name}, one server`, "ms", one),
    figure(`${name}, three servers`, "ms", three),
    figure(
      `${name}, three ÷ one`,
      "ratio",
      three.map((ms, run) => ms / one[run]!),
    ),
  ];
}

export function shardedResults(figures: readonly Figure[], machine: string): string {
  return `# Results of \`npm run bench\`: PostgreSQL, distributed over three servers

${machine}: ${SESSIONS} sessions of ${RECORDS} records, and a trace of ${LONG_TRACE}, of ${BYTES} bytes each, in one server and, by
the SQL of \`docs/scaling.md\`, in three behind a fourth. All run on this one machine, so the figures show what the way over a second server costs, and
nothing of what three machines give. Each run is the median of ${REQUESTS} requests, one after the other; \`fsync\` is off everywhere.

${figuresTable(figures)}
`;
}
