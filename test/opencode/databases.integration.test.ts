import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { opencodeFormat } from "../../src/adapters/formats/opencode/opencode-format.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import {
  at,
  eventsOf,
  newDatabase,
  newFolder,
  openHistories,
  TENANT,
  text,
  tool,
} from "./support/databases.js";

describe("A database of OpenCode", () => {
  it("is recognised by its tables, not by its name", () => {
    const { folder } = newDatabase("other-name.sqlite");
    expect(runToEnd(opencodeFormat.folder.recognises(folder))).toBe(true);
    const other = newFolder();
    const { database } = newDatabase("opencode.db", other).history;
    database.exec("DROP TABLE message");
    database.exec("DROP TABLE session_message");
    expect(runToEnd(opencodeFormat.folder.recognises(other))).toBe(false);
    writeFileSync(path.join(newFolder(), "opencode.db"), "no database");
    expect(runToEnd(opencodeFormat.folder.recognises(newFolder()))).toBe(false);
  });

  it("is left as it is, with no file beside it", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Count.");
    history.close();
    const before = readFileSync(path.join(folder, "opencode.db"));
    await openHistories(folder).loadTraceEnvelopes(TENANT, "ses_1");
    expect(readdirSync(folder)).toEqual(["opencode.db"]);
    expect(readFileSync(path.join(folder, "opencode.db")).equals(before)).toBe(true);
  });

  it("that is named by itself shows its sessions, whatever lies beside it", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    newDatabase("opencode-dev.db", folder).history.session("ses_2");
    const items = await openHistories(path.join(folder, "opencode.db")).listSessions();
    expect(items.map(({ sessionId }) => sessionId)).toEqual(["ses_1"]);
  });

  it("of each channel is read, and a session that lies in two of them is listed as it is in the newer one", async () => {
    const { folder, history } = newDatabase();
    const { history: dev } = newDatabase("opencode-dev.db", folder);
    for (const [one, updated] of [
      [history, 5],
      [dev, 9],
    ] as const) {
      one.session("ses_both", { title: `At ${updated}`, time_updated: at(updated) });
      one.session(`ses_${updated}`);
    }
    const items = await openHistories(folder).listSessions();
    expect(items.map(({ sessionId, title }) => [sessionId, title]).sort()).toEqual([
      ["ses_5", "About ses_5"],
      ["ses_9", "About ses_9"],
      ["ses_both", "At 9"],
    ]);
  });

  it("is a session's place, where the files of before hold it as well", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    const stored = (id: string, title: string) =>
      JSON.stringify({ id, title, directory: "/srv/shop", time: { created: at(0), updated: at(99) } });
    mkdirSync(path.join(folder, "storage/session/p"), { recursive: true });
    writeFileSync(path.join(folder, "storage/session/p/ses_1.json"), stored("ses_1", "Old"));
    writeFileSync(path.join(folder, "storage/session/p/ses_0.json"), stored("ses_0", "Never taken over"));
    const items = await openHistories(folder).listSessions();
    expect(items.map(({ title }) => title).sort()).toEqual(["About ses_1", "Never taken over"]);
  });

  it("that is a link out of the folder is not there", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    const linked = newFolder();
    symlinkSync(path.join(folder, "opencode.db"), path.join(linked, "opencode.db"));
    expect(await openHistories(linked).listSessions()).toEqual([]);
  });
});

describe("Rows that change in place", () => {
  it("are shown as they are now: an answer that comes in, and a title that is made", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1", { title: "New session - 2026-05-01T09:00:00.000Z" });
    history.prompt("ses_1", 1, "Count the apples.");
    const answer = history.message("ses_1", 2, { role: "assistant", modelID: "m" }, [{ type: "step-start" }]);
    const part = history.part("ses_1", answer, 3, text("There"));
    const source = openHistories(folder, { now: () => at(10) });
    const texts = async () =>
      (await source.loadTraceEnvelopes(TENANT, "ses_1"))
        .filter(({ event }) => event.type === "text")
        .map(({ event }) => event.text);
    expect(await texts()).toEqual(["There"]);
    expect(await source.listSessions()).toMatchObject([{ title: "Count the apples.", status: "running" }]);
    const revision = (await source.openSession!(TENANT, "ses_1"))!.revision;
    // Only the part has a new time: its session and its message do not change.
    history.database.run("UPDATE part SET data = ?, time_updated = ? WHERE id = ?", [
      JSON.stringify(text("There are 5.")),
      at(4),
      part,
    ]);
    expect(await texts()).toEqual(["There are 5."]);
    expect((await source.openSession!(TENANT, "ses_1"))!.revision).not.toBe(revision);
    history.database.run("UPDATE session SET title = 'Apples'");
    history.database.run(
      "UPDATE message SET data = json_set(data, '$.finish', 'stop', '$.time.completed', ?) WHERE id = ?",
      [at(9), answer],
    );
    expect(await source.listSessions()).toMatchObject([
      { title: "Apples", status: "idle", lastAnswer: "There are 5." },
    ]);
    history.database.run("DELETE FROM session");
    expect(await source.listSessions()).toEqual([]);
  });
});

describe("A session that asks its user", () => {
  it("waits for the answer, and says what it asks", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Count the apples.");
    const answer = history.message("ses_1", 2, { role: "assistant", modelID: "m" }, []);
    const input = { questions: [{ header: "Tree", question: "Of which tree?", options: [] }] };
    history.part("ses_1", answer, 3, {
      type: "tool",
      callID: "c1",
      tool: "question",
      state: { status: "running", input, time: { start: at(3) } },
    });
    expect(await openHistories(folder).listSessions()).toMatchObject([
      { status: "waiting", waitingFor: "Of which tree?" },
    ]);
  });
});

describe("A session of version 1", () => {
  it("has what was taken back marked so: its messages and their tokens stay", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "One.");
    history.answer("ses_1", 2, [text("Yes.")]);
    const second = history.prompt("ses_1", 20, "Two.");
    history.answer("ses_1", 21, [text("No.")]);
    history.database.run("UPDATE session SET revert = ?", [JSON.stringify({ messageID: second })]);
    expect(await eventsOf(folder, "ses_1", "opencode.rewind")).toMatchObject([{ droppedMessages: 2 }]);
    expect(await openHistories(folder).listSessions()).toMatchObject([{ turns: 2, tokens: 220 }]);
    const messages = await (await openHistories(folder).openSession!(TENANT, "ses_1"))!.messages();
    expect(messages.outline?.removals).toMatchObject([{ cause: "rewind", messages: [[2, 4]], at: 4 }]);
  });

  it("is cut by a compaction that succeeded, up to what that keeps, and not by one that failed", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "One.");
    history.answer("ses_1", 2, [text("Yes.")]);
    const kept = history.prompt("ses_1", 20, "Two.");
    history.answer("ses_1", 21, [text("No.")]);
    history.message("ses_1", 40, { role: "user" }, [{ type: "compaction", auto: true }]);
    history.answer("ses_1", 41, [], {
      summary: true,
      finish: undefined,
      error: { name: "UnknownError", data: { message: "Too long" } },
    });
    history.message("ses_1", 60, { role: "user" }, [{ type: "compaction", auto: true, tail_start_id: kept }]);
    history.answer("ses_1", 61, [text("A summary.")], { summary: true });
    const source = openHistories(folder);
    const { outline } = await (await source.openSession!(TENANT, "ses_1"))!.messages();
    expect(outline?.removals).toMatchObject([
      { cause: "request", messages: [[5, 6]], at: 5 },
      { cause: "compaction", messages: [[0, 2]], at: 8 },
    ]);
    expect(await eventsOf(folder, "ses_1", "compaction.end")).toMatchObject([{ summary: "A summary." }]);
    expect(await eventsOf(folder, "ses_1", "error")).toMatchObject([{ error: { message: "Too long" } }]);
    expect(await source.listSessions()).toMatchObject([{ turns: 2 }]);
  });

  it("knows a command that the user ran from a call of the model", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.message("ses_1", 1, { role: "user" }, [
      { ...text("The following tool was executed by the user"), synthetic: true },
    ]);
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    history.message("ses_1", 2, { role: "assistant", tokens, cost: 0, modelID: "m" }, [tool("c1", 3)]);
    expect(await eventsOf(folder, "ses_1", "llm.end")).toEqual([]);
    expect(await eventsOf(folder, "ses_1", "tool.end")).toMatchObject([{ output: "a.txt" }]);
    expect(await openHistories(folder).listSessions()).toMatchObject([{ turns: 0 }]);
  });

  it("tells tools that failed from those that a person refused, and from those that run", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Go.");
    const error = (reason: string) => ({ status: "error", error: reason, output: undefined });
    history.answer("ses_1", 2, [
      tool("a", 3, error("No such file")),
      tool("b", 4, error("The user rejected permission to use this specific tool call.")),
      tool("c", 5, { status: "running", output: undefined }),
    ]);
    const ends = await eventsOf(folder, "ses_1", "tool.end");
    expect(ends.map(({ toolCallId, isError, refused }) => [toolCallId, isError, refused])).toEqual([
      ["a", true, undefined],
      ["b", true, true],
    ]);
    expect(await openHistories(folder).listSessions()).toMatchObject([{ errors: 1 }]);
  });

  it("has its sub-agents' sessions for its own, however deep, and none of a ring is lost", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_root");
    history.session("ses_child", { parent_id: "ses_root", agent: "general" });
    history.session("ses_grandchild", { parent_id: "ses_child" });
    history.session("ses_orphan", { parent_id: "ses_gone" });
    for (const [id, parent] of [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
      ["self", "self"],
      ["behind", "a"],
    ])
      history.session(`ses_${id}`, { parent_id: `ses_${parent}` });
    for (const id of ["ses_root", "ses_child", "ses_grandchild", "ses_behind"]) {
      history.prompt(id, 1, `Do ${id}.`);
      history.answer(id, 2, [text("Done.")]);
    }
    const items = await openHistories(folder).listSessions();
    expect(items.map(({ sessionId, tokens }) => [sessionId, tokens]).sort()).toEqual([
      ["ses_a", 110],
      ["ses_b", 0],
      ["ses_c", 0],
      ["ses_orphan", 0],
      ["ses_root", 330],
      ["ses_self", 0],
    ]);
    expect(items.find(({ sessionId }) => sessionId === "ses_orphan")!.title).toMatch(
      /a sub-agent of ses_gone \(not here\)/,
    );
  });

  it("that is a fork counts what it copied where it was written first, as long as the titles tell", async () => {
    const { folder, history } = newDatabase();
    const copy = (id: string) => {
      history.prompt(id, 1, "One.");
      history.answer(id, 2, [text("Yes.")]);
    };
    history.session("ses_1", { title: "Apples" });
    history.session("ses_2", { title: "Apples (fork #1)", time_created: at(50) });
    history.session("ses_3", { title: "Renamed", time_created: at(60) });
    for (const id of ["ses_1", "ses_2", "ses_3"]) copy(id);
    history.answer("ses_2", 70, [text("More.")]);
    const items = await openHistories(folder).listSessions();
    expect(items.map(({ sessionId, tokens }) => [sessionId, tokens]).sort()).toEqual([
      ["ses_1", 110],
      ["ses_2", 110],
      ["ses_3", 110],
    ]);
    for (const place of [folder, path.join(folder, "opencode.db")]) {
      const source = openHistories(place);
      const fork = (await source.listSessions()).find(({ sessionId }) => sessionId === "ses_2")!;
      expect(await source.loadMessages(fork.tenantId, "ses_2")).toHaveLength(3);
      const envelopes = await source.loadTraceEnvelopes(fork.tenantId, "ses_2");
      expect(envelopes.filter(({ event }) => event.type === "turn.start")).toHaveLength(fork.turns!);
    }
  });
});

describe("A session of version 2", () => {
  it("is read from its own rows, where version 1 left some with the same id as well", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Of version 1.");
    history.event("ses_1", 1, "user", { text: "Of version 2." });
    history.event("ses_1", 2, "assistant", {
      model: { id: "m" },
      tokens: { input: 7, output: 2, reasoning: 1, cache: { read: 5, write: 0 } },
      finish: "tool-calls",
      content: [
        { type: "reasoning", text: "Hm.", time: { created: at(2), completed: at(3) } },
        {
          type: "tool",
          id: "c1",
          name: "shell",
          state: { status: "completed", input: {}, content: [{ type: "text", text: "out" }] },
          time: { created: at(4), completed: at(5) },
        },
      ],
    });
    history.event("ses_1", 9, "shell", {
      shellID: "sh",
      command: "ls",
      output: { output: "a" },
      status: "exited",
      time: { created: at(9), completed: at(10) },
    });
    history.event("ses_1", 11, "of-later", { any: 1 });
    history.event("ses_1", 12, "idle", { outcome: "interrupted" });
    const source = openHistories(folder);
    expect(await source.listSessions()).toMatchObject([
      { prompt: "Of version 2.", turns: 1, tokens: 15, model: "m" },
    ]);
    const trace = await source.loadTraceEnvelopes(TENANT, "ses_1");
    const types = trace.sort((a, b) => a.sequence - b.sequence).map(({ event }) => event.type);
    expect(types).toEqual([
      "session.start",
      "opencode.session",
      "turn.start",
      "llm.start",
      "thinking",
      "llm.end",
      "tool.start",
      "tool.end",
      "tool.start",
      "tool.end",
      "opencode.of-later",
      "turn.end",
    ]);
  });
});

describe("Hostile rows", () => {
  const ODD = [
    "",
    "no json",
    "[1]",
    "7",
    "null",
    '{"type":5}',
    '{"type":"tool"}',
    '{"type":"tool","state":{"status":"completed","time":"now"}}',
    '{"type":"text","text":{}}',
    `{"type":"later",\n"deep":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
  ];

  it("cost themselves: a part that is none is shown as it is, and its message with it", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Go.");
    const answer = history.answer("ses_1", 2, [text("Sound.")]);
    for (const part of ODD) history.part("ses_1", answer, 3, part);
    history.database.run("UPDATE part SET data = zeroblob(50) WHERE data = '7'");
    const source = openHistories(folder);
    const [item] = await source.listSessions();
    expect(item).toMatchObject({ turns: 1, tokens: 110, lastAnswer: "Sound." });
    expect(item!.warnings).toBeUndefined();
    const trace = await source.loadTraceEnvelopes(TENANT, "ses_1");
    const parts = trace.map(({ event }) => event).filter((event) => event.type === "opencode.part");
    expect(parts.filter((event) => "data" in event).map(({ data }) => data)).toEqual([
      "",
      "no json",
      "[1]",
      "50 bytes",
      "null",
    ]);
  });

  it("of messages and sessions cost themselves, too", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    history.prompt("ses_1", 1, "Go.");
    for (const [i, data] of ODD.entries())
      history.database.run("INSERT INTO message VALUES (?, 'ses_1', ?, 'x', ?)", [
        `msg_odd${i}`,
        i === 3 ? "soon" : at(i),
        data,
      ]);
    history.database.run(
      "INSERT INTO session (id, project_id, directory, title, version, time_created, time_updated) VALUES ('ses/../%2', '', 5, x'00ff', '', -1e300, 9e300)",
    );
    history.database.run(
      "INSERT INTO session (id, project_id, directory, title, version, time_created, time_updated) VALUES ('', '', '', '', '', 0, 0)",
    );
    const items = await openHistories(folder).listSessions();
    expect(items.map(({ sessionId, turns }) => [sessionId, turns]).sort()).toEqual([
      ["ses/../%2", 0],
      ["ses_1", 1],
    ]);
    const trace = await openHistories(folder).loadTraceEnvelopes(TENANT, "ses_1");
    const shown = new Set(trace.map(({ event }) => (event.stored as { line: number }).line));
    expect(shown.size).toBe(2 + ODD.length);
  });

  it("whose page is damaged are missed by their session, which says so", async () => {
    const { folder, history } = newDatabase();
    history.session("ses_1");
    for (let i = 0; i < 60; i++) history.prompt("ses_1", i, `Prompt ${i} ${"long ".repeat(50)}`);
    history.close();
    const file = path.join(folder, "opencode.db");
    const bytes = readFileSync(file);
    const at = bytes.indexOf("Prompt 30 ");
    const page = Math.floor(at / 4_096) * 4_096;
    expect(bytes[page]).toBe(0x0d);
    bytes.fill(0xff, page, page + 4_096);
    writeFileSync(file, bytes);
    expect(await eventsOf(folder, "ses_1", "opencode.damaged")).toHaveLength(1);
    const [item] = await openHistories(folder).listSessions();
    expect(item!.turns).toBeGreaterThan(30);
    expect(item!.errors).toBe(1);
  });
});
