import { expect, it } from "vitest";
import { bytesForHtml, bytesOfHtml } from "./html-bytes.js";

const ALL = Uint8Array.from({ length: 256 }, (_, byte) => byte);

it("Bytes stand in a document as nothing that its parser changes, and are the same behind it", () => {
  const written = bytesForHtml(ALL);
  expect([0, 0x0d, 0x3c].filter((byte) => written.includes(byte))).toEqual([]);
  expect(bytesOfHtml(new TextDecoder("windows-1252").decode(written))).toEqual(ALL);
});

it("Pieces of them are those of the whole", () => {
  const pieces = [ALL.subarray(0, 14), ALL.subarray(14, 61), ALL.subarray(61)].map(bytesForHtml);
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytesForHtml(ALL)));
});
