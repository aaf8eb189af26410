import path from "node:path";
import { describe, expect, it } from "vitest";
import { smallSession } from "../../../../test/mcp/support/histories.js";
import { homeFolder, run, startWith } from "../../../../test/support/command-line.js";
import { writeSessions } from "../../../../test/support/data-directory.js";
import { SourceUnavailableError } from "../../../application/errors.js";
import { COMMAND_LINE_PARTS } from "../../../composition/command-line-parts.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import type { Cost } from "../../../domain/usage/money.js";
import { sessionTable } from "./list.js";

const at = new Date(2026, 0, 15, 9, 5);

const SESSION: InspectorSessionItem = {
  tenantId: "acme",
  sessionId: "s1",
  userId: "ada",
  lastActive: at.toISOString(),
  turns: 3,
  tokens: 12_345,
  status: "idle",
  title: "Weekly report",
};

const costing = (usd: number, unpricedCalls = 0): InspectorSessionItem => ({
  ...SESSION,
  cost: { usd, recordedUsd: 0, unpricedCalls, unpricedTokens: 0 } satisfies Cost,
});

const cells = (sessions: readonly InspectorSessionItem[], width?: number) =>
  sessionTable(sessions, width)
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

describe("the table of sessions", () => {
  it("has a line for each, in columns, with the reader's time", () => {
    expect(
      sessionTable([
        { ...SESSION, errors: 1, status: "waiting" },
        { ...costing(1.5), sessionId: "s22", turns: 1_000 },
      ]),
    ).toBe(
      [
        "LAST ACTIVE       STATUS   TURNS  TOKENS  ERRORS   COST  SESSION   TITLE",
        "2026-01-15 09:05  Waiting      3   12.3k       1      -  acme/s1   Weekly report",
        "2026-01-15 09:05  Idle     1,000   12.3k       -  $1.50  acme/s22  Weekly report",
        "",
      ].join("\n"),
    );
  });

  it("has no instant for a session that was active before 1971", () => {
    const unknown = ["1970-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"];
    const [, ...rows] = cells(unknown.map((lastActive) => ({ ...SESSION, lastActive })));
    expect(rows.map(([lastActive]) => lastActive)).toEqual(["-", "-"]);
  });

  it("says of a cost whether it is all, little or unknown", () => {
    const [, ...rows] = cells([costing(0), costing(0.001), costing(1_234.5), costing(2, 1), costing(0, 4)]);
    expect(rows.map((row) => row[5])).toEqual(["$0.00", "<$0.01", "$1,234.50", "≥$2.00", "no pricing"]);
    const [, row] = cells([{ ...SESSION, cost: { ...costing(0.61).cost!, placeholderCalls: 3 } }]);
    expect(row![5]).toBe("≥$0.61");
  });

  it("says of tokens that nobody counted that they are not known, and of others how many they are", () => {
    const none = { ...SESSION, tokens: 0 };
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const tokens = cells([SESSION, none, { ...none, usage }]).map((line) => line[3]);
    expect(tokens).toEqual(["TOKENS", "12.3k", "-", "0"]);
  });

  it("cuts titles to the width of the terminal, and shows what was asked where there is none", () => {
    const { title: _, ...untitled } = SESSION;
    const [, first, second] = cells(
      [
        { ...SESSION, title: "x".repeat(500) },
        { ...untitled, prompt: "What\nnow?" },
      ],
      100,
    );
    expect(first!.at(-1)).toMatch(/^x{15,60}…$/);
    expect(sessionTable([{ ...SESSION, title: "x".repeat(500) }], 100).split("\n")[1]).toHaveLength(100);
    expect(second!.at(-1)).toBe("What now?");
  });

  it("lets no command reach a terminal, and keeps an instant that is none", () => {
    const evil = "\u001b[2J\u202e\u009b\n";
    const table = sessionTable([{ ...SESSION, sessionId: evil, title: evil, lastActive: evil }]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is tested
    expect(table.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(table.split("\n")).toHaveLength(3);
  });
});

async function writeHistories(sessions: number): Promise<void> {
  const folder = await homeFolder();
  const all = Array.from({ length: sessions }, (_, i) => ({
    ...smallSession(i % 2 === 0 ? "acme" : "globex", `s${i}`),
    title: i === 0 ? "\u001b[2J evil" : `Session ${i}`,
  }));
  await writeSessions(path.join(folder, "data"), all);
}

interface Listed {
  readonly sessions: readonly { readonly sessionId: string; readonly title: string }[];
}

describe("agent-inspector list", () => {
  it("prints the newest twenty as a table, and how many there are", async () => {
    await writeHistories(25);
    const { stdout, stderr, code } = await run("list");
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^LAST ACTIVE +STATUS +TURNS +TOKENS +ERRORS +COST +SESSION +TITLE$/);
    expect(lines[1]).toMatch(/^2026-01-15 12:0\d +Idle +1 +240 +(\d|-) .* acme\/s0 .*evil$/);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toBe("20 of 25 sessions. --limit all prints all of them.\n");
    expect((await run("list", "--limit", "all")).stdout.trimEnd().split("\n")).toHaveLength(26);
  });

  it("prints every session as one JSON document, whose control characters are escaped", async () => {
    await writeHistories(25);
    const { stdout, stderr, code } = await run("list", "data", "--json");
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).not.toContain("\u001b");
    const { sessions } = JSON.parse(stdout) as Listed;
    expect(sessions).toHaveLength(25);
    expect(sessions.find(({ sessionId }) => sessionId === "s0")?.title).toBe("\u001b[2J evil");
  });

  it("prints those of a tenant, and as many as are asked for", async () => {
    await writeHistories(9);
    const ofTenant = JSON.parse((await run("list", "--tenant", "globex", "--json")).stdout) as Listed;
    expect(ofTenant.sessions.map(({ sessionId }) => sessionId).sort()).toEqual(["s1", "s3", "s5", "s7"]);
    const limited = await run("list", "--limit", "3", "--json");
    expect(JSON.parse(limited.stdout)).toMatchObject({ sessions: [{}, {}, {}], total: 9 });
    const none = await run("list", "--tenant", "nobody");
    expect(none).toEqual({ stdout: "", stderr: "There are no sessions.\n", code: 1 });
    const noneInJson = await run("list", "--tenant", "nobody", "--json");
    expect([JSON.parse(noneInJson.stdout), noneInJson.code]).toEqual([{ sessions: [] }, 1]);
  });

  it("shows no demo where there are no histories, and says what a limit is", async () => {
    await homeFolder();
    const { stdout, stderr, code } = await run("list", "--json");
    expect([stdout, code]).toEqual(["", 1]);
    expect(stderr).toMatch(/^error: No histories exist at the usual paths\.\nLooked for:\n/);
    for (const limit of ["0", "1001", "x"]) {
      const refused = await run("list", "--limit", limit);
      expect(refused.stderr).toContain("A limit is a number from 1 to 1000, or all.");
      expect(refused.code).toBe(2);
    }
  });

  it("waits for sources that are slow; a page shows what it has", async () => {
    await writeHistories(1);
    await writeSessions("other/data", [smallSession("acme", "s1")]);
    const timeouts: (number | undefined)[] = [];
    const combine: typeof COMMAND_LINE_PARTS.combine = (sources, options) => {
      timeouts.push(options.timeoutMs);
      return COMMAND_LINE_PARTS.combine(sources, options);
    };
    await startWith({ combine }, "list", "data", "other/data").ended;
    await startWith({ combine }, "data", "other/data", "--port", "0").addresses();
    expect(timeouts).toEqual([2 ** 31 - 1, undefined]);
  });

  it("says in one line which of several sources cannot be read", async () => {
    await writeHistories(1);
    await writeSessions("other/data", [smallSession("acme", "s1")]);
    const combine: typeof COMMAND_LINE_PARTS.combine = ([first, second], options) => {
      const findSessions = () => Promise.reject(new SourceUnavailableError("The disk is asleep."));
      const source = { ...second!.source, findSessions };
      return COMMAND_LINE_PARTS.combine([first!, { ...second!, source }], options);
    };
    const { ended, stdout, stderr } = startWith({ combine }, "list", "data", "other/data");
    expect([await ended, stdout.text]).toEqual([0, expect.stringContaining("/s0")]);
    expect(stderr.text).toBe("Data directory other/data cannot be read just now: The disk is asleep.\n");
  });
});
