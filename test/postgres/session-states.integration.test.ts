import { it, onTestFinished } from "vitest";
import { createPostgresDataSource, createPostgresSessionStore } from "../../src/postgres.js";
import { useDatabase } from "../support/postgres-database.js";
import { envelopesOf, expectStates, STORIES, type Story } from "../support/session-stories.js";

const database = useDatabase();

it.each(Object.keys(STORIES) as Story[])(
  "the state of a session in a database follows time alone, after a record of: %s",
  async (story) => {
    const { connectionString } = database;
    const store = createPostgresSessionStore({ connectionString });
    const session = { tenantId: "acme", sessionId: "s1" };
    await store.openSession({ ...session, userId: "", createdAt: 0 });
    await store.appendTraceEnvelopes(session, envelopesOf(story));
    await store.close?.();
    await expectStates(story, async (now) => {
      const source = createPostgresDataSource({ connectionString, now });
      onTestFinished(() => source.close?.());
      return source;
    });
  },
);
