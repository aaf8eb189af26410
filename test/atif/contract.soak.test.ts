import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { describeInspectorDataSource } from "../contract/index.js";
import { sharedThread } from "../support/pools.js";
import { atifSource, trajectory, writeFiles } from "./support/histories.js";

const pool = sharedThread();
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const DERIVED = "envelopes are derived from steps, not stored";
const NEVER_EMPTY = "a trajectory says what it is in front of its steps: there is none without records";
const NO_USER = "trajectories record no user";

/** Of a session of the suite, what a trajectory can hold: its messages, each in a step. */
describeInspectorDataSource(
  "trajectories",
  async (sessions) => {
    const root = await mkdtemp(path.join(tmpdir(), "atif-contract-"));
    folders.push(root);
    for (const { tenantId, sessionId, createdAt, messages = [] } of sessions) {
      const name = `${tenantId}/${sessionId}/agent/trajectory.json`;
      const steps = messages.map((message) => `{"source":"user","message":"Go.","":${message}}`);
      const whole = JSON.stringify(trajectory(sessionId, [])).replace("[]", `[${steps.join(",")}]`);
      await writeFiles(root, { [name]: whole });
      await utimes(path.join(root, name), createdAt / 1_000, createdAt / 1_000);
    }
    return atifSource(root, { pool });
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
