import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { openHistories } from "../../src/histories.js";
import { describeInspectorDataSource } from "../contract/index.js";

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const DERIVED = "envelopes are derived from Pi's own entries, not stored";
const NO_USER = "Pi records no user";

/** Of a session of the suite, what a history of Pi can hold: its messages. */
describeInspectorDataSource(
  "Pi's histories",
  async (sessions) => {
    const root = await mkdtemp(path.join(tmpdir(), "pi-contract-"));
    folders.push(root);
    for (const { tenantId, sessionId, createdAt, messages = [] } of sessions) {
      const file = path.join(root, tenantId, `2026-01-15T12-00-00-000Z_${sessionId}.jsonl`);
      await mkdir(path.dirname(file), { recursive: true });
      const header = JSON.stringify({ type: "session", version: 3, id: sessionId, cwd: tenantId });
      const entries = messages.map((message) => `{"type":"message","message":${message}}`);
      // One that recorded nothing has no header yet.
      await writeFile(file, messages.length === 0 ? "" : [header, ...entries, ""].join("\n"));
      await utimes(file, createdAt / 1_000, createdAt / 1_000);
    }
    return openHistories("pi", root, { threads: false });
  },
  {
    skip: {
      sessions: NO_USER,
      order: DERIVED,
      "unknown events": DERIVED,
      unicode: DERIVED,
      "big integers": DERIVED,
      tenants: `${NO_USER}, and ${DERIVED}`,
      "several traces": DERIVED,
      orchestration: "Pi has no sub-agents",
      "many records": DERIVED,
      streams: DERIVED,
    },
  },
);
