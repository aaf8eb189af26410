import { describe, expect, it } from "vitest";
import { CRAFTED_FOLDERS, listed, writeGoodSession } from "../support/crafted/crafted-folders.js";
import { temporaryFolder } from "../support/data-directory.js";

const DAILY = CRAFTED_FOLDERS.flatMap(({ sizes: [size], ...folder }) =>
  size === undefined ? [] : [{ ...folder, size }],
);

describe.each(DAILY.map((one) => [one.name, one] as const))("%s", (_, { format, plant, size, warning }) => {
  it("takes no other session out of the list", async () => {
    const folder = await temporaryFolder();
    writeGoodSession(folder, format);
    const alone = await listed(folder, format);
    expect(alone.good).toBeDefined();
    plant(folder, size);
    const beside = await listed(folder, format);
    expect(beside.good).toEqual(alone.good);
    if (warning !== undefined) expect(beside.warnings.join("\n")).toMatch(warning);
  });
});
