import { describe, expect, it } from "vitest";
import {
  answered,
  called,
  completed,
  counted,
  event,
  eventsOf,
  item,
  lines,
  meta,
  newHome,
  openHome,
  prompted,
  type Rec,
  rolloutOf,
  said,
  started,
  TENANT,
} from "./support/homes.js";

async function read(...records: readonly Rec[]) {
  const source = openHome(await newHome({ [rolloutOf("one")]: lines([meta("one"), ...records]) }));
  const [session] = await source.listSessions();
  const trace = await source.loadTraceEnvelopes(TENANT, "one");
  return { source, session: session!, trace, events: eventsOf(trace).slice(2) };
}

const typesOf = (events: readonly Record<string, unknown>[]) => events.map(({ type }) => type);

describe("what two records say", () => {
  it("is shown once, and the other record is marked", async () => {
    const { events } = await read(
      ...prompted("Hello"),
      event("agent_reasoning", { text: "They greet." }),
      item("reasoning", { summary: [{ type: "summary_text", text: "They greet." }], encrypted_content: "x" }),
      event("agent_message", { message: "Hi." }),
      said("assistant", "Hi."),
    );
    expect(events.map(({ type, repeats }) => (repeats ? `${String(type)} again` : type))).toEqual([
      "turn.start",
      "codex.user_message again",
      "llm.start",
      "thinking",
      "codex.reasoning again",
      "text",
      "codex.message again",
      "llm.end",
      "turn.end",
    ]);
  });

  it("is shown by whichever comes first, in the trace's words", async () => {
    const { events, source } = await read(
      event("user_message", { message: "Hello" }),
      said("assistant", "Hi."),
    );
    expect(events[0]).toMatchObject({ type: "turn.start", input: "Hello" });
    expect(events[2]).toMatchObject({ type: "text", role: "assistant", text: "Hi." });
    expect(await source.loadMessages(TENANT, "one")).toMatchObject([
      { message: "Hello" },
      { role: "assistant" },
    ]);
  });

  it("is found once by who reads the trace: the marked record holds all but the text", async () => {
    const { trace } = await read(
      ...prompted("Hello"),
      said("assistant", "Once"),
      event("agent_message", { message: "Once", phase: "final_answer" }),
    );
    const texts = trace.map((envelope) => JSON.stringify(envelope)).filter((text) => text.includes("Once"));
    expect(texts).toHaveLength(1);
    expect(trace.some(({ event: { record } }) => JSON.stringify(record ?? "").includes("final_answer"))).toBe(
      true,
    );
  });

  it("is one prompt where an event announces another text of it, and none where Codex added the text", async () => {
    const added = "<environment_context><cwd>/srv</cwd></environment_context>";
    const { source, session } = await read(
      said("user", added),
      event("user_message", { message: added, kind: "environment_context" }),
      event("user_message", { message: "Be brief.", kind: "user_instructions" }),
      said("user", "[TEXT of 5]"),
      event("user_message", { message: "[MESSAGE of 5]", kind: "plain" }),
      said("assistant", "Hi."),
    );
    expect(session).toMatchObject({ turns: 1, title: "[TEXT of 5]" });
    expect(await source.loadMessages(TENANT, "one")).toHaveLength(3);
  });

  it("is said twice where the model says it twice", async () => {
    const { events } = await read(...prompted("Hello"), said("assistant", "Hi."), said("assistant", "Hi."));
    expect(events.filter(({ type }) => type === "text")).toHaveLength(2);
  });

  it("does not hide what a prompt lies behind: marks of images, instructions, an editor's list of files", async () => {
    const { session, source } = await read(
      said("user", "# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>…</INSTRUCTIONS>"),
      said("user", "<environment_context>…</environment_context>"),
      item("message", {
        role: "user",
        content: [
          { type: "input_text", text: "<image name=[Image #1]>" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA" },
          { type: "input_text", text: "</image>" },
          {
            type: "input_text",
            text: "# Files mentioned by the user:\n\n## a.png\n\n## My request for Codex:\nMake it blue",
          },
        ],
      }),
      event("user_message", {
        message: "# Files mentioned by the user:\n\n## a.png\n\n## My request for Codex:\nMake it blue",
        local_images: ["a.png"],
      }),
    );
    expect(session).toMatchObject({ title: "Make it blue", turns: 1 });
    expect(await source.loadMessages(TENANT, "one")).toHaveLength(3);
  });
});

describe("tool calls", () => {
  it("end with exit code and duration, from an event or from the text of the output", async () => {
    const { events } = await read(
      ...prompted("Go"),
      called("a", "shell_command", { command: "false" }),
      called("b", "exec_command", { cmd: "ls" }),
      event("exec_command_end", {
        call_id: "a",
        exit_code: 1,
        duration: { secs: 2, nanos: 500_000_000 },
        aggregated_output: "no",
        status: "failed",
      }),
      answered("a", "Exit code: 1\nWall time: 2.5 seconds\nOutput:\nno"),
      answered(
        "b",
        "Chunk ID: 1\nWall time: 0.2500 seconds\nProcess exited with code 0\nOutput:\nExit code: 9\n",
      ),
    );
    expect(events.filter(({ type }) => type === "tool.end")).toMatchObject([
      {
        toolCallId: "a",
        toolName: "shell_command",
        exitCode: 1,
        durationMs: 2_500,
        output: "no",
        isError: true,
      },
      { toolCallId: "b", toolName: "exec_command", exitCode: 0, durationMs: 250, isError: false },
    ]);
    expect(events.filter(({ repeats }) => repeats)).toMatchObject([
      { type: "codex.user_message" },
      { type: "codex.function_call_output", toolCallId: "a" },
    ]);
  });

  it("are no failure where a person refused them", async () => {
    const { events } = await read(
      ...prompted("Go"),
      called("a", "shell_command", { command: "rm -r ." }),
      answered("a", "exec command rejected by user"),
      called("b", "shell_command", { command: "rm -r ." }),
      event("exec_command_end", { call_id: "b", exit_code: -1, aggregated_output: "", status: "declined" }),
      called("c", "shell_command", { command: "cat log" }),
      answered("c", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nexec command rejected by user"),
      called("d", "shell_command", { command: "sleep 9" }),
      answered("d", "aborted by user after 2.1s"),
    );
    const ends = events.filter(({ type }) => type === "tool.end");
    expect(ends.map(({ isError, refused }) => [isError, refused])).toEqual([
      [true, true],
      [true, true],
      [false, undefined],
      [true, undefined],
    ]);
  });

  it("are of every kind: patches with their changes, MCP, local shells, searches, tools without arguments", async () => {
    const changes = { "/w/a.ts": { type: "update", unified_diff: "@@ -1 +1 @@\n-a\n+b\n" } };
    const { events } = await read(
      ...prompted("Go"),
      item("custom_tool_call", {
        call_id: "p",
        name: "apply_patch",
        input: "*** Begin Patch",
        status: "completed",
      }),
      event("patch_apply_end", { call_id: "p", success: false, stdout: "", changes, status: "failed" }),
      item("custom_tool_call_output", { call_id: "p", output: "failed" }),
      item("function_call", {
        call_id: "m",
        namespace: "mcp__books__",
        name: "count",
        arguments: '{"shelf":1}',
      }),
      event("mcp_tool_call_end", {
        call_id: "m",
        result: { Ok: { content: [{ type: "text", text: "7" }], isError: true } },
      }),
      item("local_shell_call", { call_id: "l", action: { type: "exec", command: ["ls"] } }),
      item("function_call_output", { call_id: "l", output: "a" }),
      item("web_search_call", { action: { type: "search", query: "books" }, status: "completed" }),
      item("function_call", { call_id: "x", name: "odd", arguments: "{no json" }),
      item("function_call_output", { call_id: "unknown", output: "late" }),
    );
    expect(events.filter(({ type }) => type === "tool.start")).toMatchObject([
      { toolName: "apply_patch", input: "*** Begin Patch" },
      { toolName: "mcp__books__count", input: { shelf: 1 } },
      { toolName: "local_shell", input: { command: ["ls"] } },
      { toolName: "web_search", input: { query: "books" } },
      { toolName: "odd", input: "{no json" },
    ]);
    expect(events.filter(({ type }) => type === "tool.end")).toMatchObject([
      { toolCallId: "p", isError: true, changes },
      { toolCallId: "m", isError: true },
      { toolCallId: "l", output: "a" },
      { toolName: "web_search", derived: true },
      { toolCallId: "unknown", toolName: "unknown" },
    ]);
  });
});

describe("turns", () => {
  it("are those of tasks where there are tasks: aborted ones, ones without a prompt, ones that failed", async () => {
    const { session, events } = await read(
      started("t1"),
      ...prompted("One"),
      event("turn_aborted", { turn_id: "t1", reason: "interrupted" }),
      said("user", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>"),
      started("t2"),
      said("assistant", "Working."),
      ...prompted("Hurry"),
      completed("t2"),
      started("t3"),
      ...prompted("Three"),
      event("error", { message: "Usage limit", codex_error_info: "usage_limit_exceeded" }),
      completed("t3", null),
    );
    expect(session).toMatchObject({ turns: 3, status: "error" });
    expect(events.filter(({ type }) => type === "turn.end")).toMatchObject([
      { turnIndex: 0, outcome: "cancelled", reason: "interrupted" },
      { turnIndex: 1, outcome: "completed", durationMs: 1_500 },
      { turnIndex: 2, outcome: "failed" },
    ]);
    expect(events.filter(({ type }) => type === "turn.start")).toMatchObject([
      { input: "One" },
      { derived: true },
      { input: "Three" },
    ]);
    expect(events.find(({ type }) => type === "error")!.error).toEqual({
      message: "Usage limit",
      info: "usage_limit_exceeded",
    });
  });

  it("that said nothing failed", async () => {
    const { session } = await read(started("t1"), ...prompted("One"), completed("t1", null));
    expect(session.status).toBe("error");
  });

  it("that were rolled back, reviews, approvals and what nobody knows are shown as they are", async () => {
    const { events, trace } = await read(
      event("thread_rolled_back", { num_turns: 1 }),
      event("entered_review_mode", { target: { type: "uncommittedChanges" } }),
      event("exited_review_mode", { review_output: { findings: [] } }),
      event("guardian_assessment", { status: "approved" }),
      event("token_count", { info: null }),
      event("brand_new", { value: 1 }),
      item("brand_new_item", { value: 2 }),
      ["brand_new_type", { value: 3 }],
    );
    expect(typesOf(events)).toEqual([
      "codex.thread_rolled_back",
      "codex.entered_review_mode",
      "codex.exited_review_mode",
      "codex.guardian_assessment",
      "codex.token_count",
      "codex.brand_new",
      "codex.brand_new_item",
      "codex.brand_new_type",
    ]);
    const noted = events.filter(({ bookkeeping }) => bookkeeping === "record");
    expect(typesOf(noted)).toEqual(["codex.token_count"]);
    expect(trace.at(-1)!.event.record).toMatchObject({ type: "brand_new_type", payload: { value: 3 } });
  });
});

describe("model calls", () => {
  it("have the model of their turn and what the totals grew by, however often these are written", async () => {
    const { session, events } = await read(
      ["turn_context", { model: "gpt-a" }],
      ...prompted("Go"),
      called("a", "exec_command", {}),
      counted(100, 40, 10),
      answered("a", ""),
      counted(100, 40, 10),
      ["turn_context", { model: "gpt-b" }],
      said("assistant", "Done."),
      counted(300, 140, 30, [200, 100, 20]),
      event("token_count", { info: null, rate_limits: { primary: { used_percent: 1 } } }),
    );
    expect(events.filter(({ type }) => type === "llm.end")).toMatchObject([
      {
        model: "gpt-a",
        usage: { inputTokens: 60, cacheReadTokens: 40, outputTokens: 10, cacheWriteTokens: 0 },
      },
      {
        model: "gpt-b",
        usage: { inputTokens: 100, cacheReadTokens: 100, outputTokens: 20, cacheWriteTokens: 0 },
      },
    ]);
    expect(session).toMatchObject({ tokens: 330 });
  });

  it("begin with their totals where these are written first", async () => {
    const { events } = await read(
      ...prompted("Go"),
      event("agent_message", { message: "Let me look." }),
      counted(10, 0, 1),
      said("assistant", "Let me look."),
      called("a", "shell", {}),
      answered("a", ""),
      counted(30, 0, 3, [20, 0, 2]),
      item("reasoning", { summary: [], encrypted_content: "x" }),
      said("assistant", "Done."),
    );
    expect(events.filter(({ type }) => type === "llm.end")).toMatchObject([
      { usage: { inputTokens: 10 } },
      { usage: { inputTokens: 20 } },
    ]);
    expect(events.find(({ type }) => type === "thinking")).toMatchObject({ text: "", encrypted: true });
  });

  it("count totals that fell as a new beginning", async () => {
    const { session } = await read(counted(100, 0, 10), counted(40, 0, 5), counted(60, 0, 6, [20, 0, 1]));
    expect(session.tokens).toBe(110 + 66);
  });
});

describe("compactions", () => {
  const history = [
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Summary of all" }] },
  ];

  it("are one event for both of their records, with what they keep as a message", async () => {
    const { events, source, trace } = await read(
      ...prompted("Hello"),
      said("assistant", "Hi."),
      counted(100, 0, 10),
      ["compacted", { message: "", replacement_history: history }],
      event("context_compacted"),
    );
    expect(typesOf(events)).toContain("compaction.start");
    expect(events.filter(({ type }) => type === "compaction.end")).toMatchObject([
      { tokensBefore: 110, kept: 2 },
    ]);
    expect((await source.loadMessages(TENANT, "one")).at(-1)).toEqual({
      message: "",
      replacement_history: history,
    });
    expect(JSON.stringify(trace)).not.toContain("Summary of all");
  });

  it("are found where there is only the event", async () => {
    const { events } = await read(event("context_compacted"));
    expect(typesOf(events)).toEqual(["compaction.start", "compaction.end"]);
  });

  it("are told each by its own records", async () => {
    const compacted: Rec = ["compacted", { message: "", replacement_history: [] }];
    const told = event("context_compacted");
    const { events } = await read(compacted, told, told, compacted, told);
    expect(events.map(({ type, repeats }) => (repeats ? `${String(type)} again` : type))).toEqual([
      "compaction.start",
      "compaction.end",
      "codex.context_compacted again",
      "compaction.start",
      "compaction.end",
      "compaction.start",
      "compaction.end",
      "codex.context_compacted again",
    ]);
  });
});
