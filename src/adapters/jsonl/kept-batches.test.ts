import { expect, it } from "vitest";
import { batchOfTexts } from "../../domain/record-batch.js";
import type { FileIndex } from "./file-indexes.js";
import { KeptBatches } from "./kept-batches.js";

it("keeps a batch as it was, also where its reader uses the memory again", async () => {
  const batches = new KeptBatches();
  const identity = { device: 1, inode: 1, size: 7, modifiedAt: 1 };
  const index = { path: "events.jsonl", identity, size: 1 } as FileIndex;
  const read = async function* () {
    const batch = batchOfTexts(['{"a":1}']);
    const text = Buffer.from(batch.text);
    yield { ...batch, text };
    text.fill(0);
  };
  const texts: string[] = [];
  for (let i = 0; i < 2; i++) {
    for await (const batch of batches.read(index, { from: 0, to: 1 }, read)) {
      texts.push(new TextDecoder().decode(batch.text));
    }
  }
  expect(texts).toEqual(['{"a":1}', '{"a":1}']);
});
