import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type SessionFiles, sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import type { ContractSession } from "../contract/index.js";

/** Removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function emptySession(
  tenantId = "acme",
  sessionId = "s1",
): Promise<SessionFiles & { readonly dataDir: string }> {
  const dataDir = await temporaryFolder();
  const files = sessionFiles(dataDir, tenantId, sessionId);
  await makeFolders(files);
  return { ...files, dataDir };
}

export async function makeFolders(files: SessionFiles): Promise<void> {
  await mkdir(path.dirname(files.trace), { recursive: true });
  await mkdir(path.dirname(files.orchestration), { recursive: true });
}

export async function writeSessions(dataDir: string, sessions: readonly ContractSession[]): Promise<void> {
  for (const session of sessions) await appendSession(dataDir, session);
}

export async function appendSession(dataDir: string, session: ContractSession): Promise<void> {
  const files = sessionFiles(dataDir, session.tenantId, session.sessionId);
  const isNew = !existsSync(files.session);
  if (isNew) await makeFolders(files);
  const { tenantId, sessionId, userId, title, createdAt, turns = [] } = session;
  const init = { type: "init", sessionId, tenantId, userId, title, createdAt };
  const written = turns.map((turn, turnIndex) => ({ type: "turn", turnIndex, ...turn }));
  await appendLines(
    files.session,
    (isNew ? [init, ...written] : written).map((record) => JSON.stringify(record)),
  );
  await appendLines(files.trace, session.envelopes ?? []);
  await appendLines(files.orchestration, session.orchestrationEvents ?? []);
  await appendLines(files.messages, session.messages ?? []);
}

export async function appendLines(file: string, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await appendFile(file, lines.map((line) => `${line}\n`).join(""));
}
