import type { JsonObject } from "../../../src/domain/json/json.js";

/** Every member is odd, but for types, and ids that connect events. */
export function oddEvents(odd: () => unknown): readonly (readonly [type: string, fields: JsonObject])[] {
  const names = ["toolName", "model", "role", "text", "output", "result", "error", "message", "agentId"];
  const more = ["prompt", "reason", "stopReason", "status", "outcome", "usage", "turnIndex", "bookkeeping"];
  const all = () => Object.fromEntries([...names, ...more, "modality"].map((name) => [name, odd()]));
  return [
    ["session.start", { ...all(), cwd: odd() }],
    ["turn.start", { ...all(), input: odd() }],
    ["agent_spawned", { agent: { id: "a", displayName: odd(), role: odd() } }],
    ["agent_job_started", { agentId: "a", job: { prompt: odd(), jobId: odd() } }],
    ["llm.start", { ...all(), callId: "c", messages: [{ role: "user", content: odd() }, odd()] }],
    ["text", { ...all(), role: undefined }],
    ["text", all()],
    ["tool.start", { ...all(), toolCallId: "t", input: odd() }],
    ["tool.end", { ...all(), toolCallId: "t", isError: true }],
    ["llm.end", { ...all(), callId: "c" }],
    ["compaction.end", { ...all(), tokensBefore: odd(), trigger: odd() }],
    ["app.hook", { ...all(), bookkeeping: "hook", hook: { name: odd(), command: odd() }, isError: true }],
    ["error", all()],
    ["agent_job_failed", { agentId: "a", job: { outcome: "failed", error: odd(), outputText: odd() } }],
    ["brand.new", { ...all(), name: odd() }],
  ];
}

export function oddMessages(odd: () => unknown): readonly JsonObject[] {
  const call = { type: "tool_use", id: "t", name: odd(), input: odd() };
  const result = { type: "tool_result", tool_use_id: "t", content: odd(), is_error: odd() };
  const rest = { id: odd(), tool_calls: odd(), parts: odd(), thoughts: [odd()] };
  return [
    { role: "user", content: odd() },
    { role: odd(), type: odd(), content: [odd(), { type: "text", text: odd() }, call] },
    { role: "user", content: [result] },
    { role: "assistant", content: odd(), ...rest },
  ];
}
