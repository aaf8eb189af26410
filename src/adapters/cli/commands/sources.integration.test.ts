import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { homeFolder, run, startWith } from "../../../../test/support/command-line.js";
import { schemaNamed } from "../../../../test/support/openapi.js";
import { type NamedReport, sourcesText } from "../text/sources-text.js";

const REPORT: NamedReport = {
  name: "Claude Code",
  path: "~/.claude/projects",
  sessions: 812,
  unread: 0,
  isComplete: true,
  files: 4_211,
  bytes: 1_100_000_000,
  oldest: "2026-08-01T10:00:00.000Z",
  newest: "2026-11-25T10:00:00.000Z",
  verified: "2.1.331",
  versions: [
    { version: "2.1.400", sessions: 3, isNewer: true },
    ...Array.from({ length: 7 }, (_, i) => ({ version: `2.1.${9 - i}`, sessions: 1, isNewer: false })),
  ],
  unknownRecords: [
    { type: "hologram", records: 12, sessions: 2, example: { tenantId: "p", sessionId: "a" } },
  ],
  unknownRecordCount: 12,
  problems: [
    {
      reason: "is not valid JSON",
      count: 2,
      session: { tenantId: "p", sessionId: "a" },
      file: "a.jsonl",
      line: 3,
    },
  ],
  problemCount: 1,
  retention: {
    rule: "deletes",
    days: 30,
    statedIn: "the default of Claude Code",
    due: { withinDays: 7, sessions: 41, bytes: 212_000_000, first: "2026-11-27T10:00:00.000Z" },
  },
  gone: [
    {
      sessionId: "g",
      tenantId: "p",
      title: "Count\nthe apples",
      lastActive: "2026-10-01T10:00:00.000Z",
      namedIn: "history.jsonl",
    },
  ],
  goneCount: 17,
};

describe("the text of sources", () => {
  it("says all that a person has to know", () => {
    expect(sourcesText([REPORT], false)).toBe(`Claude Code  ~/.claude/projects
  812 sessions, 4,211 files, 1.1 GB, 2026-08-01 to 2026-11-25
  Written by 2.1.400 (3), newer than verified (2.1.331)
  Written by 2.1.9 (1), 2.1.8 (1), 2.1.7 (1), 2.1.6 (1), 2.1.5 (1), 2 more
  12 records of unknown types, displayed as recorded:
    hologram: 12, as in p/a
  Read problems:
    p/a: a.jsonl, line 3: is not valid JSON (2 times)
  Claude Code deletes sessions that have not been changed for 30 days (the default of Claude Code)
  41 sessions (212 MB) will be deleted by Claude Code within 7 days, the first on 2026-11-27 or when it starts next
  Keep them: agent-inspector keep --to DIR
  17 sessions named by an index no longer exist:
    2026-10-01  p/g  Count the apples (history.jsonl)
    and 16 sessions more, with --json
`);
  });

  it("has yellow lines in a terminal: newer versions, what is not known, what is due and what is gone", () => {
    const yellow = sourcesText([REPORT], true)
      .split("\n")
      .filter((line) => line.startsWith("\u001b[33m"));
    expect(yellow.map((line) => line.slice(7, 28))).toEqual([
      "Written by 2.1.400 (3",
      "12 records of unknown",
      "Read problems:\u001b[39m",
      "41 sessions (212 MB) ",
      "17 sessions named by ",
    ]);
  });

  it("says what keeps everything, what is not known, what failed, and that there is nothing", () => {
    const { retention: _, ...rest } = REPORT;
    const bare = { ...rest, versions: [], unknownRecordCount: 0, problemCount: 0, goneCount: 0 };
    expect(sourcesText([bare], false).split("\n").length).toBe(3);
    expect(sourcesText([{ ...bare, retention: { rule: "keeps" } }], false)).toContain(
      "Claude Code deletes nothing by itself\n",
    );
    const unknown = { rule: "deletes", statedIn: "settings.json, which cannot be read" } as const;
    expect(sourcesText([{ ...bare, retention: unknown }], false)).toContain(
      "The age at which Claude Code deletes sessions is unknown (settings.json, which cannot be read)\n",
    );
    expect(sourcesText([{ ...bare, failure: "Claude Code could not be read." }], false)).toBe(
      "Claude Code  ~/.claude/projects\n  Claude Code could not be read.\n",
    );
    expect(sourcesText([{ ...bare, unread: 2 }], false)).toContain(
      "\n  2 sessions not completely read: the next lines describe the others\n",
    );
    expect(sourcesText([], false)).toBe("No sources.\n");
  });

  it("takes nothing of a history for a command of the terminal", () => {
    const evil = "\u001b[2J\u202e\u009b\n";
    const text = sourcesText(
      [
        {
          ...REPORT,
          versions: [{ version: evil, sessions: 1, isNewer: true }],
          unknownRecords: [{ ...REPORT.unknownRecords[0]!, type: evil }],
          gone: [{ sessionId: evil, title: evil, namedIn: evil }],
        },
      ],
      false,
    );
    for (const character of ["\u001b", "\u202e", "\u009b"]) expect(text).not.toContain(character);
  });
});

describe("agent-inspector sources", () => {
  it("prints what lies at its usual place, and the answer of the API with --json", async () => {
    const home = await homeFolder();
    const claude = path.join(home, ".claude");
    await mkdir(path.join(claude, "projects/p"), { recursive: true });
    const record = {
      type: "user",
      uuid: "00000000-0000-4000-8000-000000000001",
      sessionId: "a",
      isSidechain: false,
      version: "2.1.331",
      timestamp: "2026-03-01T10:00:00.000Z",
      message: { role: "user", content: "Hello" },
    };
    const file = path.join(claude, "projects/p/a.jsonl");
    await writeFile(file, `${JSON.stringify(record)}\n`);
    await utimes(file, new Date("2026-03-01"), new Date("2026-03-01"));
    const prompt = { display: "Count the apples", project: "/p" };
    const prompts = [
      { ...prompt, sessionId: "gone", timestamp: Date.parse("2026-02-01") },
      { ...prompt, sessionId: "undated", timestamp: 1 },
    ];
    await writeFile(
      path.join(claude, "history.jsonl"),
      prompts.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const { stdout, code } = await run("sources", "--no-cache");
    expect(code).toBe(0);
    expect(stdout).toContain("Claude Code  ~/.claude/projects\n  1 session, 1 file, ");
    expect(stdout).toMatch(/1 session \(\d+ B\) will be deleted by Claude Code within 7 days/);
    expect(stdout).toContain("  2026-02-01  -p/gone  Count the apples (history.jsonl)");
    expect(stdout).toContain("  -p/undated  Count the apples (history.jsonl)");
    expect(stdout).not.toContain("1970");
    const json = await run("sources", path.join(claude, "projects"), "--json", "--no-cache");
    const answer = JSON.parse(json.stdout) as { sources: { path: string }[] };
    const validate = schemaNamed("SourceList");
    expect([validate(answer), validate.errors]).toEqual([true, null]);
    expect(answer.sources).toMatchObject([
      { path: path.join(claude, "projects"), sessions: 1, goneCount: 2 },
    ]);
  });

  it("ends where nothing gets on, with what is known", async () => {
    const home = await homeFolder();
    await mkdir(path.join(home, "data/tenants/acme/sessions/s1/trace"), { recursive: true });
    let answers = 0;
    const source = { ...REPORT, isComplete: false, unread: 1 };
    const { ended, stdout } = startWith(
      {
        useCases: async () =>
          ({
            listSources: {
              execute: async () => ({ sources: [answers++ > 0 ? source : { ...source, unread: 9 }] }),
            },
          }) as never,
      },
      "sources",
      "--no-cache",
    );
    expect(await ended).toBe(0);
    expect(answers).toBe(32);
    expect(stdout.text).toContain("1 session not completely read");
  });

  it("names a data directory, with how much is stored in it", async () => {
    const home = await homeFolder();
    await mkdir(path.join(home, "data/tenants/acme/sessions/s1/trace"), { recursive: true });
    await writeFile(
      path.join(home, "data/tenants/acme/sessions/s1/trace/events.jsonl"),
      `${JSON.stringify({ id: "e", timestamp: "2026-03-01T10:00:00.000Z", sequence: 0, event: { type: "text" } })}\n`,
    );
    const { stdout } = await run("sources", "--no-cache");
    expect(stdout).toMatch(/^Data directory {2}~\/data\n {2}1 session, [\d.]+ k?B, /);
  });
});
