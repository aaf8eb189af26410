import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { askSqlite, openHistories } from "./support/databases.js";

const HISTORIES = path.join(SHARED_DATA, "opencode");

/** SQLite adds up the messages. */
const COUNTED = `
  SELECT session_id AS id,
    sum(coalesce(data ->> '$.tokens.input', 0)) AS input,
    sum(coalesce(data ->> '$.tokens.output', 0) + coalesce(data ->> '$.tokens.reasoning', 0)) AS output,
    sum(coalesce(data ->> '$.tokens.cache.read', 0)) AS cacheRead,
    sum(coalesce(data ->> '$.cost', 0)) AS cost
  FROM message WHERE data ->> '$.role' = 'assistant' GROUP BY session_id`;

const database = (name: string) => path.join(HISTORIES, name, "opencode.db");

describeShared("Real histories of OpenCode 1.18", () => {
  const NAME = "run-1.18.33";
  const [MAIN, CHILD, FORK, SERVER] = [
    "ses_df1b2d8c8ffewpDCFKptdPV6YN",
    "ses_df1b28198ffefJHY9AsdseDARX",
    "ses_df1b124a4ffeHGcRCSB6XYwFPf",
    "ses_df1b0fe0cffepZkUPFAQvG67rk",
  ] as const;

  it("are listed with what their messages add up to: with a sub-agent's, without what a fork copied", async () => {
    const items = await openHistories(path.join(HISTORIES, NAME)).listSessions();
    const counted = new Map(
      askSqlite(database(NAME), COUNTED).map((row) => [row.id, row as Record<string, number>]),
    );
    const sum = (name: string, ...of: [id: string, sign: number][]) =>
      of.reduce((all, [id, sign]) => all + sign * counted.get(id)![name]!, 0);
    const expected = {
      [MAIN]: [
        [MAIN, 1],
        [CHILD, 1],
      ],
      [FORK]: [
        [FORK, 1],
        [MAIN, -1],
      ],
      [SERVER]: [[SERVER, 1]],
    } as Record<string, [string, number][]>;
    expect(items.map(({ sessionId }) => sessionId).sort()).toEqual(Object.keys(expected).sort());
    for (const { sessionId, usage, ...item } of items) {
      const of = expected[sessionId]!;
      expect([sessionId, usage]).toEqual([
        sessionId,
        {
          inputTokens: sum("input", ...of),
          outputTokens: sum("output", ...of),
          cacheReadTokens: sum("cacheRead", ...of),
          cacheWriteTokens: 0,
        },
      ]);
      const { usageByModel } = item as unknown as { usageByModel: { recordedUsd: number }[] };
      const recorded = usageByModel.reduce((usd, { recordedUsd }) => usd + recordedUsd, 0);
      expect(recorded).toBeCloseTo(sum("cost", ...of), 9);
    }
  });

  it("add up to what was written down of the run", async () => {
    const items = await openHistories(path.join(HISTORIES, NAME)).listSessions();
    const found = items.map(({ sessionId, turns, errors, status, model, title, usage }) => [
      sessionId,
      turns,
      errors,
      status,
      model,
      title,
      usage!.inputTokens,
      usage!.cacheReadTokens,
      usage!.outputTokens,
    ]);
    expect(found).toEqual([
      // A person typed 3 messages; the user's command and the summary request do not count.
      [SERVER, 3, 1, "idle", "mock-1", "Server session", 6_600, 6_600, 375 + 90],
      [
        FORK,
        1,
        0,
        "idle",
        "mock-1",
        "I will look at the files. (fork #1)",
        7_200 - 6_700,
        7_200 - 6_700,
        410 + 100 - 380 - 90,
      ],
      [
        MAIN,
        3,
        2,
        "error",
        "mock-1",
        "I will look at the files.",
        6_700 + 1_100,
        6_700 + 1_100,
        380 + 90 + 65 + 20,
      ],
    ]);
  });

  it("show tools, a compaction, an abort and what was taken back", async () => {
    const source = openHistories(path.join(HISTORIES, NAME));
    const events = (await source.loadTraceEnvelopes("-srv-demo-oc", SERVER)).map(({ event }) => event);
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(of("tool.end")).toHaveLength(9);
    expect(
      of("tool.end")
        .filter(({ isError }) => isError)
        .map(({ refused, output }) => [refused, String(output).slice(0, 14)]),
    ).toEqual([
      [undefined, "File not found"],
      [true, "(no output)\n\n<"],
    ]);
    expect(of("compaction.end").map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/^<summary>Summary: the user asked/),
    ]);
    expect(of("turn.end").map(({ outcome }) => outcome)).toEqual(["completed", "completed", "cancelled"]);
    // 9 answers with tokens, and the stopped one; none for the user's own command.
    expect(of("llm.end")).toHaveLength(10);
    expect(of("opencode.rewind")).toEqual([expect.objectContaining({ droppedMessages: 4 })]);
    const messages = (await (await source.openSession!("-srv-demo-oc", SERVER))!.messages()) as {
      size: number;
    };
    expect(messages.size).toBe(16);
  });

  it("link a sub-agent to the call that spawned it, and a fork to none", async () => {
    const source = openHistories(path.join(HISTORIES, NAME));
    const agents = async (id: string) =>
      Object.values(
        (await (await (await source.openSession!("-srv-demo-oc", id))!.orchestration()).state())?.snapshot
          .agents ?? {},
      );
    expect(await agents(MAIN)).toEqual([
      expect.objectContaining({ id: CHILD, role: "general", displayName: "Count files (@general subagent)" }),
    ]);
    expect(await agents(FORK)).toEqual([]);
  });

  it("are in an export what they are in the database, but for the sub-agent", async () => {
    const exported = path.join(HISTORIES, NAME, "export.json");
    const [item] = await openHistories(exported).listSessions();
    const { info } = JSON.parse(readFileSync(exported, "utf8"));
    expect(item).toMatchObject({ sessionId: MAIN, turns: 3, title: info.title, directory: "/srv/demo/oc" });
    expect(item!.usage).toEqual({
      inputTokens: 6_700,
      outputTokens: 470,
      cacheReadTokens: 6_700,
      cacheWriteTokens: 0,
    });
  });
});

describeShared("Other real histories of OpenCode", () => {
  it("of 1.1 to 1.3 add up to their messages", async () => {
    const items = await openHistories(path.join(HISTORIES, "opencode-project-manager")).listSessions();
    const counted = askSqlite(database("opencode-project-manager"), COUNTED);
    const found = items.map(({ sessionId, usage }) => [
      sessionId,
      usage!.inputTokens,
      usage!.outputTokens,
      usage!.cacheReadTokens,
    ]);
    expect(found.sort()).toEqual(
      counted.map(({ id, input, output, cacheRead }) => [id, input, output, cacheRead]).sort(),
    );
  });

  it.each(["getspecstory-v2", "getspecstory-v2-tui"])("of 2.0 add up to their rows: %s", async (name) => {
    const items = await openHistories(path.join(HISTORIES, name)).listSessions();
    const counted = askSqlite(
      database(name),
      `${COUNTED.replace("FROM message WHERE data ->> '$.role' = 'assistant'", "FROM session_message WHERE type = 'assistant'")}`,
    );
    const found = items.map(({ sessionId, usage }) => [
      sessionId,
      usage!.inputTokens,
      usage!.outputTokens,
      usage!.cacheReadTokens,
    ]);
    expect(found.sort()).toEqual(
      counted.map(({ id, input, output, cacheRead }) => [id, input, output, cacheRead]).sort(),
    );
    const users = askSqlite(
      database(name),
      "SELECT session_id AS id, count(*) AS n FROM session_message WHERE type = 'user' GROUP BY 1",
    );
    expect(items.map(({ sessionId, turns }) => [sessionId, turns]).sort()).toEqual(
      users.map(({ id, n }) => [id, n]).sort(),
    );
  });

  it("in files of before are one session with its parts", async () => {
    const source = openHistories(path.join(HISTORIES, "codemie"));
    const [item, ...others] = await source.listSessions();
    expect(others).toEqual([]);
    expect(item).toMatchObject({ sessionId: "test-session-1", turns: 1, model: "claude-sonnet-4-6" });
    expect(item!.usage).toEqual({
      inputTokens: 1_000,
      outputTokens: 500,
      cacheReadTokens: 200,
      cacheWriteTokens: 100,
    });
    const types = (await source.loadTraceEnvelopes(item!.tenantId, item!.sessionId)).map(
      ({ event }) => event.type,
    );
    expect(types.filter((type) => type === "tool.end")).toHaveLength(2);
  });
});
