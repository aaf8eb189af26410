import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MemoryDataSource } from "../adapters/memory/memory-data-source.js";
import { MemorySessionStore } from "../adapters/memory/memory-session-store.js";
import { MemoryState } from "../adapters/memory/memory-state.js";
import { SessionRecorder } from "../application/recording/session-recorder.js";
import { asDataSource } from "../application/sources/lift.js";
import { startLiveSession } from "./live-session.js";

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

it("grows while it is served, and no more once it is stopped", async () => {
  const state = new MemoryState();
  const source = asDataSource(new MemoryDataSource(state));
  const live = await startLiveSession(new SessionRecorder(new MemorySessionStore(state)), 1_000);
  const session = (await source.listSessions())[0]!;
  expect(session.status).toBe("running");
  const types = async () => {
    const trace = await source.loadTraceEnvelopes(session.tenantId, session.sessionId);
    return trace.map(({ event }) => event.type);
  };
  expect(await types()).toEqual(["session.start", "turn.start"]);

  await vi.advanceTimersByTimeAsync(3_000);
  const grown = ["session.start", "turn.start", "llm.start", "llm.end", "tool.start", "tool.end"];
  expect(await types()).toEqual(grown);
  const messages = await source.loadMessages(session.tenantId, session.sessionId);
  expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);

  await live.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await types()).toEqual(grown);
});
