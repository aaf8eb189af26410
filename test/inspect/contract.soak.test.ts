import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { ContractSession } from "../contract/fixture.js";
import { describeInspectorDataSource } from "../contract/index.js";
import { sharedThread } from "../support/pools.js";
import { about, archive, inspectSource, writeFiles } from "./support/logs.js";

const pool = sharedThread();
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const DERIVED = "envelopes are derived from events, not stored";
const NEVER_EMPTY = "a sample says what it is: there is none without records";
const NO_USER = "logs record no user";

/** Of a session of the suite, what a sample can hold: its messages. Those of a tenant are of one log, which has one time. */
describeInspectorDataSource(
  "Inspect",
  async (sessions) => {
    const root = await mkdtemp(path.join(tmpdir(), "inspect-contract-"));
    folders.push(root);
    const tenants = new Map<string, ContractSession[]>();
    for (const one of sessions) tenants.set(one.tenantId, [...(tenants.get(one.tenantId) ?? []), one]);
    for (const [tenantId, of] of tenants) {
      const samples = of.map(({ sessionId, messages = [], createdAt }) => {
        const instant = new Date(createdAt).toISOString();
        const fields = `"id":"${sessionId}","epoch":1,"input":[],"started_at":"${instant}"`;
        return [
          `samples/${sessionId}_epoch_1.json`,
          `{${fields},"messages":[${messages.join(",")}]}`,
        ] as const;
      });
      await writeFiles(root, { [`${tenantId}.eval`]: archive([...samples, ["header.json", about()]]) });
      const seconds = Math.max(...of.map(({ createdAt }) => createdAt)) / 1_000;
      await utimes(path.join(root, `${tenantId}.eval`), seconds, seconds);
    }
    return inspectSource(root, { pool });
  },
  {
    skip: {
      sessions: NO_USER,
      absence: NEVER_EMPTY,
      snapshots: NEVER_EMPTY,
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
