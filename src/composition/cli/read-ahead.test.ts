import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import { createInMemoryInspectorDataSource } from "../data-sources.js";
import { ReadAhead } from "./read-ahead.js";

/** A source whose list takes until it is told to stop. */
function slowSource() {
  const signals: (AbortSignal | undefined)[] = [];
  const source = Object.assign(createInMemoryInspectorDataSource(), {
    listSessions: ({ signal }: ReadOptions = {}) => {
      signals.push(signal);
      return new Promise<InspectorSessionItem[]>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    },
  });
  return { source, signals };
}

describe("ReadAhead", () => {
  it("reads the list, until somebody asks for something", async () => {
    const { source, signals } = slowSource();
    const ahead = new ReadAhead(source);
    const app = new Hono().use(ahead.yields).get("/", (c) => c.text("here"));
    expect(signals).toEqual([]);
    ahead.begin();
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
    expect(await (await app.request("/")).text()).toBe("here");
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it("does not begin where somebody was faster", async () => {
    const { source, signals } = slowSource();
    const ahead = new ReadAhead(source);
    await new Hono().use(ahead.yields).request("/");
    ahead.begin();
    expect(signals).toEqual([]);
  });

  it("leaves it to whoever asks to hear that the list cannot be read", async () => {
    const { source } = slowSource();
    source.listSessions = () => Promise.reject(new Error("the disk is gone"));
    new ReadAhead(source).begin();
    await new Promise((resolve) => setImmediate(resolve)); // an unhandled rejection would fail the run
  });
});
