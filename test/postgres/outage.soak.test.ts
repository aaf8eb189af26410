import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPostgresDataSource, createPostgresSessionStore, migratePostgres } from "../../src/postgres.js";
import { SessionRecorder } from "../../src/recording.js";
import { type OwnServer, startOwnServer } from "../support/postgres-server.js";
import { expectedOf, recordChatTurn, storedOf } from "../support/recorded-turns.js";

let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer();
});
afterAll(() => server.stop());

const SESSIONS = 4;
const OUTAGE_MS = 60_000;
const MODEL_MS = 40;

const medianOf = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

async function timeOf(turn: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await delay(MODEL_MS);
  await turn();
  return performance.now() - begun;
}

it("turns of an agent take what they take without a recorder while the database is away for a minute, and nothing is lost", async () => {
  const connectionString = await server.createDatabase();
  await migratePostgres({ connectionString });
  const store = createPostgresSessionStore({ connectionString });
  const errors: string[] = [];
  const recorder = new SessionRecorder(store, { onError: ({ message }) => errors.push(message) });
  let turns = 0;
  const recordTurn = async () => {
    const turn = turns++;
    await recordChatTurn(recorder, `s${turn % SESSIONS}`, Math.floor(turn / SESSIONS));
  };
  const until = async (endAt: number) => {
    const times = { without: [] as number[], recorded: [] as number[] };
    while (performance.now() < endAt || turns % SESSIONS > 0) {
      times.without.push(await timeOf(async () => {}));
      times.recorded.push(await timeOf(recordTurn));
    }
    return times;
  };
  await until(performance.now() + 2_000);
  await recorder.flush();
  await server.kill();
  const away = await until(performance.now() + OUTAGE_MS);
  const waiting = (await recorder.flush({ timeoutMs: 1 })).waiting;
  await server.start();
  const begun = performance.now();
  const report = await recorder.flush();
  const caughtUpMs = performance.now() - begun;
  const [without, recorded] = [medianOf(away.without), medianOf(away.recorded)];
  process.stdout.write(
    `${away.recorded.length} turns while the database was away for ${OUTAGE_MS / 1_000} s: median ${recorded.toFixed(2)} ms, without a recorder ` +
      `${without.toFixed(2)} ms, the slowest ${Math.max(...away.recorded).toFixed(0)} ms; ${waiting} records waited, stored ${caughtUpMs.toFixed(0)} ms later\n`,
  );
  expect(report).toEqual({ lost: 0, waiting: 0 });
  expect(recorded / without).toBeLessThan(1.05);
  expect(errors).toEqual(["The session store cannot be reached: what is recorded waits for it."]);
  const source = createPostgresDataSource({ connectionString });
  for (let session = 0; session < SESSIONS; session++)
    expect(await storedOf(source, `s${session}`)).toEqual(expectedOf(turns / SESSIONS));
  await Promise.all([store.close?.(), source.close?.()]);
});
