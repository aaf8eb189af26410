// Writes to one session until it is killed, and prints the acknowledgements of the store.
import { writeSync } from "node:fs";
import { createFilesystemSessionStore, SessionRecorder } from "../../dist/src/advanced.js";

const [dataDir, run] = process.argv.slice(2);
const recorder = new SessionRecorder(createFilesystemSessionStore(dataDir));
const session = await recorder.open({ tenantId: "acme", sessionId: "s1" });
for (let i = 0; ; i++) {
  await session.appendMessages([{ role: "user", content: `${run}/${i}`, padding: "x".repeat(300_000) }]);
  writeSync(1, `${run}/${i}\n`);
}
