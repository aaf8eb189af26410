import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { describeInspectorDataSource } from "../contract/index.js";
import { eventsOf, sourceOf } from "./support/homes.js";

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const DERIVED = "envelopes are derived from Copilot CLI's own records, not stored";
const NO_USER = "Copilot CLI records no user";
const BEGUN = "a session without any record is none";

/** Of a session of the suite, what a history of Copilot CLI can hold: its messages, in records that hold them apart from their data. */
describeInspectorDataSource(
  "A folder of Copilot CLI",
  async (sessions) => {
    const root = await mkdtemp(path.join(tmpdir(), "copilot-cli-contract-"));
    folders.push(root);
    for (const { tenantId, sessionId, createdAt, messages = [] } of sessions) {
      const [usual, other] = [eventsOf(sessionId), `${sessionId}/events.jsonl`].map((name) =>
        path.join(root, name),
      );
      const file = existsSync(usual!) ? other! : usual!;
      await mkdir(path.dirname(file), { recursive: true });
      const start = {
        type: "session.start",
        data: { context: { cwd: tenantId } },
        id: "start",
        parentId: null,
      };
      const said = messages.map((message) => `{"type":"user.message","data":{},"message":${message}}\n`);
      await writeFile(file, `${JSON.stringify(start)}\n${said.join("")}`);
      await utimes(file, createdAt / 1_000, createdAt / 1_000);
    }
    return sourceOf(root);
  },
  {
    skip: {
      sessions: NO_USER,
      order: DERIVED,
      absence: BEGUN,
      snapshots: BEGUN,
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
