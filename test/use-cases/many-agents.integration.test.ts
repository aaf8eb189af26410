import { expect, it, onTestFinished, vi } from "vitest";
import { GetSessionOrchestration, readAllRecords, streamOf } from "../../src/advanced.js";
import type { OrchestrationAgentRecord, OrchestrationSnapshot } from "../../src/index.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { recordsOf } from "../support/list-records.js";

const MANY = 20_000;
const REQUEST = { tenantId: "acme", sessionId: "s1" };

const instant = (i: number) => new Date(Date.UTC(2026, 0, 15, 12) + i).toISOString();

/** Unsorted: the answer has to sort them. */
const spawnedAt = (i: number) => instant((i * 7_919) % MANY);

const EVENTS = Array.from({ length: MANY }, (_, i) => ({
  eventId: `e${i}`,
  type: "agent_spawned",
  occurredAt: spawnedAt(i),
  agent: { id: `a${i}`, role: "worker" },
}));

const AGENTS = Array.from({ length: MANY }, (_, i): [string, OrchestrationAgentRecord] => [
  `a${i}`,
  { id: `a${i}`, role: "worker", status: "idle", createdAt: spawnedAt(i) },
]);
const STATE = {
  snapshot: {
    tasks: {},
    agents: Object.fromEntries(AGENTS),
    waits: {},
    queuedInputs: [],
  } satisfies OrchestrationSnapshot,
};

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

it("answers for 20,000 agents in slices, whether or not the source keeps their state", async () => {
  // Each reading of the clock takes a millisecond: the number of slices depends on the work, not on the machine.
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
  onTestFinished(() => void clock.mockRestore());

  const ofReading = await turnsDuring(() => readAllRecords(streamOf(EVENTS)));
  const turns: number[] = [];
  for (const state of [STATE, null]) {
    const get = new GetSessionOrchestration(
      handMadeSource({
        loadOrchestrationEvents: async () => EVENTS,
        loadOrchestrationState: async () => state,
      }),
    );
    let made: Awaited<ReturnType<typeof get.execute>> | undefined;
    turns.push(
      await turnsDuring(async () => {
        made = await get.execute(REQUEST);
      }),
    );
    const agents = await recordsOf<{ createdAt: string; events: number }>(made!);
    expect(agents).toHaveLength(MANY);
    expect(agents.findIndex(({ createdAt, events }, i) => createdAt !== instant(i) || events !== 1)).toBe(-1);
  }
  const [ofListing = 0, ofReplaying = 0] = turns;
  expect(ofListing - ofReading).toBeGreaterThan(30);
  expect(ofReplaying - ofListing).toBeGreaterThan(8);
});
