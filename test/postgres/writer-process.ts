import { createPostgresSessionStore } from "../../src/postgres.js";

/** One of several processes that write to the same sessions. It prints each acknowledgement as a line: `writer session list number`. */
const [connectionString = "", writer = "", records = "0", sessions = "1"] = process.argv.slice(2);

/** A reader must see all records of a call or none. */
const CALL = 20;

const store = createPostgresSessionStore({ connectionString, retryForMs: 120_000, maxConnections: 4 });
const calls = Number(records) / CALL / Number(sessions);

async function writeSession(session: number): Promise<void> {
  const key = { tenantId: `tenant-${session % 5}`, sessionId: `session-${session}` };
  await store.openSession({ ...key, userId: "ada", createdAt: Date.now() });
  const numbers = { trace: 0, messages: 0 };
  for (let call = 0; call < calls; call++) {
    const list = call % 2 === 0 ? "trace" : "messages";
    const first = numbers[list];
    numbers[list] += CALL;
    const marks = Array.from({ length: CALL }, (_, i) => ({
      writer,
      number: first + i,
      text: "é".repeat(i),
    }));
    if (list === "messages") await store.appendMessages(key, marks);
    else {
      const envelopes = marks.map((mark) => ({
        ...key,
        id: `${writer} ${mark.number}`,
        timestamp: new Date().toISOString(),
        sequence: mark.number,
        source: "runtime" as const,
        traceId: writer,
        event: { type: "tool.end", ...mark },
      }));
      await store.appendTraceEnvelopes(key, envelopes);
    }
    process.stdout.write(`${writer} ${session} ${list} ${first + CALL}\n`);
  }
}

await Promise.all(Array.from({ length: Number(sessions) }, (_, session) => writeSession(session)));
await store.close?.();
