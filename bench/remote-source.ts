import { setTimeout as wait } from "node:timers/promises";
import {
  createInMemoryInspectorDataSource,
  createInspectorContainer,
  createInspectorRoute,
  InProcessPool,
} from "../src/advanced.js";
import type { InspectorDataSource } from "../src/index.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import type { Sizes } from "./sizes.js";

/** Latency of a remote store in milliseconds, and sessions of the search. */
const LATENCY_MS = 200;
const SESSIONS = 500;

/** A source of five methods over a network: the parts of one session, and a search of all. */
export async function remoteSource(_: string, { runs }: Sizes): Promise<Figure[]> {
  const samples = await repeated(runs, async () => {
    let atOnce = 0;
    let most = 0;
    const source = farSource(async () => {
      most = Math.max(most, ++atOnce);
      await wait(LATENCY_MS);
      atOnce--;
    });
    const route = createInspectorRoute(createInspectorContainer(source, { pool: new InProcessPool() }));
    const ask = async (path: string) => {
      const response = await route.request(`http://localhost${path}`);
      if (!response.ok) throw new Error(`${path} is ${response.status}`);
      return (await response.json()) as {
        readonly hits: readonly unknown[];
        readonly nextCursor: string | null;
      };
    };
    await ask("/sessions/s1/messages");
    const trace = await msOf(() => ask("/sessions/s1/trace"));
    const search = await msOf(async () => {
      let hits = 0;
      for (let cursor: string | null = ""; cursor !== null; ) {
        const answer = await ask(
          `/search?q=needle&limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        hits += answer.hits.length;
        cursor = answer.nextCursor;
      }
      if (hits !== SESSIONS) throw new Error(`${hits} hits were found instead of ${SESSIONS}`);
    });
    return { trace, search, most };
  });
  const name = `Own source, ${LATENCY_MS} ms away`;
  return [
    figure(`${name}: a trace`, "ms", samples.trace, within(450, 250)),
    figure(`${name}: a search of ${SESSIONS} sessions`, "ms", samples.search, within(20_000)),
    figure(`${name}: most calls at a time`, "", samples.most, within(32)),
  ];
}

function farSource(latency: () => Promise<void>): InspectorDataSource {
  const memory = createInMemoryInspectorDataSource(
    Array.from({ length: SESSIONS }, (_, i) => ({
      sessionId: `s${i}`,
      createdAt: i * 1_000,
      messages: [{ role: "user", content: `needle ${i}` }],
    })),
  );
  const far =
    <Args extends unknown[], Answer>(near: (...of: Args) => Promise<Answer>) =>
    async (...of: Args): Promise<Answer> => {
      await latency();
      return near(...of);
    };
  return {
    listSessions: far(memory.listSessions),
    loadTraceEnvelopes: far(memory.loadTraceEnvelopes),
    loadOrchestrationEvents: far(memory.loadOrchestrationEvents),
    loadOrchestrationState: far(memory.loadOrchestrationState),
    loadMessages: far(memory.loadMessages),
  };
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
