import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { FilesystemSessionStore } from "../../adapters/filesystem/filesystem-session-store.js";
import { SessionRecorder } from "../../application/session-recorder.js";
import { startLiveSession } from "./live-session.js";
import { writeDemo } from "./write-demo.js";

export interface OpenedDemo {
  readonly dataDir: string;
  /** Removes what was written. */
  close(): Promise<void>;
}

/** Writes the demo into a temporary folder, where one of its sessions goes on until it is closed. */
export async function openDemo(): Promise<OpenedDemo> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "agent-inspector-demo-"));
  const store = new FilesystemSessionStore(dataDir);
  await writeDemo((clock) => new SessionRecorder(store, clock), Date.now());
  const live = await startLiveSession(new SessionRecorder(store));
  return {
    dataDir,
    async close() {
      await live.stop();
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
