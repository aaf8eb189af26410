import { createClaudeCodeDataSource } from "../../../src/claude-code.js";
import { createCodexDataSource } from "../../../src/codex.js";
import { createGeminiCliDataSource } from "../../../src/gemini-cli.js";
import * as claude from "../../claude-code/support/projects.js";
import * as codex from "../../codex/support/homes.js";
import * as gemini from "../../gemini-cli/support/homes.js";
import { type FileFormat, GOOD, TEXT, texts } from "./file-format.js";
import { COPY } from "./plant.js";

export const CLAUDE_CODE: FileFormat = {
  name: "Claude Code",
  session(tenantId, sessionId, text) {
    const record = (n: number, type: string, more: object) => ({
      type,
      uuid: `${sessionId}-${n}-${COPY}`,
      parentUuid: n === 1 ? null : `${sessionId}-${n - 1}-${COPY}`,
      timestamp: claude.at(n),
      sessionId,
      cwd: `/home/ada/${tenantId}`,
      version: "2.1.331",
      gitBranch: "main",
      isSidechain: false,
      ...more,
    });
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 2,
    };
    const said = (n: number, content: readonly object[], stop: string) =>
      record(n, "assistant", {
        requestId: `r-${sessionId}-${n}-${COPY}`,
        message: {
          id: `m-${sessionId}-${n}-${COPY}`,
          role: "assistant",
          model: "claude-sonnet-4-5",
          content,
          stop_reason: stop,
          usage,
        },
      });
    const user = (n: number, content: unknown, more: object = {}) =>
      record(n, "user", { message: { role: "user", content }, ...more });
    const [look, ask] = [`look-${sessionId}-${COPY}`, `ask-${sessionId}-${COPY}`];
    const main = [
      user(1, `Where is the ${text}?`),
      said(2, [{ type: "thinking", thinking: `The ${text}?`, signature: "x" }], "tool_use"),
      said(
        3,
        [{ type: "tool_use", id: look, name: "Read", input: { file_path: `/home/ada/${text}.ts` } }],
        "tool_use",
      ),
      user(4, [{ type: "tool_result", tool_use_id: look, content: `no such ${text}`, is_error: true }], {
        toolUseResult: "Error",
      }),
      said(
        5,
        [
          {
            type: "tool_use",
            id: ask,
            name: "Task",
            input: { subagent_type: "reader", description: "Read", prompt: `Read the ${text}` },
          },
        ],
        "tool_use",
      ),
      user(
        6,
        [{ type: "tool_result", tool_use_id: ask, content: [{ type: "text", text: `The ${text}.` }] }],
        {
          toolUseResult: {
            status: "completed",
            agentId: `a${COPY}`,
            totalTokens: 20,
            totalDurationMs: 50,
            totalToolUseCount: 0,
          },
        },
      ),
      record(7, "system", {
        subtype: "compact_boundary",
        content: "Compacted",
        compactMetadata: { trigger: "auto", preTokens: 500 },
      }),
      user(8, `All of the ${text}`, { isCompactSummary: true }),
      said(9, [{ type: "text", text: `The ${text} is not there.` }], "end_turn"),
      { type: "summary", summary: `About the ${text}`, leafUuid: `${sessionId}-9-${COPY}` },
      record(10, "progress", {
        data: {
          type: "agent_progress",
          agentId: `b${COPY}`,
          message: { type: "user", message: { role: "user", content: "Hi" } },
        },
        parentToolUseID: ask,
      }),
      record(11, "attachment", { attachment: { type: "queued_command", prompt: text } }),
    ];
    const own = [
      record(21, "user", {
        isSidechain: true,
        agentId: "a0",
        message: { role: "user", content: `Read the ${text}` },
      }),
      { ...said(22, [{ type: "text", text: `The ${text}.` }], "end_turn"), isSidechain: true, agentId: "a0" },
    ];
    return {
      [`${tenantId}/${sessionId}.jsonl`]: texts(main),
      [`${tenantId}/${sessionId}/subagents/agent-a0.jsonl`]: texts(own),
      [`${tenantId}/${sessionId}/subagents/agent-a0.meta.json`]: texts([
        { agentType: "reader", description: "Read" },
      ]),
    };
  },
  good: { tenantId: "shop", sessionId: GOOD, text: TEXT },
  open: (folder) => createClaudeCodeDataSource(folder, { threads: false }),
  isNamedByPath: true,
};

export const CODEX: FileFormat = {
  name: "Codex",
  session(_, sessionId, text) {
    const [look, ask] = [`look-${COPY}`, `ask-${COPY}`];
    const child = `${sessionId}c`;
    const own = [
      codex.meta(sessionId, { git: { branch: "main" } }),
      codex.started(`turn-${COPY}`),
      ["turn_context", { model: "gpt-5", cwd: codex.CWD, effort: "high" }] as const,
      ...codex.prompted(`Where is the ${text}?`),
      codex.item("reasoning", { summary: [{ type: "summary_text", text: `The ${text}?` }], content: null }),
      codex.called(look, "exec_command", { cmd: `cat ${text}.ts` }),
      codex.event("exec_command_end", {
        call_id: look,
        exit_code: 1,
        duration: { secs: 1, nanos: 5 },
        aggregated_output: text,
      }),
      codex.answered(look, `Exit code: 1\nWall time: 1 seconds\nOutput:\nno such ${text}`),
      codex.called(ask, "spawn_agent", { message: `Read the ${text}` }),
      codex.event("sub_agent_activity", { event_id: ask, agent_thread_id: child, kind: "started" }),
      codex.answered(ask, JSON.stringify({ agent_id: child })),
      codex.counted(100, 60, 10, [100, 60, 10]),
      [
        "compacted",
        {
          message: `All of the ${text}`,
          replacement_history: [{ type: "message", role: "user", content: [{ type: "input_text", text }] }],
        },
      ] as const,
      codex.said("assistant", `The ${text} is not there.`),
      codex.event("agent_message", { message: `The ${text} is not there.` }),
      codex.counted(300, 200, 30, [200, 140, 20]),
      codex.event("error", { message: "The connection was lost" }),
      codex.completed(`turn-${COPY}`),
    ];
    const childs = [
      codex.meta(child, {
        source: {
          subagent: {
            thread_spawn: { parent_thread_id: sessionId, agent_role: "reader", agent_nickname: "R" },
          },
        },
      }),
      ...codex.prompted(`Read the ${text}`),
      codex.said("assistant", `The ${text}.`),
      codex.counted(9, 6, 1),
    ];
    return {
      [codex.rolloutOf(sessionId)]: codex.lines(own).trimEnd().split("\n"),
      [codex.rolloutOf(child)]: codex.lines(childs, 10).trimEnd().split("\n"),
    };
  },
  good: { tenantId: codex.TENANT, sessionId: GOOD, text: TEXT },
  open: (folder) => createCodexDataSource(folder, { threads: false }),
  isNamedByPath: false,
};

export const GEMINI_CLI: FileFormat = {
  name: "Gemini CLI",
  session(tenantId, sessionId, text) {
    const records = [
      gemini.header(sessionId, { summary: `About the ${text}`, directories: ["/home/ada"] }),
      gemini.user(`u${COPY}`, 1, `Where is the ${text}?`),
      gemini.gemini(`g${COPY}`, 2, "I look.", {
        thoughts: [{ subject: "Look", description: `The ${text}?`, timestamp: gemini.at(2) }],
        toolCalls: [
          gemini.toolCall(`t${COPY}`, 3, `no such ${text}`, {
            status: "error",
            args: { path: `${text}.ts` },
          }),
          gemini.toolCall(`a${COPY}`, 3, `The ${text}.`, {
            name: "reader",
            agentId: "a0",
            description: "Read",
          }),
        ],
      }),
      gemini.gemini(`h${COPY}`, 5, `The ${text} is not there.`),
      gemini.note(`i${COPY}`, 6, "info", "Request cancelled."),
      gemini.note(`e${COPY}`, 7, "error", "The connection was lost"),
      { $set: { summary: `About the ${text}`, lastUpdated: gemini.at(8) } },
    ];
    const own = [
      gemini.header(`${sessionId}a0`, { kind: "subagent" }),
      gemini.user(`v${COPY}`, 3, `Read the ${text}`),
      gemini.gemini(`k${COPY}`, 4, `The ${text}.`),
    ];
    const chats = `tmp/${tenantId}/chats`;
    return {
      [`${chats}/session-${sessionId}-${sessionId.slice(0, 8)}.jsonl`]: texts(records),
      [`${chats}/${sessionId}/a0.jsonl`]: texts(own),
    };
  },
  good: { tenantId: "shop", sessionId: GOOD, text: TEXT },
  open: (folder) => createGeminiCliDataSource(folder, { threads: false }),
  isNamedByPath: true,
};
