import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type SessionFiles, sessionFiles } from "../../src/adapters/filesystem/session-files.js";
import type { ContractSession } from "../contract/index.js";

/** An empty folder that is gone when the test has ended. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The files of a session in a new data directory, whose folder is there and empty. */
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

/** Writes sessions as an agent application would have. */
export async function writeSessions(dataDir: string, sessions: readonly ContractSession[]): Promise<void> {
  for (const session of sessions) {
    const files = sessionFiles(dataDir, session.tenantId, session.sessionId);
    await makeFolders(files);
    const { tenantId, sessionId, userId, title, createdAt, turns = [] } = session;
    const init = { type: "init", sessionId, tenantId, userId, title, createdAt };
    const records = [init, ...turns.map((turn, turnIndex) => ({ type: "turn", turnIndex, ...turn }))];
    await writeLines(
      files.session,
      records.map((record) => JSON.stringify(record)),
    );
    await writeLines(files.trace, session.envelopes ?? []);
    await writeLines(files.orchestration, session.orchestrationEvents ?? []);
    await writeLines(files.messages, session.messages ?? []);
  }
}

async function writeLines(file: string, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await writeFile(file, lines.map((line) => `${line}\n`).join(""));
}
