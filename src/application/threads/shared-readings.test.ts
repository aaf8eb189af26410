import { describe, expect, it } from "vitest";
import { SharedReadings } from "./shared-readings.js";

/** A reading that ends when the test ends it. */
function controlled() {
  const runs: { readonly signal: AbortSignal; readonly end: (value: string) => void }[] = [];
  const read = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      runs.push({ signal, end: resolve });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { runs, read };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("SharedReadings", () => {
  it("lets later callers share one reading that began after their call", async () => {
    const { runs, read } = controlled();
    const readings = new SharedReadings<string>();
    const first = readings.read("a", read);
    const later = [readings.read("a", read), readings.read("a", read)];
    await settle();
    expect(runs).toHaveLength(1);
    runs[0]?.end("old");
    await settle();
    expect(runs).toHaveLength(2);
    runs[1]?.end("new");
    expect(await first).toBe("old");
    expect(await Promise.all(later)).toEqual(["new", "new"]);
  });

  it("stops a reading when the last one who waits has gone, and not before", async () => {
    const { runs, read } = controlled();
    const readings = new SharedReadings<string>();
    const [one, two] = [new AbortController(), new AbortController()];
    const blocker = readings.read("a", read);
    const waiting = [one, two].map(({ signal }) =>
      readings.read("a", read, { signal }).catch((error) => error),
    );
    runs[0]?.end("first");
    await blocker;
    await settle();
    one.abort(new Error("one left"));
    await settle();
    expect(runs[1]?.signal.aborted).toBe(false);
    two.abort(new Error("two left"));
    await settle();
    expect(runs[1]?.signal.aborted).toBe(true);
    expect((await Promise.all(waiting)).map((error: Error) => error.message)).toEqual([
      "one left",
      "two left",
    ]);
  });

  it("does not abort a reading that ended well, and begins anew after one that failed", async () => {
    const { runs, read } = controlled();
    const readings = new SharedReadings<string>();
    const first = readings.read("a", read);
    runs[0]?.end("done");
    await first;
    await settle();
    expect(runs[0]?.signal.aborted).toBe(false);
    const failed = readings.read("b", () => Promise.reject(new Error("broken")));
    await expect(failed).rejects.toThrow("broken");
    await settle();
    expect(await readings.read("b", async () => "mended")).toBe("mended");
  });
});
