// Writes to one session until it is killed, three calls at a time, and prints the acknowledgements of the store.
import { writeSync } from "node:fs";
import { createFilesystemSessionStore, SessionRecorder } from "../../dist/src/advanced.js";

const [dataDir, writer, maxBytes] = process.argv.slice(2);
const recorder = new SessionRecorder(createFilesystemSessionStore(dataDir));
const session = await recorder.open({ tenantId: "acme", sessionId: "s1" });
const trace = session.startTrace();

let calls = 0;
let seed = Number(writer) + 1;
/** From 0 to 1; deterministic for each writer. */
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

/** 1 kB mostly, and up to the largest. */
const padding = () => "x".repeat(1_000 * (Number(maxBytes) / 1_000) ** (random() ** 2));

const CALLS = [
  [0.02, "message", (id) => session.compactMessages([{ id, role: "user", content: padding() }])],
  [0.5, "message", (id) => session.appendMessages([{ id, role: "user", content: padding() }])],
  [0.9, "event", (id) => trace.record({ type: "text", id, text: padding() })],
  [1, "turn", (id) => session.recordTurn({ inputTokens: id })],
];

async function write() {
  for (;;) {
    const id = Number(writer) * 1_000_000 + calls++;
    const share = random();
    const [, list, call] = CALLS.find(([upTo]) => share < upTo);
    await call(id);
    writeSync(1, `${list} ${id}\n`);
  }
}

await Promise.all([write(), write(), write()]);
