import { expect, it } from "vitest";
import { batchOfTexts } from "../../domain/json/record-batch.js";
import type { FileIndex } from "./file-indexes.js";
import { CachedBatches } from "./read-records.js";

const identity = { device: 1, inode: 1, size: 7, modifiedAt: 1, changedAt: 1 };

/** An index of a file that was looked up as `identity`, and may have been read later. */
function indexOf(size: number, read = identity): FileIndex {
  return {
    path: "events.jsonl",
    identity,
    state: { identity: read, fingerprint: "" },
    size,
  } as unknown as FileIndex;
}

it("gives no batch of a file that was written over between its look-up and its reading", async () => {
  const batches = new CachedBatches();
  const sizesOf = async (index: FileIndex, texts: readonly string[]) => {
    const sizes: number[] = [];
    const read = async function* () {
      yield batchOfTexts(texts);
    };
    for await (const { size } of batches.read(index, { from: 0, to: index.size }, read)) sizes.push(size);
    return sizes;
  };
  expect(await sizesOf(indexOf(2), ["1", "2"])).toEqual([2]);
  expect(await sizesOf(indexOf(1), ["3"])).toEqual([1]);
  expect(await sizesOf(indexOf(2, { ...identity, size: 99 }), ["4", "5"])).toEqual([2]);
  const again = { ...identity, size: 99 };
  expect(await sizesOf(indexOf(2, again), [])).toEqual([2]);
});
