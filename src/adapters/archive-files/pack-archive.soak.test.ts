import { expect, test } from "vitest";
import { linesOf } from "../../../test/support/archive.js";
import { unescapeBytes } from "../archive/packed-text.js";
import { unpackArchive } from "../archive/unpack-archive.js";
import { packArchive } from "./pack-archive.js";

test("archives longer than the window are unpacked as they were", async () => {
  const line = (i: number) =>
    JSON.stringify({ i, text: `line ${i % 5_000} `.repeat(20 + (i % 90)), more: Math.sqrt(i) });
  const lines = Array.from({ length: 260_000 }, (_, i) => line(i));
  const pieces: Uint8Array[] = [];
  for await (const bytes of packArchive(linesOf(lines))) pieces.push(unescapeBytes(bytes));
  let at = 0;
  let characters = 0;
  for await (const batch of unpackArchive(pieces)) {
    for (const read of batch) {
      if (read !== lines[at++]) expect.fail(`line ${at} is another one`);
      characters += read.length;
    }
  }
  expect(at).toBe(lines.length);
  expect(characters).toBeGreaterThan(150e6);
});
