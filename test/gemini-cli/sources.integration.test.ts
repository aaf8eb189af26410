import { expect, it } from "vitest";
import { listSources } from "../support/list-sources.js";
import { at, document, gemini, header, lines, newHome, note, openHistories, user } from "./support/homes.js";

const DAY = 86_400_000;
const NOW = Date.parse(at(0)) + 60 * DAY;

const SESSION = "session-2026-05-01T09-00-aaaaaaaa";
const chat = document(header("aaaaaaaa-1"), [user("m1", 0, "Hello"), gemini("m2", 1, "Hi")]);

async function reportIn(files: Readonly<Record<string, string>>) {
  const home = await newHome(files);
  const { sources } = await listSources(openHistories(home, { now: () => NOW }));
  expect(sources.length).toBe(1);
  return sources[0]!;
}

it("names types of messages that are not known, and no bookkeeping", async () => {
  const report = await reportIn({
    [`tmp/shop/chats/${SESSION}.jsonl`]: lines(
      header("aaaaaaaa-1"),
      user("m1", 0, "Hello"),
      note("m2", 1, "info", "Update available."),
      note("m3", 1, "warning", "Slow."),
      note("m4", 1, "riddle", "What?"),
      { $set: { summary: "Greeting" } },
    ),
  });
  expect(report).toMatchObject({ name: "Gemini CLI", format: "gemini-cli", sessions: 1, versions: [] });
  expect(report.unknownRecords).toMatchObject([{ type: "riddle", records: 1 }]);
  expect(report).not.toHaveProperty("verified");
});

const files = (settings: object) => ({
  [`tmp/shop/chats/${SESSION}.json`]: chat,
  "settings.json": JSON.stringify({ security: { auth: { apiKey: "secret" } }, ...settings }),
});
const retention = (sessionRetention: object) => files({ general: { sessionRetention } });

it.each([
  [files({}), { rule: "deletes", days: 30, statedIn: "the default of Gemini CLI" }, 1],
  [retention({ maxAge: "1w" }), { rule: "deletes", days: 7 }, 1],
  [retention({ maxAge: "48h" }), { rule: "deletes", days: 2 }, 1],
  [
    retention({ maxAge: "12m", maxCount: 5 }),
    { days: 360, statedIn: expect.stringContaining("newest 5") },
    0,
  ],
  [retention({ enabled: false, maxAge: "1d" }), { rule: "keeps" }, undefined],
  [retention({ maxAge: "soon" }), { rule: "keeps", statedIn: expect.stringContaining("refuses") }, undefined],
  [{ ...files({}), "settings.json": "// none" }, { rule: "deletes" }, undefined],
])("says what is deleted by when something happened last: %#", async (written, expected, due) => {
  const report = await reportIn(written);
  expect(report.retention).toMatchObject(expected);
  expect(report.retention?.due?.sessions).toBe(due);
  expect(JSON.stringify(report)).not.toContain("secret");
});

it("says nothing of that in a folder that is not its own", async () => {
  const report = await reportIn({ [`tmp/shop/chats/${SESSION}.json`]: chat });
  expect(report).not.toHaveProperty("retention");
});

it("names sessions that something was typed in and that are gone, those too of a project without chats", async () => {
  const typed = (sessionId: string, message: string, second: number) => ({
    sessionId,
    messageId: 0,
    type: "user",
    message,
    timestamp: at(second),
  });
  const report = await reportIn({
    "projects.json": JSON.stringify({ projects: { "/home/ada/shop": "shop" } }),
    [`tmp/shop/chats/${SESSION}.json`]: chat,
    "tmp/shop/logs.json": JSON.stringify([
      typed("aaaaaaaa-1", "Hello", 0),
      typed("gone", "/quit", 1),
      typed("gone", "Count the apples", 2),
      typed("local", "/quit", 3),
    ]),
    "tmp/empty/logs.json": `${JSON.stringify([typed("early", "Hi", 4)]).slice(0, -1)},{"cut`,
  });
  expect(report.gone).toEqual([
    { sessionId: "early", tenantId: "empty", title: "Hi", lastActive: at(4), namedIn: "logs.json" },
    {
      sessionId: "gone",
      tenantId: "-home-ada-shop",
      title: "Count the apples",
      directory: "/home/ada/shop",
      lastActive: at(2),
      namedIn: "logs.json",
    },
  ]);
});
