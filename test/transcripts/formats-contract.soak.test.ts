import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { openHistories } from "../../src/histories.js";
import { trajectory } from "../atif/support/histories.js";
import type { ContractSession } from "../contract/fixture.js";
import { describeInspectorDataSource } from "../contract/index.js";
import { eventsOf } from "../copilot-cli/support/homes.js";
import { about, archive } from "../inspect/support/logs.js";
import { sharedThread } from "../support/pools.js";

interface WrittenFormat {
  readonly name: string;
  /** Further parts that the format cannot hold, with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
  /** Writes only messages, which any history can hold. */
  write(root: string, sessions: readonly ContractSession[]): Promise<void>;
}

const NEVER_EMPTY = "a history says at its beginning what it is: there is none without records";

const inLines =
  (
    fileOf: (root: string, session: ContractSession) => string,
    linesOf: (session: ContractSession) => string[],
  ) =>
  async (root: string, sessions: readonly ContractSession[]) => {
    for (const session of sessions) {
      const lines = linesOf(session).map((line) => `${line}\n`);
      await put(fileOf(root, session), lines.join(""), session.createdAt);
    }
  };

async function put(file: string, content: string | Uint8Array, at: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  await utimes(file, at / 1_000, at / 1_000);
}

const FORMATS: readonly WrittenFormat[] = [
  {
    name: "copilot-cli",
    skip: { absence: NEVER_EMPTY, snapshots: NEVER_EMPTY },
    write: inLines(
      (root, { sessionId }) => {
        const usual = path.join(root, eventsOf(sessionId));
        return existsSync(usual) ? path.join(root, sessionId, "events.jsonl") : usual;
      },
      ({ tenantId, messages = [] }) => [
        `{"type":"session.start","data":{"context":{"cwd":"${tenantId}"}},"id":"start","parentId":null}`,
        ...messages.map((message) => `{"type":"user.message","data":{},"message":${message}}`),
      ],
    ),
  },
  {
    name: "pi",
    skip: { orchestration: "Pi has no sub-agents" },
    write: inLines(
      (root, { tenantId, sessionId }) =>
        path.join(root, tenantId, `2026-01-15T12-00-00-000Z_${sessionId}.jsonl`),
      ({ tenantId, sessionId, messages = [] }) =>
        // A session without records has no header.
        messages.length === 0
          ? []
          : [
              `{"type":"session","version":3,"id":"${sessionId}","cwd":"${tenantId}"}`,
              ...messages.map((message) => `{"type":"message","message":${message}}`),
            ],
    ),
  },
  {
    name: "qwen-code",
    write: inLines(
      (root, { tenantId, sessionId }) => path.join(root, tenantId, "chats", `${sessionId}.jsonl`),
      ({ messages = [] }) => messages.map((message) => `{"type":"user","message":${message}}`),
    ),
  },
  {
    name: "atif",
    skip: { absence: NEVER_EMPTY, snapshots: NEVER_EMPTY },
    async write(root, sessions) {
      for (const { tenantId, sessionId, createdAt, messages = [] } of sessions) {
        const steps = messages.map((message) => `{"source":"user","message":"Go.","":${message}}`);
        const whole = JSON.stringify(trajectory(sessionId, [])).replace("[]", `[${steps.join(",")}]`);
        await put(path.join(root, tenantId, sessionId, "agent/trajectory.json"), whole, createdAt);
      }
    },
  },
  {
    name: "inspect",
    skip: { absence: NEVER_EMPTY, snapshots: NEVER_EMPTY },
    /** Sessions of a tenant share a log, which has one time. */
    async write(root, sessions) {
      for (const tenantId of new Set(sessions.map((session) => session.tenantId))) {
        const own = sessions.filter((session) => session.tenantId === tenantId);
        const samples = own.map(({ sessionId, messages = [], createdAt }) => {
          const instant = new Date(createdAt).toISOString();
          const fields = `"id":"${sessionId}","epoch":1,"input":[],"started_at":"${instant}"`;
          return [
            `samples/${sessionId}_epoch_1.json`,
            `{${fields},"messages":[${messages.join(",")}]}`,
          ] as const;
        });
        const log = archive([...samples, ["header.json", about()]]);
        await put(
          path.join(root, `${tenantId}.eval`),
          log,
          Math.max(...own.map(({ createdAt }) => createdAt)),
        );
      }
    },
  },
];

const pool = sharedThread();
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const DERIVED = "envelopes are derived from the tool's own records, not stored";
const NO_USER = "the tool records no user";

for (const { name, skip, write } of FORMATS) {
  describeInspectorDataSource(
    `histories of ${name}`,
    async (sessions) => {
      const root = await mkdtemp(path.join(tmpdir(), `${name}-contract-`));
      folders.push(root);
      await write(root, sessions);
      return openHistories(name, root, { pool });
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
        ...skip,
      },
    },
  );
}
