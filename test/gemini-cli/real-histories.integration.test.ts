import { expect, it } from "vitest";
import { describeShared } from "../support/shared-suites.js";
import { openHistories } from "./support/homes.js";
import { geminiFolders } from "./support/real-histories.js";

interface Golden {
  readonly turns: number;
  readonly modelCalls: number;
  /** input, output, cached, thoughts, total: sums of the messages. */
  readonly tokens: readonly [number, number, number, number, number];
  readonly tools: Readonly<Record<string, number>>;
  readonly failedTools: number;
  /** Calls that a person cancelled. Default is 0. */
  readonly refusedTools?: number;
  readonly thoughts: number;
  readonly messages: number;
  readonly outcomes: readonly string[];
  readonly model: string;
  /** `undefined` where the title is the prompt. */
  readonly prompt?: string;
  readonly answer: string;
}

/** Another program counted these in the files, and a person checked them. */
const GOLDEN: Readonly<Record<string, Golden>> = {
  gemini_stage0_jsonl: {
    turns: 1,
    modelCalls: 2,
    tokens: [23_924, 228, 11_502, 0, 24_152],
    tools: { run_shell_command: 1 },
    failedTools: 0,
    thoughts: 0,
    messages: 3,
    outcomes: ["completed"],
    model: "gemini-3-flash-preview",
    answer: "Hello! I listed the files.",
  },
  "d0ed8c54-d24e-4ca5-b7ff-2f2b943c0d2d": {
    turns: 3,
    modelCalls: 10,
    tokens: [248_924, 2_478, 206_747, 989, 252_391],
    tools: { read_file: 3, write_file: 3, replace: 2, list_directory: 2 },
    failedTools: 0,
    thoughts: 12,
    messages: 13,
    outcomes: ["completed", "completed", "completed"],
    model: "gemini-3-flash-preview",
    answer: "I've added GitHub Issue Forms for both Bug Reports",
  },
  "914f3c63-152a-4f25-9f4e-367c43140554": {
    turns: 1,
    modelCalls: 3,
    tokens: [62_714, 700, 36_652, 2_216, 65_630],
    tools: { read_file: 1, replace: 1 },
    failedTools: 0,
    thoughts: 10,
    messages: 4,
    outcomes: ["completed"],
    model: "gemini-3-flash-preview",
    prompt: "Wrap the demo gifs in @README.md in img tags. Example",
    answer:
      'The demo GIFs in `README.md` have been wrapped in `<p align="center">` and `<img>` tags, using relative paths for the images.',
  },
  "cdb14b05-cceb-4354-a9d8-8c9182ece8bf": {
    turns: 4,
    modelCalls: 37,
    tokens: [1_658_567, 5_317, 1_408_642, 6_984, 1_670_868],
    tools: { read_file: 14, glob: 2, replace: 6, write_file: 2, grep_search: 6, run_shell_command: 10 },
    failedTools: 0,
    refusedTools: 2,
    thoughts: 59,
    messages: 42,
    outcomes: ["cancelled", "cancelled", "completed", "completed"],
    model: "gemini-3-flash-preview",
    answer: "I've updated the version in `package.json` to 0.0.2, added t",
  },
  "eefc44a3-0832-4bc0-ac33-fa668f038213": {
    turns: 1,
    modelCalls: 18,
    tokens: [466_642, 3_302, 326_620, 3_642, 473_586],
    tools: {},
    failedTools: 0,
    thoughts: 30,
    messages: 19,
    outcomes: ["completed"],
    model: "gemini-2.5-pro",
    answer:
      "我已經根據 `cargo clippy` 的建議，修復了所有可以讓代碼更簡潔的地方，並提交了這些變更。 主要改動如下：",
  },
  "d6f69999-62cc-4d41-8de4-9a85fc1531b8": {
    // Of its two messages of the user, the second is the result of a tool.
    turns: 1,
    modelCalls: 10,
    tokens: [388_878, 4_422, 278_423, 4_643, 397_943],
    tools: {},
    failedTools: 0,
    thoughts: 29,
    messages: 12,
    outcomes: ["completed"],
    model: "gemini-2.5-pro",
    prompt: "專案經過了多輪跌代 可能會產生 - 為了向後兼容產生的代碼",
    answer: "太好了！所有測試都通過了。 這證實了： 1. 為 `serde` 啟用",
  },
  "8a20078e-2d5e-4f81-a640-9b879bbb7e6d": {
    turns: 1,
    modelCalls: 3,
    tokens: [76_348, 9_325, 39_826, 11_616, 97_289],
    tools: { read_file: 3, write_file: 4 },
    failedTools: 0,
    thoughts: 39,
    messages: 4,
    outcomes: ["completed"],
    model: "gemini-3.1-pro-preview-customtools",
    prompt: "請幫我依照專案實際狀況更新 README.md README.zh-CN.md",
    answer: "已經幫你整理好囉！我把原本混在三份 README 裡面的",
  },
};

describeShared("real histories of Gemini CLI", () => {
  it("are seven sessions, each as it was counted by hand", async () => {
    const seen: string[] = [];
    for (const [, folder] of geminiFolders()) {
      const source = openHistories(folder);
      for (const item of await source.listSessions()) {
        seen.push(item.sessionId);
        const golden = GOLDEN[item.sessionId]!;
        const trace = await source.loadTraceEnvelopes(item.tenantId, item.sessionId);
        const of = (type: string) => trace.filter(({ event }) => event.type === type);
        const tools: Record<string, number> = {};
        for (const { event } of of("tool.start"))
          tools[`${event.toolName}`] = (tools[`${event.toolName}`] ?? 0) + 1;
        const [input, output, cached, thoughts, total] = golden.tokens;
        expect(item).toMatchObject({ turns: golden.turns, tokens: total, status: "idle" });
        expect([item.errors, item.model]).toEqual([golden.failedTools, golden.model]);
        expect(item.prompt?.slice(0, golden.prompt?.length)).toBe(golden.prompt);
        expect(item.lastAnswer?.slice(0, golden.answer.length)).toBe(golden.answer);
        expect(item.usage).toEqual({
          inputTokens: input - cached,
          outputTokens: output + thoughts,
          cacheReadTokens: cached,
          cacheWriteTokens: 0,
        });
        expect(item.warnings).toBeUndefined();
        expect(of("llm.start")).toHaveLength(golden.modelCalls);
        expect(of("llm.end")).toHaveLength(golden.modelCalls);
        expect(tools).toEqual(golden.tools);
        const ended = new Set(of("tool.end").map(({ event }) => event.toolCallId));
        expect(of("tool.start").every(({ event }) => ended.has(event.toolCallId))).toBe(true);
        const { failedTools, refusedTools = 0 } = golden;
        expect(of("tool.end").filter(({ event }) => event.isError)).toHaveLength(failedTools + refusedTools);
        expect(of("tool.end").filter(({ event }) => event.refused)).toHaveLength(refusedTools);
        expect(of("thinking")).toHaveLength(golden.thoughts);
        expect(of("turn.end").map(({ event }) => event.outcome)).toEqual(golden.outcomes);
        expect(of("error")).toEqual([]);
        expect(of("compaction.end")).toEqual([]);
        expect(await source.loadMessages(item.tenantId, item.sessionId)).toHaveLength(golden.messages);
        expect(await source.loadOrchestrationState(item.tenantId, item.sessionId)).toBeNull();
      }
    }
    expect(seen.sort()).toEqual(Object.keys(GOLDEN).sort());
  });
});
