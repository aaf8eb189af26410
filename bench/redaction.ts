/**
 * Cost of the search for secrets in a session and their removal: processor milliseconds for each megabyte.
 *
 *   node --import tsx bench/redaction.ts FILE.jsonl [MEGABYTES] [--findings]
 */
import { readFileSync } from "node:fs";
import { createRedaction } from "../src/adapters/redaction/library-redaction.js";
import type { ArchiveLines } from "../src/application/ports/export.js";
import { InProcessPool } from "../src/application/threads/in-process-pool.js";

const [file, megabytes = "0"] = process.argv.slice(2);
const BATCH = 1_000_000;

const records = readFileSync(file!, "utf8")
  .split("\n")
  .filter((line) => line !== "");
const lines = records.map((record) => `{"envelope":${record}}`);
let size = lines.reduce((sum, line) => sum + line.length, 0);
for (let i = 0; size < Number(megabytes) * 1e6; i++) {
  const line = lines[i]!;
  lines.push(line);
  size += line.length;
}

async function* batches(): ArchiveLines {
  let [batch, length]: [string[], number] = [[], 0];
  for (const line of lines) {
    batch.push(line);
    length += line.length;
    if (length < BATCH) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  yield batch;
}

async function measured<T>(name: string, run: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  console.log(
    `${name}: ${((user + system) / 1e3 / (size / 1e6)).toFixed(0)} ms per MB of ${(size / 1e6).toFixed(1)} MB`,
  );
  return result;
}

const redaction = createRedaction(new InProcessPool());
const review = await measured("review", () => redaction.review(batches()));
await measured("removal", async () => {
  for await (const written of redaction.remove(batches(), review, { keep: new Set() })) {
    for (const line of written) JSON.parse(line);
  }
});
console.log(`${review.findings.length} findings`);
if (process.argv.includes("--findings")) {
  for (const { id, count, value, places } of review.findings) {
    console.log(id, count, JSON.stringify(value.slice(0, 80)), places[0]);
  }
}
