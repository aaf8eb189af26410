import { expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import type { RecordBatch } from "../../src/domain/record-batch.js";
import { traceOf } from "../support/snapshots.js";
import { lines, newProjects, userRecord } from "./support/projects.js";

const PROMPTS = 600;

/** Some 12 MB, in prompts of twenty thousand characters. */
function longSession(): string {
  const text = "what somebody asks\n".repeat(1_000);
  return lines(...Array.from({ length: PROMPTS }, (_, i) => userRecord(i, i, `${i} ${text}`)));
}

it("batches of a long reading that say they are the reader's own may be moved away, and read again", async () => {
  const source = createClaudeCodeDataSource(await newProjects({ "p/s.jsonl": longSession() }));
  const readAll = async (take: (batch: RecordBatch) => void) => {
    const stream = await traceOf(source, "p", "s");
    const texts: string[] = [];
    for await (const batch of stream.read({ from: 0, to: stream.size })) {
      texts.push(Buffer.from(batch.text).toString());
      take(batch);
    }
    return texts;
  };
  const owned: boolean[] = [];
  const first = await readAll((batch) => {
    owned.push(batch.isOwned === true);
    if (batch.isOwned === true) structuredClone(batch.text, { transfer: [batch.text.buffer as ArrayBuffer] });
  });
  expect(owned).toContain(true);
  expect(owned[0]).toBe(false); // what a window would be made of stays cached
  expect(JSON.parse(`[${first.join()}]`)).toHaveLength(2 * PROMPTS); // the last turn goes on
  expect(await readAll(() => undefined)).toEqual(first);
  await source.close?.();
});
