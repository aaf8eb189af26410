import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { longSession, manySessions } from "../test/fixtures/histories.js";

/** Adds one session of very many events, and many small sessions, to a data directory. */
export async function writeManySessions(
  dataDir: string,
  events: number,
  sessions: number,
): Promise<{ events: number }> {
  const long = { ...longSession(events, "hundred-thousand-events"), tenantId: "bench" };
  for (const session of [long, ...manySessions(sessions)]) {
    const folder = path.join(
      dataDir,
      "tenants",
      session.tenantId ?? "default",
      "sessions",
      session.sessionId,
    );
    await mkdir(path.join(folder, "trace"), { recursive: true });
    const { sessionId, tenantId, userId, title, createdAt } = session;
    const init = { type: "init", sessionId, tenantId, userId, title, createdAt };
    await writeFile(path.join(folder, "session.jsonl"), `${JSON.stringify(init)}\n`);
    await writeFile(path.join(folder, "trace/events.jsonl"), lines(session.envelopes));
    await writeFile(path.join(folder, "messages.jsonl"), lines(session.messages));
  }
  return { events: long.envelopes?.length ?? 0 };
}

function lines(records: readonly object[] = []): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
