import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SourceWait } from "./source-wait.js";

describe("The wait for a source", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("has its limit again each time that what is waited for goes on", async () => {
    const wait = new SourceWait(new AbortController().signal, 1_000);
    const part = wait.for(new Promise(() => undefined));
    const refused = expect(part).rejects.toThrow("did not answer within 1 s");
    for (let times = 0; times < 3; times++) {
      await vi.advanceTimersByTimeAsync(900);
      wait.goesOn();
    }
    expect(wait.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    expect(wait.signal.aborted).toBe(true);
  });

  it("ends with what is waited for, whatever goes on later", async () => {
    const wait = new SourceWait(new AbortController().signal, 1_000);
    expect(await wait.for(Promise.resolve("all"))).toBe("all");
    wait.goesOn();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(wait.signal.aborted).toBe(false);
  });
});
