import { describe, expect, it } from "vitest";
import { RecentReading } from "./recent-reading.js";

/** Readings that end when the test ends them. */
function controlled() {
  const runs: ((value: string | Error) => void)[] = [];
  const reading = new RecentReading<string>(
    () =>
      new Promise((resolve, reject) => {
        runs.push((value) => (typeof value === "string" ? resolve(value) : reject(value)));
      }),
  );
  return { runs, reading };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const nothing = async () => {};

describe("RecentReading", () => {
  it("gives a reading that was begun ahead to all who ask while it runs", async () => {
    const { runs, reading } = controlled();
    reading.ahead(nothing);
    const requests = [reading.aheadOrNow(), reading.aheadOrNow()];
    await settle();
    runs[0]!("ahead");
    expect(await Promise.all(requests)).toEqual(["ahead", "ahead"]);
    expect(runs).toHaveLength(1);
  });

  it("gives it to the first one who asks after it, and reads anew for the second", async () => {
    const { runs, reading } = controlled();
    reading.ahead(nothing);
    runs[0]!("ahead");
    await settle();
    expect(await reading.aheadOrNow()).toBe("ahead");
    const second = reading.aheadOrNow();
    await settle();
    runs[1]!("anew");
    expect(await second).toBe("anew");
  });

  it("leaves off what was begun ahead, unless somebody waits for it", async () => {
    const signals: AbortSignal[] = [];
    const reading = new RecentReading((signal) => {
      signals.push(signal);
      return new Promise<string>((resolve) => setImmediate(resolve, "read"));
    });
    reading.ahead(nothing);
    reading.leaveOff();
    await settle();
    expect(signals[0]!.aborted).toBe(true);
    reading.ahead(nothing);
    const requests = reading.aheadOrNow();
    reading.leaveOff();
    expect(await requests).toBe("read");
    expect(signals.slice(1).map(({ aborted }) => aborted)).toEqual([false]);
  });

  it("waits for what is prepared with it", async () => {
    const { runs, reading } = controlled();
    const prepared: string[] = [];
    reading.ahead(async (result) => {
      await settle();
      prepared.push(result);
    });
    const requests = reading.aheadOrNow();
    runs[0]!("ahead");
    await requests;
    expect(prepared).toEqual(["ahead"]);
  });

  it("reads for whoever asks where the reading ahead failed", async () => {
    const { runs, reading } = controlled();
    reading.ahead(nothing);
    const requests = reading.aheadOrNow();
    await settle();
    runs[0]!(new Error("The folder cannot be read."));
    await settle();
    runs[1]!("anew");
    expect(await requests).toBe("anew");
  });

  it("never gives it to who wants what is so now", async () => {
    const { runs, reading } = controlled();
    reading.ahead(nothing);
    runs[0]!("ahead");
    await settle();
    const requests = reading.now();
    await settle();
    runs[1]!("now");
    expect(await requests).toBe("now");
  });

  it("leaves who stops waiting for it alone", async () => {
    const { reading } = controlled();
    reading.ahead(nothing);
    const controller = new AbortController();
    const requests = reading.aheadOrNow({ signal: controller.signal });
    controller.abort();
    await expect(requests).rejects.toThrow(/abort/i);
  });
});
