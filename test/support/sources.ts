import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import {
  createFilesystemInspectorDataSource,
  createInMemoryInspectorDataSource,
  type FilesystemDataSourceOptions,
  type InMemorySession,
} from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { temporaryFolder } from "./data-directory.js";

/** @param dataDir folder for a source of files; default is a temporary folder */
export type CreateSource = (
  sessions: readonly InMemorySession[],
  dataDir?: string,
) => Promise<InspectorDataSource>;

export const SOURCES: readonly (readonly [name: string, create: CreateSource])[] = [
  [
    "a plain object with five methods",
    async (sessions) => fiveMethods(createInMemoryInspectorDataSource(sessions)),
  ],
  ["the memory source", async (sessions) => createInMemoryInspectorDataSource(sessions)],
  [
    "the filesystem source",
    async (sessions, dataDir) => filesystemSource(await writeDataDir(sessions, dataDir)),
  ],
];

/** Without a thread: the tests are about the layers above. */
export function filesystemSource(
  dataDir: string,
  options: FilesystemDataSourceOptions = {},
): InspectorDataSource {
  return createFilesystemInspectorDataSource(dataDir, { threads: false, ...options });
}

export function fiveMethods(source: InspectorDataSource): InspectorDataSource {
  return {
    listSessions: (options) => source.listSessions(options),
    loadTraceEnvelopes: (...of) => source.loadTraceEnvelopes(...of),
    loadOrchestrationEvents: (...of) => source.loadOrchestrationEvents(...of),
    loadOrchestrationState: (...of) => source.loadOrchestrationState(...of),
    loadMessages: (...of) => source.loadMessages(...of),
  };
}

/** @param folder an empty one. Default is a temporary folder */
export async function writeDataDir(sessions: readonly InMemorySession[], folder?: string): Promise<string> {
  const dataDir = folder ?? (await temporaryFolder());
  for (const session of sessions) {
    const { tenantId = "default", sessionId, userId, agentId, title, createdAt } = session;
    const write = (file: string, records: readonly unknown[] = []) =>
      appendLines(
        dataDir,
        tenantId,
        sessionId,
        file,
        records.map((record) => JSON.stringify(record)),
      );
    const turns = (session.turns ?? []).map((turn) => ({ type: "turn", ...turn }));
    await write("session.jsonl", [{ type: "init", userId, agentId, title, createdAt }, ...turns]);
    await write("trace/events.jsonl", session.envelopes);
    await write("orchestration/events.jsonl", session.orchestrationEvents);
    await write("messages.jsonl", session.messages);
  }
  return dataDir;
}

export async function appendLines(
  dataDir: string,
  tenantId: string,
  sessionId: string,
  file: string,
  lines: readonly string[],
): Promise<void> {
  if (lines.length === 0) return;
  const full = path.join(dataDir, "tenants", tenantId, "sessions", sessionId, file);
  await mkdir(path.dirname(full), { recursive: true });
  await appendFile(full, lines.map((line) => `${line}\n`).join(""));
}
