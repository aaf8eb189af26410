import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { parseSearchQuery } from "../../src/domain/search/search-query.js";
import {
  lines,
  meta,
  newHome,
  openHome,
  packed,
  prompted,
  rolloutOf,
  said,
  TENANT,
  writeFiles,
} from "./support/homes.js";

const LONG = "packed words ".repeat(30_000);
const RECORDS = [
  meta("cold"),
  ...prompted("Count the books"),
  said("assistant", LONG),
  said("assistant", "rare-word"),
];

describe("a packed rollout", () => {
  it("is read as the plain one is", async () => {
    const plain = openHome(await newHome({ [rolloutOf("cold")]: lines(RECORDS) }));
    const source = openHome(await newHome({ [`${rolloutOf("cold")}.zst`]: packed(lines(RECORDS)) }));
    expect(await source.listSessions()).toEqual(await plain.listSessions());
    expect(await source.loadMessages(TENANT, "cold")).toEqual(await plain.loadMessages(TENANT, "cold"));
    const events = async (of: typeof source) =>
      (await of.loadTraceEnvelopes(TENANT, "cold")).map(({ event: { stored: _, ...event } }) => event);
    expect(await events(source)).toEqual(await events(plain));
    // Windows of a session that is open are read from the same unpacked file.
    const opened = (await source.openSession!(TENANT, "cold"))!;
    const again = (await source.openSession!(TENANT, "cold"))!;
    expect(again.revision).toBe(opened.revision);
  });

  it("may hold whatever is searched for", async () => {
    const home = await newHome({
      [`${rolloutOf("cold")}.zst`]: packed(lines(RECORDS)),
      [rolloutOf("warm")]: lines([meta("warm"), ...prompted("Nothing of it")]),
    });
    const page = await openHome(home).searchRecords!({
      query: parseSearchQuery("rare-word")!,
      limit: 10,
      budgetMs: 30_000,
    });
    expect(page.candidates.map(({ sessionId }) => sessionId)).toEqual(["cold"]);
  });

  it("that is damaged is listed with a warning, and takes no other one", async () => {
    const whole = packed(lines(RECORDS));
    const home = await newHome({
      [`${rolloutOf("cold")}.zst`]: whole.subarray(0, 200_000),
      [rolloutOf("warm")]: lines([meta("warm"), ...prompted("Hello")]),
    });
    const source = openHome(home);
    const items = await source.listSessions();
    expect(items.map(({ sessionId, warnings }) => [sessionId, warnings]).sort()).toEqual([
      ["cold", 1],
      ["warm", undefined],
    ]);
    await expect(source.loadTraceEnvelopes(TENANT, "cold")).rejects.toThrow(/rollout-.*cannot be unpacked/);
  });

  it("leaves no file behind", async () => {
    const before = new Set(readdirSync(tmpdir()));
    const source = openHome(await newHome({ [`${rolloutOf("cold")}.zst`]: packed(lines(RECORDS)) }));
    await source.loadMessages(TENANT, "cold");
    // Tests beside this one have such folders for a moment, too.
    const left = () => readdirSync(tmpdir()).filter((name) => !before.has(name) && name.includes("unpacked"));
    await expect.poll(left).toEqual([]);
  });

  it("counts as gone once the plain one is there again", async () => {
    const home = await newHome({ [`${rolloutOf("cold")}.zst`]: packed(lines(RECORDS)) });
    const source = openHome(home);
    await source.listSessions();
    await writeFiles(home, { [rolloutOf("cold")]: lines([...RECORDS, ...prompted("And then?")]) });
    expect((await source.listSessions()).map(({ turns }) => turns)).toEqual([2]);
  });
});
