import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/data-directory.js";
import { answersAlone, expectSameBeside } from "../support/neighbours/compare-beside.js";
import type { FileFormat } from "../support/neighbours/file-format.js";
import { FILE_FORMATS } from "../support/neighbours/formats.js";
import { type HostileRecord, hostileRecords, writeGood } from "../support/neighbours/hostile-records.js";
import { HUGE_RECORDS } from "../support/neighbours/huge-records.js";

/** Asks about the good session before and after the records come to lie beside it. */
async function besideOf(format: FileFormat, records: readonly HostileRecord[]) {
  const folder = await temporaryFolder();
  writeGood(folder, format);
  const begun = performance.now();
  const expected = await answersAlone(format.open(folder), format.good);
  const alone = performance.now();
  for (const record of records) record.plant(folder);
  const planted = performance.now();
  const beside = await expectSameBeside(format.open(folder), format.good, expected);
  return { ...beside, folder, aloneMs: alone - begun, besideMs: performance.now() - planted };
}

const figures = (ms: number) => `${Math.round(ms).toLocaleString("en")} ms`;

describe.each(FILE_FORMATS.map((format) => [format.name, format] as const))("In %s", (name, format) => {
  it("hostile records of their full size cost nothing of a session beside them, and are answered themselves", async () => {
    const { interview, sessions, aloneMs, besideMs } = await besideOf(format, hostileRecords(format));
    process.stdout.write(
      `${name}: everything about the good session takes ${figures(aloneMs)} alone, ${figures(besideMs)} beside ${sessions.length} others\n`,
    );
    const faults: string[] = [];
    for (const session of sessions) faults.push(...(await interview.faultsOf(session)));
    expect(faults).toEqual([]);
  });

  it.each(HUGE_RECORDS[name]!.map((record) => [record.name, record] as const))(
    "%s cost nothing, either",
    async (_, record) => {
      const { aloneMs, besideMs } = await besideOf(format, [record]);
      process.stdout.write(
        `${name}, ${record.name}: ${figures(aloneMs)} alone, ${figures(besideMs)} beside it\n`,
      );
    },
  );

  it("each of them alone costs nothing, either", async () => {
    const costly: string[] = [];
    for (const record of hostileRecords(format)) {
      await besideOf(format, [record]).catch((error: unknown) => costly.push(`${record.name}: ${error}`));
    }
    expect(costly).toEqual([]);
  });
});
