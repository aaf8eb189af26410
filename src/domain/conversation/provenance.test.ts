import { describe, expect, it } from "vitest";
import { contextCalls } from "./context-calls.js";
import { contextOf } from "./context-messages.js";
import { type ReadMessage, readMessage } from "./conversation.js";
import { type Contexts, provenanceOf } from "./provenance.js";

const call = (id: string, name: string, input: object, message = `of-${id}`) => ({
  role: "assistant",
  id: message,
  content: [{ type: "tool_use", id, name, input }],
});
const result = (id: string, content: string) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content }],
});

/** A conversation as a history shows it. */
function contextsOf(records: readonly object[], isSubAgent = false): Contexts {
  const messages = records.map((record, i) => readMessage({ ...record }, i));
  const calls = contextCalls(messages);
  return {
    count: calls.length,
    messages,
    isSubAgent,
    contextOf: (at) => contextOf(messages, calls[at]!),
    removalsBefore: (at) => calls[at]!.removals,
  };
}

/** Contexts that are recorded on the calls, each read again. */
function recordedOn(...contexts: readonly (readonly object[])[]): Contexts {
  const context = contexts.map((one, at) =>
    one.map((record, i) => readMessage({ ...record }, -(at + 1) * 1_000 + i)),
  );
  return {
    count: context.length,
    messages: [],
    isSubAgent: false,
    contextOf: (at) => context[at]!,
    removalsBefore: () => [],
  };
}

const HISTORY = [
  { role: "system", content: "be brief" },
  { role: "user", content: "mend it" },
  call("t1", "Read", { file_path: "a.ts" }),
  result("t1", "one"),
  call("t2", "Edit", { file_path: "a.ts", old_string: "one", new_string: "two" }),
  result("t2", "edited"),
  call("t3", "Read", { file_path: "a.ts" }),
  result("t3", "two"),
  { role: "user", content: "<summary>It is mended.</summary>" },
  call("t4", "Read", { file_path: "a.ts", offset: 1 }),
  result("t4", "wo"),
  { role: "assistant", id: "last", content: "Done." },
];

describe("the provenance of a message that the conversation holds", () => {
  const contexts = contextsOf(HISTORY);
  const of = (at: number, index: number) =>
    provenanceOf(contexts, at, contexts.messages[index] as ReadMessage);

  it("is the tool and the file that gave it, from the first call that saw it to the compaction that dropped it", () => {
    const read = { toolCallId: "t1", name: "Read", paths: ["a.ts"], text: "" };
    for (const at of [1, 2]) {
      expect(of(at, 3)).toEqual({
        source: { by: "tool", uses: [read] },
        firstContext: 1,
        rewrittenAt: [],
        dropped: { at: 3, byCompaction: true, removal: { cause: "compaction" } },
        repetitions: [
          { toolCallId: "t3", name: "Read", paths: ["a.ts"], text: "", same: "input" },
          { toolCallId: "t4", name: "Read", paths: ["a.ts"], text: "", same: "file" },
        ],
        moreRepetitions: 0,
      });
    }
  });

  it("does not take an edit of a file for another reading of it", () => {
    expect(of(2, 5)).toMatchObject({
      source: { uses: [{ toolCallId: "t2" }] },
      firstContext: 2,
      repetitions: [],
    });
  });

  it("is the person, the model, the compaction or the system", () => {
    expect(of(0, 1)).toMatchObject({ source: { by: "person" }, firstContext: 0 });
    expect(of(1, 2)).toMatchObject({ source: { by: "model" }, firstContext: 1 });
    expect(of(3, 8)).toMatchObject({ source: { by: "compaction" }, firstContext: 3 });
    expect(of(4, 8)).not.toHaveProperty("dropped");
    // Every call has it in its context, also after the compaction.
    expect(of(4, 0)).toEqual({
      source: { by: "system" },
      firstContext: 0,
      rewrittenAt: [],
      repetitions: [],
      moreRepetitions: 0,
    });
  });

  it("is the parent agent, for the first words to a sub-agent", () => {
    const agent = contextsOf(
      [...HISTORY.slice(0, 4), { role: "user", content: "and?" }, call("t9", "Read", {})],
      true,
    );
    expect(provenanceOf(agent, 0, agent.messages[1]!)).toMatchObject({ source: { by: "parent" } });
    expect(provenanceOf(agent, 1, agent.messages[4]!)).toMatchObject({ source: { by: "person" } });
  });

  it("is nothing of a message that the call did not see", () => {
    expect(of(0, 3)).toBeUndefined();
    expect(of(3, 3)).toBeUndefined();
  });

  it("names ten repetitions, and how many others there are", () => {
    const many = contextsOf([
      HISTORY[1]!,
      ...Array.from({ length: 13 }, (_, i) => [
        call(`r${i}`, "Bash", { command: "ls" }),
        result(`r${i}`, "a"),
      ]).flat(),
      { role: "assistant", content: "Done." },
    ]);
    const provenance = provenanceOf(many, 13, many.messages[2]!);
    expect(provenance?.repetitions.map(({ toolCallId }) => toolCallId)).toEqual(
      Array.from({ length: 10 }, (_, i) => `r${i + 1}`),
    );
    expect(provenance?.repetitions[0]).toMatchObject({ name: "Bash", paths: [], text: "ls" });
    expect(provenance?.moreRepetitions).toBe(2);
  });
});

describe("the provenance of a message that is recorded on calls", () => {
  const system = (content: string) => ({ role: "system", content });
  const prompt = { role: "user", content: "mend it" };
  const contexts = recordedOn(
    [prompt],
    [system("monday"), prompt, call("t1", "Read", { path: "a" }), result("t1", "one")],
    [
      system("tuesday"),
      prompt,
      call("t1", "Read", { path: "a" }),
      result("t1", "[cut]"),
      call("t2", "Read", { path: "a" }),
    ],
    [system("tuesday"), prompt, call("t2", "Read", { path: "a" })],
    [system("tuesday"), { role: "user", content: "<summary>Mended.</summary>" }],
  );
  const of = (at: number, place: number) => provenanceOf(contexts, at, contexts.contextOf(at)[place]!);

  it("follows it where it was rewritten, back and forth", () => {
    const expected = { firstContext: 1, rewrittenAt: [2] };
    expect(of(1, 0)).toMatchObject({ ...expected, source: { by: "system" } });
    expect(of(4, 0)).toMatchObject(expected);
    expect(of(1, 3)).toMatchObject({ ...expected, dropped: { at: 3, byCompaction: false } });
  });

  it("tells a compaction from what was left out", () => {
    expect(of(0, 0)).toMatchObject({ firstContext: 0, dropped: { at: 4, byCompaction: true } });
    expect(of(4, 1)).toMatchObject({ source: { by: "compaction" }, firstContext: 4 });
  });
});
