import { expect, it } from "vitest";
import { archiveLines } from "../../src/application/export/archive-lines.js";
import { allOf } from "../support/archive.js";
import { sized } from "../support/soak.js";
import { LISTED, smallSession } from "./support/small-session.js";
import { tryAllFormats } from "./support/try-all-formats.js";

/** A part of the time grows with their square. */
const SECRETS = sized(60, 300);

it(`none of ${SECRETS} secrets is in a file of any format, wherever it was and however it was written`, async () => {
  const options = { writer: "1.0.0", exportedAt: 0, part: null, redaction: null };
  const lines = await allOf(archiveLines([{ session: LISTED, snapshot: smallSession() }], options));
  const { planted, tried } = await tryAllFormats(lines, SECRETS, 1);
  expect(planted).toBe(SECRETS);
  expect(tried.map(({ format }) => format)).toEqual(
    expect.arrayContaining(["html", "jsonl", "atif", "markdown"]),
  );
  for (const { format, size, left } of tried) {
    expect(left, format).toEqual([]);
    expect(size, format).toBeGreaterThan(3_000);
  }
});
