import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { describeInspectorDataSource } from "../contract/index.js";
import { sharedThread } from "../support/pools.js";
import { openQwenCode } from "./support/homes.js";

const pool = sharedThread();
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const DERIVED = "envelopes are derived from Qwen Code's own records, not stored";
const NO_USER = "Qwen Code records no user";

/** Of a session of the suite, what a history of Qwen Code can hold: its messages. */
describeInspectorDataSource(
  "Qwen Code in a thread",
  async (sessions) => {
    const root = await mkdtemp(path.join(tmpdir(), "qwen-code-contract-"));
    folders.push(root);
    for (const { tenantId, sessionId, createdAt, messages = [] } of sessions) {
      const file = path.join(root, tenantId, "chats", `${sessionId}.jsonl`);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, messages.map((message) => `{"type":"user","message":${message}}\n`).join(""));
      await utimes(file, createdAt / 1_000, createdAt / 1_000);
    }
    return openQwenCode(root, { pool });
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
      orchestration: "orchestration events are derived from sub-agents, not stored",
      "many records": DERIVED,
      streams: DERIVED,
    },
  },
);
