import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/data-directory.js";
import { answersAlone, expectSameBeside } from "../support/neighbours/compare-beside.js";
import { FILE_FORMATS } from "../support/neighbours/formats.js";
import { hostileRecords, writeGood } from "../support/neighbours/hostile-records.js";
import { sized } from "../support/soak.js";

describe.each(FILE_FORMATS.map((format, i) => [format.name, format, i] as const))(
  "In %s",
  (_, format, at) => {
    it("hostile records cost nothing of a session beside them", { timeout: 120_000 }, async () => {
      const folder = await temporaryFolder();
      writeGood(folder, format);
      const expected = await answersAlone(format.open(folder), format.good);
      const records = hostileRecords(format);
      expect(records.length).toBeGreaterThan(60);
      // Each day every tenth record, other ones in each format; a soak plants all, in full size.
      const planted = records.filter((_, i) => (i + at) % sized(10, 1) === 0);
      for (const record of planted) record.plant(folder);
      const { sessions } = await expectSameBeside(format.open(folder), format.good, expected);
      expect(sessions.length).toBeGreaterThan(planted.length / 2);
    });
  },
);
