import { describe, expect, it } from "vitest";
import { createOtlpReceiver } from "../../src/otlp-receiver.js";
import { temporaryFolder } from "../support/data-directory.js";
import { answersAlone, expectSameBeside } from "../support/neighbours/compare-beside.js";
import type { FileFormat } from "../support/neighbours/file-format.js";
import { FILE_FORMATS } from "../support/neighbours/formats.js";
import { type HostileRecord, hostileRecords, writeGood } from "../support/neighbours/hostile-records.js";
import { HOSTILE_IDS, HOSTILE_VALUES } from "../support/neighbours/hostile-values.js";
import { HUGE_RECORDS } from "../support/neighbours/huge-records.js";
import { type Lines, planted, sound } from "../support/neighbours/plant.js";

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

it("What a receiver accepts costs nothing of a session beside it, nor does what it refuses", async () => {
  const format = FILE_FORMATS.find(({ name }) => name === "files of OTLP")!;
  const { good } = format;
  const directory = await temporaryFolder();
  const receiver = createOtlpReceiver({ directory, threads: false });
  const send = async (lines: Lines) => {
    for (const body of Object.values(lines).flat()) {
      const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
      expect((await receiver.app.request("/v1/traces", init)).status).toBeLessThan(500);
    }
  };
  await send(sound(format.session(good.tenantId, good.sessionId, good.text)));
  const expected = await answersAlone(format.open(directory), good);
  for (const [i, value] of HOSTILE_VALUES.entries()) {
    await send(planted(format.session(good.tenantId, `value-${i}`, "pebble"), value, i));
  }
  for (const [id] of HOSTILE_IDS) {
    await send(sound(format.session(good.tenantId, id, "pebble")));
    await send(sound(format.session(id, "session", "pebble")));
  }
  await receiver.close();
  const { sessions } = await expectSameBeside(format.open(directory), good, expected);
  expect(sessions.length).toBeGreaterThan(60);
});
