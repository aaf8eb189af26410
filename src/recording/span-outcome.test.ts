import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../advanced.js";
import { RunRecorder } from "./run-recorder.js";
import { outcomeOf } from "./span-outcome.js";

describe("how a span ended", () => {
  it.each([
    ["completed", {}],
    ["failed", { error: { message: "The provider is down" } }],
    ["failed", { error: { message: "took too long", type: "TimeoutError" } }],
    ["cancelled", { error: { message: "aborted", type: "AbortError" } }],
    ["cancelled", { error: { message: "", type: "asyncio.exceptions.CancelledError" } }],
    ["cancelled", { isCancelled: true }],
    ["failed", { error: { message: "a tool's own", type: "AbortError" }, isCancelled: false }],
  ])("is %s by %j", (outcome, result) => {
    expect(outcomeOf(result).outcome).toBe(outcome);
  });

  it("is said of a sub-agent that was called off, with why, and counts as no error", async () => {
    const source = createInMemoryInspectorDataSource();
    const recorder = new RunRecorder(source.sessionStore);
    recorder.start({ id: "main", kind: "agent", name: "helper", sessionId: "s1" });
    recorder.start({ id: "sub", parentId: "main", kind: "agent", name: "reviewer" });
    recorder.end("sub", { error: { message: "not needed", type: "AbortError" } });
    recorder.end("main", { output: "Fine" });
    await recorder.flush();
    const { snapshot } = (await source.loadOrchestrationState("default", "s1"))!;
    expect(JSON.stringify(snapshot)).toContain('"outcome":"cancelled","cancelReason":"not needed"');
    expect(await source.listSessions()).toMatchObject([{ status: "idle", errors: 0 }]);
  });

  it("is a failure of an agent whose model stopped with an error", async () => {
    const source = createInMemoryInspectorDataSource();
    const recorder = new RunRecorder(source.sessionStore);
    recorder.start({ id: "main", kind: "agent", name: "helper", sessionId: "s1" });
    recorder.end("main", { stopReason: "error" });
    await recorder.flush();
    expect(await source.listSessions()).toMatchObject([{ status: "error", errors: 1 }]);
  });
});
