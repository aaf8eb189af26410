import { describe, expect, it } from "vitest";
import { TOKENS } from "../../src/advanced.js";
import { changed } from "../../src/application/questions/json-list.js";
import { contextsOf, eventsOf, newDatabase, openUseCases, text, tool } from "./support/databases.js";

const NO_TOKENS = { tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } };
const SYNTHETIC = { ...text("The following tool was executed by the user"), synthetic: true };

const ORCHARD = "The orchard has eleven gravensteins.";

/** A tool reads a word that neither the person nor the model wrote before. */
function writeOrchard() {
  const { folder, history } = newDatabase();
  history.session("ses_1");
  history.prompt("ses_1", 1, "Write a list.");
  const read = { input: { filePath: "/srv/shop/orchard.md" }, output: ORCHARD };
  history.answer("ses_1", 2, [text("I read."), tool("c1", 3, read, { tool: "read" })]);
  const written = { input: { filePath: "/srv/shop/list.md", content: "gravensteins\n" }, output: "Done" };
  history.answer("ses_1", 20, [tool("c2", 21, written, { tool: "write" })]);
  history.answer("ses_1", 40, [text("There.")]);
  return folder;
}

describe("The context of a call of OpenCode", () => {
  it("has each message with its role, its origin and its tool calls", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Count.");
    history.answer("ses_1", 2, [tool("c1", 3), tool("c2", 4)], { finish: "tool-calls" });
    history.message("ses_1", 20, { role: "user" }, [SYNTHETIC]);
    history.message("ses_1", 21, { role: "assistant", ...NO_TOKENS }, [tool("c3", 22)]);
    history.answer("ses_1", 30, [text("Two.")]);
    history.message("ses_1", 50, { role: "user" }, [{ type: "compaction", auto: true }]);
    history.answer("ses_1", 51, [text("A summary.")], { summary: true });
    history.prompt("ses_1", 70, "Go on.");
    history.answer("ses_1", 71, [text("Three.")]);
    const contexts = await contextsOf(folder, "ses_1");
    const visible = contexts.map((messages) =>
      messages.map(({ index, role, origin, toolCallIds }) => [index, role, origin, toolCallIds]),
    );
    const first = [0, "user", "user", undefined];
    const more = [
      [1, "assistant", "assistant", ["c1", "c2"]],
      [2, "user", "system", undefined],
      [3, "assistant", "tool", ["c3"]],
    ];
    const request = [5, "user", "system", undefined];
    expect(visible).toEqual([
      [first],
      [first, ...more],
      [first, ...more, [4, "assistant", "assistant", undefined], request],
      [request, [6, "assistant", "summary", undefined], [7, "user", "user", undefined]],
    ]);
  });

  it("has no failed answer, and an aborted one only with its content", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Count.");
    const failed = { finish: undefined, error: { name: "APIError", data: { message: "Overloaded" } } };
    const aborted = { ...failed, error: { name: "MessageAbortedError" } };
    history.message("ses_1", 2, { role: "assistant", ...NO_TOKENS, ...failed });
    history.answer("ses_1", 3, [text("Tw")], failed);
    history.answer("ses_1", 4, [{ type: "reasoning", text: "Hm." }], failed);
    history.answer("ses_1", 5, [text("Tw")], aborted);
    history.prompt("ses_1", 30, "Again.");
    history.answer("ses_1", 31, [text("Two.")]);
    const contexts = await contextsOf(folder, "ses_1");
    expect(contexts.map((messages) => messages.map(({ index }) => index))).toEqual([
      [0],
      [0],
      [0],
      [0, 4, 5],
    ]);
  });

  it("in a fork lacks what a copied summary replaced, and a copied failure", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1", { title: "Apples" });
    history.session("ses_2", { title: "Apples (fork #1)", time_created: 1 + Date.UTC(2027, 0) });
    for (const id of ["ses_1", "ses_2"]) {
      history.prompt(id, 1, "One.");
      history.answer(id, 2, [text("Yes.")]);
      history.message(id, 20, { role: "user" }, [{ type: "compaction", auto: true }]);
      history.answer(id, 21, [text("A summary.")], { summary: true });
      history.message(id, 40, { role: "assistant", ...NO_TOKENS, error: { name: "APIError" } });
    }
    history.prompt("ses_2", 60, "Go on.");
    history.answer("ses_2", 61, [text("Three.")]);
    const [context] = await contextsOf(folder, "ses_2");
    expect(context!.map(({ index }) => index)).toEqual([2, 3, 5]);
  });

  it("tells an answer's provenance from a prompt's", async () => {
    const { container, calls, request } = await openUseCases(writeOrchard(), "ses_1");
    const provenance = container.resolve(TOKENS.getMessageProvenance);
    const sources = [0, 1, 2].map(async (index) => {
      const { source } = await provenance.execute({ ...request, call: calls[2]!, message: { index } });
      return source.by;
    });
    expect(await Promise.all(sources)).toEqual(["person", "model", "model"]);
  });

  it("names the tool whose result supplied a word that the model wrote", async () => {
    const { container } = await openUseCases(writeOrchard(), "ses_1");
    const explained = await container
      .resolve(TOKENS.explainLines)
      .execute({ file: "/srv/shop/list.md", text: "gravensteins\n", tenants: "all" });
    const because = explained.blocks[0]?.candidates[0]?.saw?.because;
    expect(because).toMatchObject({
      index: 1,
      origin: "tool",
      source: { by: "tool", uses: [{ name: "read", toolCallId: "c1", paths: ["/srv/shop/orchard.md"] }] },
    });
  });

  it("costs by tool and file", async () => {
    const { container, request } = await openUseCases(writeOrchard(), "ses_1");
    const { context } = changed(await container.resolve(TOKENS.summarizeSession).execute(request)).value;
    expect(context.byTool.map(({ name }) => name).sort()).toEqual(["read", "write"]);
    expect(context.byFile.map(({ name }) => name).sort()).toEqual(["list.md", "orchard.md"]);
    expect(context.byOrigin.map(({ name }) => name).sort()).toEqual(["assistant", "tool", "user"]);
  });

  it("of version 2 has the same facts", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    const answer = { model: { id: "m" }, finish: "tool-calls", tokens: { input: 7, output: 2 } };
    const state = { status: "completed", input: {}, content: [text("a.txt")] };
    history.event("ses_1", 1, "user", { text: "List." });
    history.event("ses_1", 2, "assistant", {
      ...answer,
      content: [{ type: "tool", id: "c1", name: "bash", state, time: {} }],
    });
    history.event("ses_1", 3, "synthetic", { text: "A note." });
    history.event("ses_1", 4, "shell", { shellID: "s1", command: "ls", output: "a.txt" });
    history.event("ses_1", 5, "assistant", { ...answer, content: [text("One.")] });
    history.event("ses_1", 6, "compaction", { summary: "Listed." });
    history.event("ses_1", 7, "assistant", { ...answer, content: [text("Yes.")] });
    const contexts = await contextsOf(folder, "ses_1");
    expect(await eventsOf(folder, "ses_1", "llm.start")).toHaveLength(3);
    expect(contexts[1]!.map(({ role, origin, toolCallIds }) => [role, origin, toolCallIds])).toEqual([
      ["user", "user", undefined],
      ["assistant", "assistant", ["c1"]],
      ["user", "system", undefined],
      ["assistant", "tool", ["s1"]],
    ]);
    expect(contexts[2]!.map(({ role, origin, text }) => [role, origin, text])).toEqual([
      ["user", "summary", "Listed."],
    ]);
  });
});
