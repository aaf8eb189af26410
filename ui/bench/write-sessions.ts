import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { longSession, manySessions } from "../test/fixtures/histories.js";

/** One session of very many events, and many small ones; files have the times of their records, as an agent leaves them. */
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
    await makeAsOld(folder, session.envelopes ?? []);
  }
  return { events: long.envelopes?.length ?? 0 };
}

async function makeAsOld(folder: string, envelopes: readonly object[]): Promise<void> {
  const newest = envelopes.reduce((latest, envelope) => {
    const at = "timestamp" in envelope ? Date.parse(String(envelope.timestamp)) : Number.NaN;
    return Number.isNaN(at) ? latest : Math.max(latest, at);
  }, 0);
  for (const name of ["session.jsonl", "trace/events.jsonl", "messages.jsonl", "trace", "."]) {
    await utimes(path.join(folder, name), newest / 1000, newest / 1000);
  }
}

function lines(records: readonly object[] = []): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
