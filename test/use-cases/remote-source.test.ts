import { expect, it } from "vitest";
import { DEFAULT_KINDS, SearchRecords, type SearchRequest } from "../../src/advanced.js";
import { SessionSizes } from "../../src/application/search/sessions-ahead.js";
import { lift } from "../../src/application/sources/lift.js";
import { combineDataSources, type InspectorDataSource } from "../../src/index.js";
import { inspect } from "../support/inspector.js";
import { RemoteStore, sessionsNamed } from "../support/remote-store.js";
import { envelope } from "../support/sample.js";

const SESSION = "/sessions/s000";
const PARTS = ["loadMessages", "loadOrchestrationEvents", "loadOrchestrationState", "loadTraceEnvelopes"];

it.each<[path: string, parts: readonly string[], atOnce: number]>([
  ["trace", ["loadOrchestrationEvents", "loadTraceEnvelopes"], 2],
  ["messages", ["loadMessages"], 1],
  ["orchestration", ["loadOrchestrationEvents", "loadOrchestrationState"], 2],
  ["summary", ["loadMessages", "loadOrchestrationEvents", "loadTraceEnvelopes"], 3],
  ["context?call=e0", PARTS, 3],
  ["provenance?call=e0&message=0", PARTS, 4],
])(
  "loads the parts of a session side by side, and none twice or for nothing: %s",
  async (path, parts, atOnce) => {
    const store = new RemoteStore([
      {
        ...sessionsNamed(1)[0]!,
        envelopes: [
          envelope(0, { id: "e0", event: { type: "llm.start", callId: "c" } }),
          envelope(1, { id: "e1", event: { type: "llm.end", callId: "c" } }),
        ],
        messages: [
          { role: "user", content: "x" },
          { role: "assistant", content: "y" },
        ],
      },
    ]);
    const { ask } = inspect(store.source);
    const query = path.includes("?") ? "&" : "?";
    const { status } = await ask(`${SESSION}/${path}${query}tenantId=acme`);
    expect(status).toBe(200);
    expect(store.asked.map((call) => call.split(" ")[0]).sort()).toEqual(parts);
    expect(store.mostAtOnce).toBe(atOnce);
  },
);

it("loads no orchestration for a page of the trace that has none of it", async () => {
  const [session] = sessionsNamed(1);
  const store = new RemoteStore([{ ...session!, envelopes: [envelope(0), envelope(1)] }]);
  await inspect(store.source).ask(`${SESSION}/trace?tenantId=acme&limit=1`);
  expect(store.asked).toEqual(["loadTraceEnvelopes acme s000"]);
});

const REQUEST: SearchRequest = {
  query: { kind: "text", text: "needle", isExact: false },
  kinds: DEFAULT_KINDS,
  limit: 1_000,
};

async function searchAll(
  source: InspectorDataSource,
  { budgetMs = 0, ...request }: Partial<SearchRequest> & { readonly budgetMs?: number } = {},
) {
  const search = new SearchRecords(source, undefined, { budgetMs });
  const found: string[] = [];
  let answers = 0;
  for (let cursor: string | undefined; ; answers++) {
    const answer = await search.execute({ ...REQUEST, ...request, cursor });
    expect(answer.notes).toBeUndefined();
    found.push(...answer.hits.map(({ sessionId }) => sessionId));
    if (answer.nextCursor === null) return { found, answers };
    cursor = answer.nextCursor;
  }
}

const NEWEST_FIRST = sessionsNamed(60)
  .map(({ sessionId }) => sessionId)
  .reverse();

it("searches several sessions at a time, newest first, and reads none twice, however little time an answer has", async () => {
  const store = new RemoteStore(sessionsNamed(60));
  // Enough time for each load: otherwise the next answer would load the sessions again.
  const search = new SearchRecords(store.source, undefined, { budgetMs: 300, now: clockOf(store) });
  const found: string[] = [];
  let answers = 0;
  for (let cursor: string | undefined; ; answers++) {
    const answer = await search.execute({ ...REQUEST, cursor });
    found.push(...answer.hits.map(({ sessionId }) => sessionId));
    if (answer.nextCursor === null) break;
    cursor = answer.nextCursor;
  }
  expect(found).toEqual(NEWEST_FIRST);
  const loads = store.asked.filter((call) => call !== "listSessions");
  expect(new Set(loads).size).toBe(loads.length);
  expect(loads).toHaveLength(3 * 60);
  expect(answers).toBeLessThan(20);
  expect(store.mostAtOnce).toBeGreaterThan(16);
});

/** The time of an answer ends as soon as the list of sessions is there. */
function clockOf(store: RemoteStore): () => number {
  return () => store.asked.filter((call) => call === "listSessions").length * 300;
}

it.each([1, 5])("asks the store with %i calls at a time, where it takes no more", async (most) => {
  const store = new RemoteStore(sessionsNamed(20), most);
  // One answer: at the end of an answer, calls that it no longer awaits leave the limit while the store still works on them.
  const { found, answers } = await searchAll(store.source, { budgetMs: 60_000 });
  expect([found, answers]).toEqual([NEWEST_FIRST.slice(40), 0]);
  expect(store.mostAtOnce).toBe(most);
});

it("holds many requests to that limit together", async () => {
  const store = new RemoteStore(sessionsNamed(3), 4);
  const { ask } = inspect(store.source);
  const paths = ["trace", "messages", "orchestration", "summary"];
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, i) => ask(`/sessions/s00${i % 3}/${paths[i % 4]}?tenantId=acme`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(store.mostAtOnce).toBe(4);
});

it("goes on with other calls where one that nobody waits for any more does not end", async () => {
  const store = new RemoteStore(sessionsNamed(1), 1);
  const leave = new AbortController();
  const source = lift({ ...store.source, loadMessages: () => new Promise(() => undefined) });
  const session = await source.openSession("acme", "s000", { signal: leave.signal });
  const hanging = session!.messages();
  hanging.catch(() => undefined);
  const other = await source.openSession("acme", "s000");
  const trace = other!.trace();
  leave.abort(new Error("gone"));
  await expect(hanging).rejects.toThrow("gone");
  expect((await trace).size).toBe(1);
});

it("searches one session after the other in a store on this machine", async () => {
  const store = new RemoteStore(sessionsNamed(10), Number.POSITIVE_INFINITY);
  const { found } = await searchAll(store.source, { limit: 2 });
  expect(found).toEqual(NEWEST_FIRST.slice(50));
  expect(store.mostAtOnce).toBe(1);
});

it("loads fewer sessions ahead the larger they are", () => {
  const sizes = new SessionSizes();
  expect(sizes.atOnce).toBe(8);
  sizes.add(10_000);
  expect(sizes.atOnce).toBe(2);
  sizes.add(50_000);
  expect(sizes.atOnce).toBe(1);
  for (let i = 0; i < 100; i++) sizes.add(10);
  expect(sizes.atOnce).toBe(2_000);
});

it("loads the sessions of several stores ahead, too", async () => {
  const stores = [new RemoteStore(sessionsNamed(20)), new RemoteStore(sessionsNamed(20))];
  const source = combineDataSources(stores.map((store, i) => ({ key: `k${i}`, source: store.source })));
  const { found } = await searchAll(source);
  expect(found).toHaveLength(40);
  for (const { mostAtOnce } of stores) expect(mostAtOnce).toBeGreaterThan(3);
});

it.each([0, -1, 1.5, Number.NaN, "8" as never])("takes no limit of %s", (concurrentReads) => {
  const source = { ...new RemoteStore([]).source, concurrentReads };
  expect(() => lift(source)).toThrow("source.concurrentReads");
});
