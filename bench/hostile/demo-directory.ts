import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import { createFilesystemSessionStore } from "../../src/data-directory.js";
import { writeDemo } from "../../src/demo/write-demo.js";

export async function writeDemoDirectory(folder: string): Promise<void> {
  const store = createFilesystemSessionStore(folder);
  await writeDemo((clock) => new SessionRecorder(store, { clock }), Date.now());
  await store.close?.();
}
