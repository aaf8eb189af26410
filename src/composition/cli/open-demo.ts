import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startDemo } from "../../demo/start-demo.js";
import { createFilesystemSessionStore } from "../filesystem-session-store.js";

export interface OpenedDemo {
  readonly dataDir: string;
  /** Removes what was written. */
  close(): Promise<void>;
}

/** Writes the demo into a temporary folder, where one of its sessions goes on until it is closed. */
export async function openDemo(): Promise<OpenedDemo> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "agent-inspector-demo-"));
  const store = createFilesystemSessionStore(dataDir);
  const close = async () => {
    await store.close?.();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const live = await startDemo(store);
    return {
      dataDir,
      async close() {
        await live.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
