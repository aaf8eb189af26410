import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/data-directory.js";
import { askApi, askTools, differences, Interview } from "../support/neighbours/ask-everything.js";
import { FILE_FORMATS } from "../support/neighbours/formats.js";
import { hostileRecords, writeGood } from "../support/neighbours/hostile-records.js";

describe.each(FILE_FORMATS.map((format) => [format.name, format] as const))("In %s", (_, format) => {
  it("hostile records cost nothing of a session beside them", async () => {
    const { good } = format;
    const folder = await temporaryFolder();
    writeGood(folder, format);
    let t = performance.now();
    const lap = (what: string) => {
      if (process.env.LAPS) console.log(format.name, what, Math.round(performance.now() - t));
      t = performance.now();
    };
    const quiet = new Interview(format.open(folder));
    const expected = { ...(await askApi(quiet, good, [good])), ...(await askTools(quiet, good)) };
    lap("alone");
    const all = hostileRecords(format);
    for (const record of all) record.plant(folder);
    lap("plant");
    expect(all.length).toBeGreaterThan(60);
    const loud = new Interview(format.open(folder));
    const others = await loud.listed();
    lap(`list of ${others.length}`);
    const api = await askApi(loud, good, others.slice(0, 5));
    lap("api");
    const tools = await askTools(loud, good);
    lap("tools");
    expect(differences(expected, { ...api, ...tools })).toEqual([]);
    expect(loud.failures).toEqual([]);
  });
});
