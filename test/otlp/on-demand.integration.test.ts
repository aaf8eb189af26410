import { appendFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ReadingPool } from "../../src/application/ports/reading-pool.js";
import type { SessionSnapshot } from "../../src/application/ports/session-snapshot.js";
import { yieldToEventLoop } from "../../src/application/threads/slices.js";
import { createOtlpDataSource, type OtlpDataSourceOptions } from "../../src/otlp.js";
import { temporaryFolder } from "../support/data-directory.js";
import { agent, call, jsonLines, request, traceId } from "./support/spans.js";

const NOW = Date.UTC(2026, 0, 2);
const MANY = 300;

function open(directory: string, options: Pick<OtlpDataSourceOptions, "cacheBytes" | "pool"> = {}) {
  const threads = options.pool === undefined ? false : undefined;
  const source = createOtlpDataSource({ directory, threads, now: () => NOW, ...options });
  onTestFinished(() => source.close?.());
  return source;
}

async function fileOf(...requests: readonly object[]): Promise<string> {
  const file = path.join(await temporaryFolder(), "spans.jsonl");
  await writeFile(file, jsonLines(...requests));
  return file;
}

const single = (trace: number) => call({ id: trace, trace, from: trace, to: trace + 0.5 });
const many = Array.from({ length: MANY }, (_, i) => single(i + 1));

async function textsIn(snapshot: SessionSnapshot | undefined): Promise<string[]> {
  const trace = await snapshot!.trace();
  const texts: string[] = [];
  for await (const batch of trace.read({ from: 0, to: trace.size }))
    texts.push(new TextDecoder().decode(batch.text));
  return texts;
}

it.each([
  ["each span in a request of its own", many.map((one) => request(one))],
  ["all in one request", [request(...many)]],
])("derives for a page the sessions that it shows, newest first: %s", async (_, requests) => {
  const source = open(await fileOf(...requests));
  const page = await source.findSessions!({ limit: 10 });
  expect(page.items.map(({ sessionId }) => sessionId)).toEqual(
    Array.from({ length: 10 }, (_, i) => traceId(MANY - i)),
  );
  expect(page).toMatchObject({ total: MANY, unread: MANY - 10, warnings: [] });
  const next = await source.findSessions!({ limit: 10, after: page.items.at(-1)! });
  expect(next.items[0]!.sessionId).toBe(traceId(MANY - 10));
  expect(await source.listSessions()).toHaveLength(MANY);
});

it("counts sessions that spans of one trace name, as long as none of them turns out to be none", async () => {
  const names = ["s1", "s2"].map((name, i) =>
    call({ id: i + 2, from: i, to: i + 1, attributes: { "session.id": name } }),
  );
  const source = open(
    await fileOf(request(agent({ from: 0, to: 9, attributes: { "session.id": "s1" } }), ...names)),
  );
  const { items, total } = await source.findSessions!({});
  expect(items.map(({ sessionId }) => sessionId)).toEqual(["s1"]);
  expect(total).toBe(1);
  expect(await source.openSession!("shop", "s2")).toBeUndefined();
});

it("is read in the same records after its file has grown, and as it is now when it is opened again", async () => {
  const file = await fileOf(request(single(1)));
  const source = open(file);
  const before = await source.openSession!("shop", traceId(1));
  const texts = await textsIn(before);
  await appendFile(file, jsonLines(request(call({ id: 9, trace: 1, from: 3, to: 4 }))));
  const after = await source.openSession!("shop", traceId(1));
  expect(after!.revision).not.toBe(before!.revision);
  expect(await textsIn(before)).toEqual(texts);
  expect((await textsIn(after)).join().length).toBeGreaterThan(texts.join().length);
});

it("is derived again where a thread has forgotten it, and is said to have changed where it has", async () => {
  const file = await fileOf(request(single(1)), request(single(2)));
  const source = open(file, { cacheBytes: 0 });
  const [first, second] = [
    await source.openSession!("shop", traceId(1)),
    await source.openSession!("shop", traceId(2)),
  ];
  const texts = await textsIn(first);
  await open(file).close!();
  expect(await textsIn(first)).toEqual(texts);
  await truncate(file, jsonLines(request(single(1))).length);
  await source.findSessions!({});
  expect(await textsIn(first)).toEqual(texts);
  await expect(textsIn(second)).rejects.toThrow("The session changed while it was being read.");
});

const PATIENT: ReadingPool = {
  threads: 1,
  async run({ steps }, input) {
    const reading = steps(input);
    for (let step = reading.next(); ; step = reading.next()) {
      if (step.done === true) return step.value;
      await yieldToEventLoop();
    }
  },
  close: async () => undefined,
};

it("gives the same records however often it makes way, also of a call that ends behind its turn", async () => {
  const output = { "input.value": "Hi.", "output.value": "Hello." };
  const requests = request(agent({ from: 0, to: 5, attributes: output }), call({ id: 2, from: 1, to: 6 }));
  const [file, same] = [await fileOf(requests), await fileOf(requests)];
  const events = await open(file).loadTraceEnvelopes("shop", traceId());
  expect(events.map(({ event }) => event.type).indexOf("turn.end")).toBeLessThan(events.length - 1);
  expect(await open(same, { pool: PATIENT }).loadTraceEnvelopes("shop", traceId())).toEqual(events);
});
