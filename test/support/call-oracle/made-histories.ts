import * as claudeCode from "../../claude-code/support/projects.js";
import * as codex from "../../codex/support/homes.js";
import * as gemini from "../../gemini-cli/support/homes.js";
import type { Format } from "./histories.js";

type Made = readonly [name: string, format: Format, files: Readonly<Record<string, string>>];

const THREAD = "019f0000-0000-7000-8000-000000000001";
const LONG = "A result that is long, and that a model can do without once it has read it. ".repeat(20);

/** Small histories of cases that the shared ones lack. */
export const MADE: readonly Made[] = [
  ["made/micro-compaction", "claude-code", { "-w-app/S1.jsonl": microCompacted() }],
  ["made/two turns rolled back", "codex", { [codex.rolloutOf(THREAD)]: rolledBack() }],
  ["made/masked result", "gemini-cli", { "tmp/p/chats/session-2026-05-01T09-00-S1.jsonl": masked() }],
  ["made/compression", "gemini-cli", { "tmp/p/chats/session-2026-05-01T09-00-S2.jsonl": compressed() }],
];

/** The first of two results leaves the context before the last call. */
function microCompacted(): string {
  const record = (number: number, type: string, more: object) => ({
    uuid: claudeCode.uuid(number),
    parentUuid: number === 1 ? null : claudeCode.uuid(number - 1),
    timestamp: claudeCode.at(number),
    sessionId: "S1",
    isSidechain: false,
    version: "2.1.100",
    cwd: "/w/app",
    type,
    ...more,
  });
  const user = (number: number, content: unknown) =>
    record(number, "user", { message: { role: "user", content } });
  const assistant = (number: number, block: object) =>
    record(number, "assistant", {
      message: {
        id: `m${number}`,
        role: "assistant",
        model: "claude-x",
        content: [block],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    });
  const use = (id: string) => ({ type: "tool_use", id, name: "Read", input: { file_path: `/w/app/${id}` } });
  const result = (id: string, content: string) => [{ type: "tool_result", tool_use_id: id, content }];
  return claudeCode.lines(
    user(1, "Read both files"),
    assistant(2, use("t1")),
    user(3, result("t1", LONG)),
    assistant(4, use("t2")),
    user(5, result("t2", "A short result")),
    record(6, "system", {
      subtype: "microcompact_boundary",
      content: "Context microcompacted",
      microcompactMetadata: { trigger: "auto", preTokens: 9_000, tokensSaved: 800, compactedToolIds: ["t1"] },
    }),
    assistant(7, { type: "text", text: "Both are read." }),
  );
}

/** Takes the last two of three turns back, then adds one. */
function rolledBack(): string {
  const turn = (id: string, question: string, answer: string): codex.Rec[] => [
    codex.started(id),
    ...codex.prompted(question),
    codex.said("assistant", answer),
    codex.completed(id, answer),
  ];
  return codex.lines([
    codex.meta(THREAD),
    ...turn("U1", "The first question", "The first answer"),
    ...turn("U2", "The second question", "The second answer"),
    ...turn("U3", "The third question", "The third answer"),
    codex.event("thread_rolled_back", { num_turns: 2 }),
    ...turn("U4", "The fourth question", "The fourth answer"),
  ]);
}

/** Rewrites all messages, with a note instead of a long result. */
function masked(): string {
  const asked = gemini.user("m1", 1, "What does the file say?");
  const read = (output: string) => {
    const result = [{ functionResponse: { id: "c1", name: "read_file", response: { output } } }];
    const call = {
      id: "c1",
      name: "read_file",
      args: {},
      status: "success",
      timestamp: gemini.at(3),
      result,
    };
    return gemini.gemini("m2", 2, "", { toolCalls: [call] });
  };
  const note = "The output was long and is left out.";
  return gemini.lines(
    gemini.header("S1"),
    asked,
    read(LONG),
    gemini.gemini("m3", 4, "It says much."),
    { $set: { messages: [asked, read(note), gemini.gemini("m3", 4, "It says much.")] } },
    gemini.user("m4", 5, "And the other file?"),
    gemini.gemini("m5", 6, "There is none."),
  );
}

/** A summary replaces the first turn, and the second stays. */
function compressed(): string {
  const kept = [gemini.user("m3", 3, "The second question"), gemini.gemini("m4", 4, "The second answer")];
  const summary = gemini.user("s1", 5, "<state_snapshot>There was a first question.</state_snapshot>");
  const thanks = {
    id: "s2",
    timestamp: gemini.at(5),
    type: "gemini",
    content: "Got it. Thanks for the additional context!",
  };
  return gemini.lines(
    gemini.header("S2"),
    gemini.user("m1", 1, "The first question"),
    gemini.gemini("m2", 2, "The first answer"),
    ...kept,
    { $set: { messages: [summary, thanks, ...kept] } },
    gemini.user("m5", 6, "The third question"),
    gemini.gemini("m6", 7, "The third answer"),
  );
}
