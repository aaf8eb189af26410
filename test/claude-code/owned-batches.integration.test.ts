import { expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import type { RecordBatch } from "../../src/domain/json/record-batch.js";
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
  const stream = await traceOf(source, "p", "s");
  const readFrom = async (from: number, take: (batch: RecordBatch) => void) => {
    const texts: string[] = [];
    for await (const batch of stream.read({ from, to: stream.size })) {
      texts.push(Buffer.from(batch.text).toString());
      take(batch);
    }
    return texts;
  };
  const batches: { readonly isOwned: boolean; readonly size: number }[] = [];
  const first = await readFrom(0, ({ isOwned = false, size, text }) => {
    batches.push({ isOwned, size });
    if (isOwned) structuredClone(text, { transfer: [text.buffer as ArrayBuffer] });
  });
  expect(batches[0]!.isOwned).toBe(false); // what a window would be made of stays cached
  expect(batches.at(-1)!.isOwned).toBe(true);
  expect(JSON.parse(`[${first.join()}]`)).toHaveLength(2 * PROMPTS); // the last turn goes on
  expect(await readFrom(stream.size - batches.at(-1)!.size, () => undefined)).toEqual([first.at(-1)]);
  expect(await readFrom(0, () => undefined)).toEqual(first);
  await source.close?.();
});
