import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { SessionRecorder } from "../../src/recording.js";
import { cutOffProxy } from "../support/cut-off-proxy.js";
import { useDatabase } from "../support/postgres-database.js";
import { expectedOf, recordChatTurn, storedOf } from "../support/recorded-turns.js";

const database = useDatabase();

const TURNS = 12;

it("a recorder stores everything once, in order, although its database is away again and again", async () => {
  const proxy = await cutOffProxy(database.connectionString);
  // The store gives up at once, so that the recorder retries.
  const store = createPostgresSessionStore({ connectionString: proxy.url, retryForMs: 0 });
  const source = createPostgresDataSource({ connectionString: database.connectionString });
  onTestFinished(async () => {
    await Promise.all([store.close?.(), source.close?.()]);
  });
  const recorder = new SessionRecorder(store, { onError: () => {} });
  let turn = 0;
  for (const how of ["refused", "silent", "refused", "refused"] as const) {
    for (let i = 0; i < TURNS; i++) {
      await recordChatTurn(recorder, `s${i % 3}`, Math.floor(turn++ / 3));
      // A part of the current write is stored without acknowledgement.
      if (i === TURNS / 2) {
        await delay(i);
        proxy.cut(how);
      }
    }
    proxy.restore();
  }
  expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
  for (const sessionId of ["s0", "s1", "s2"])
    expect(await storedOf(source, sessionId)).toEqual(expectedOf(turn / 3));
});
