import { expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { assistantRecord, at, lines, newProjects, userRecord, uuid } from "./support/projects.js";

async function eventsOf(...records: readonly object[]) {
  const call = { type: "tool_use", id: "read", name: "Read", input: {} };
  const begin = [userRecord(1, 1, "Go."), assistantRecord(2, 2, "m1", [call])];
  const rest = records.map((record, i) => ({ uuid: uuid(i + 10), timestamp: at(i + 3), ...record }));
  const root = await newProjects({ "p/s.jsonl": lines(...begin, ...rest) });
  const source = createClaudeCodeDataSource(root, { threads: false });
  const envelopes = await source.loadTraceEnvelopes("p", "s");
  await source.close?.();
  return envelopes
    .map(({ event }) => event)
    .filter(({ stored }) => (stored as { line: number }).line > begin.length);
}

const typed = (type: string) => ({ type });
const attached = (attachment: object) => ({ type: "attachment", attachment });

it("is what Claude Code notes of its own work, and nothing that was said or that nobody knows", async () => {
  const events = await eventsOf(
    { type: "permission-mode" },
    { type: "summary", summary: "A talk" },
    { type: "progress", data: { type: "bash_progress" }, parentToolUseID: "read" },
    attached({ type: "todo_reminder" }),
    { type: "system", subtype: "session_start" },
    { type: "brand-new" },
    attached({ type: "queued_command" }),
    { type: "system", subtype: "local_command" },
    { type: "constructor" },
  );
  expect(events.map(({ bookkeeping }) => bookkeeping)).toEqual([
    ...["record", "record", "record", "record", "record"],
    ...[undefined, undefined, undefined, undefined],
  ]);
  expect(events[2]).toMatchObject({ toolCallId: "read" });
});

it("is what goes with the requests of a session, and what stands beside its prompts", async () => {
  const events = await eventsOf(
    ...["api-request", "api-request-shape", "api-request-blob", "tools-used", "atis-latch"].map(typed),
    ...["cost-state", "file-history-delta", "fork-context-ref", "queue-operation", "agent-name"].map(typed),
    ...["environment", "model", "session_context", "date", "remote_session_change", "prompt_snapshot"].map(
      (type) => attached({ type }),
    ),
  );
  expect(events).toHaveLength(16);
  expect(events.map(({ bookkeeping }) => bookkeeping)).toEqual(events.map(() => "record"));
});

it("names the message that a snapshot is of as its envelope is named", async () => {
  const messageId = uuid(99).toUpperCase();
  const [snapshot] = await eventsOf({ type: "file-history-snapshot", messageId, snapshot: {} });
  expect(snapshot).toMatchObject({ bookkeeping: "record", stepId: uuid(99) });
});

it("says of a hook what ran, for which call, and how it failed", async () => {
  const hook = { hookName: "PreToolUse:Read", command: "check", toolUseID: "read" };
  const events = await eventsOf(
    attached({ type: "hook_success", ...hook, stdout: "fine" }),
    attached({
      type: "hook_blocking_error",
      hookEvent: "Stop",
      blockingError: { blockingError: "Test it." },
    }),
    attached({ type: "hook_non_blocking_error", ...hook, stderr: "sh: bun: not found" }),
    attached({ type: "async_hook_error" }),
    { type: "system", subtype: "stop_hook_summary", hookErrors: ["exit 2"] },
    { type: "system", subtype: "stop_hook_summary", hookErrors: [] },
  );
  expect(events.every(({ bookkeeping }) => bookkeeping === "hook")).toBe(true);
  expect(events[0]).toMatchObject({
    toolCallId: "read",
    hook: { name: "PreToolUse:Read", command: "check" },
  });
  expect(events[1]!.hook).toEqual({ name: "Stop" });
  expect(events.map(({ isError, error }) => [isError, error])).toEqual([
    [undefined, undefined],
    [true, { message: "Test it." }],
    [true, { message: "sh: bun: not found" }],
    [true, { message: "async_hook_error" }],
    [true, { message: "exit 2" }],
    [undefined, undefined],
  ]);
});
