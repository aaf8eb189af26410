import { createHash } from "node:crypto";
import { mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { parseSearchQuery } from "../../src/domain/search/search-query.js";
import { at, document, gemini, header, lines, newHome, openHistories, user } from "./support/homes.js";

const session = (sessionId: string, prompt = "Hi.") =>
  lines(header(sessionId), user(`u-${sessionId}`, 1, prompt));
const asDocument = (sessionId: string, prompt = "Hi.") =>
  document(header(sessionId), [user(`u-${sessionId}`, 1, prompt)]);

async function listed(source: InspectorDataSource): Promise<string[]> {
  return (await source.listSessions()).map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`).sort();
}

describe("The tenants of a folder of Gemini CLI", () => {
  const root = "/home/ada/book shop";
  const hash = createHash("sha256").update(root).digest("hex");

  it("are called as Claude Code calls a project's folder, where its place is known", async () => {
    const home = await newHome({
      "projects.json": JSON.stringify({ projects: { [root]: "book-shop", "/srv/x": 5, "no place": "p3" } }),
      "tmp/book-shop/chats/session-a.jsonl": session("s1"),
      [`tmp/${hash}/chats/session-b.json`]: asDocument("s2"),
      "tmp/p2/chats/session-c.jsonl": session("s3"),
      "tmp/p2/.project_root": "C:\\Work\\shop\n",
      "tmp/p3/chats/session-d.jsonl": session("s4"),
      "tmp/p3/.project_root": "no place at all",
    });
    expect(await listed(openHistories(home))).toEqual([
      "-home-ada-book-shop/s1",
      "-home-ada-book-shop/s2",
      "C--Work-shop/s3",
      "p3/s4",
    ]);
    expect(await listed(openHistories(path.join(home, "tmp")))).toEqual(
      [`${hash}/s2`, "C--Work-shop/s3", "book-shop/s1", "p3/s4"].sort(),
    );
    expect(await listed(openHistories(path.join(home, "tmp/p2")))).toEqual(["C--Work-shop/s3"]);
    expect(await listed(openHistories(path.join(home, "tmp/p3/chats")))).toEqual(["p3/s4"]);
  });

  it("are none in an empty folder, and in one that holds prompts alone", async () => {
    expect(await listed(openHistories(await newHome()))).toEqual([]);
    const logs = JSON.stringify([
      { sessionId: "s1", messageId: 0, type: "user", message: "hi", timestamp: at(1) },
    ]);
    expect(await listed(openHistories(await newHome({ "tmp/p/logs.json": logs })))).toEqual([]);
  });
});

describe("The sessions of a folder of Gemini CLI", () => {
  it("say where their project lies, also after it was moved", async () => {
    const projects = (root: string) => JSON.stringify({ projects: { [root]: "shop" } });
    const home = await newHome({
      "projects.json": projects("/home/ada/book shop"),
      "tmp/shop/chats/session-a.jsonl": session("s1"),
    });
    const source = openHistories(home);
    expect(await source.listSessions()).toMatchObject([
      { tenantId: "-home-ada-book-shop", directory: "/home/ada/book shop" },
    ]);
    await writeFile(path.join(home, "projects.json"), projects("/home/ada/book-shop"));
    expect(await source.listSessions()).toMatchObject([
      { tenantId: "-home-ada-book-shop", directory: "/home/ada/book-shop" },
    ]);
  });

  it("are listed once where a project's folder was copied, as they are in the copy", async () => {
    const root = "/home/ada/shop";
    const hash = createHash("sha256").update(root).digest("hex");
    const home = await newHome({
      "projects.json": JSON.stringify({ projects: { [root]: "shop" } }),
      "tmp/shop/chats/session-a.jsonl": session("s1", "Newer."),
      [`tmp/${hash}/chats/session-a.json`]: asDocument("s1", "Older."),
      [`tmp/${hash}/chats/session-b.json`]: asDocument("s2", "Only here."),
    });
    const source = openHistories(home);
    const items = await source.listSessions();
    expect(items.map(({ sessionId, title }) => `${sessionId} ${title}`).sort()).toEqual([
      "s1 Newer.",
      "s2 Only here.",
    ]);
    expect(await source.loadMessages("-home-ada-shop", "s1")).toMatchObject([
      { content: [{ text: "Newer." }] },
    ]);
  });

  it("are read from the lines that a document was continued in", async () => {
    const home = await newHome({
      "tmp/p/chats/session-a.json": asDocument("s1", "Older."),
      "tmp/p/chats/session-a.jsonl": session("s1", "Newer."),
      "tmp/p/chats/session-a.jsonl.unreadable-1": "x",
      "tmp/p/chats/session-a.jsonl.tmp-1": "x",
    });
    const items = await openHistories(home).listSessions();
    expect(items.map(({ title }) => title)).toEqual(["Newer."]);
  });

  it("are called by their files where these name no session, or the same one", async () => {
    const home = await newHome({
      "tmp/p/chats/session-a.jsonl": session("s1"),
      "tmp/p/chats/session-b.jsonl": session("s1"),
      "tmp/p/chats/session-c.json": '{"messages":[]}',
      "tmp/p/chats/session-d.json": "",
    });
    const source = openHistories(home);
    expect(await listed(source)).toEqual(["p/s1", "p/session-b", "p/session-c", "p/session-d"]);
    expect(await source.loadMessages("p", "session-b")).toHaveLength(1);
    expect(await source.openSession!("p", "nothing")).toBeUndefined();
    expect(await source.openSession!("nowhere", "s1")).toBeUndefined();
  });

  it("are never read from outside of the folder", async () => {
    const home = await newHome({ "tmp/p/chats/session-a.jsonl": session("s1") });
    const outside = await mkdtemp(path.join(tmpdir(), "gemini-cli-outside-"));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    const other = await newHome({ "chats/session-x.jsonl": session("secret"), ".project_root": "/secret" });
    await symlink(path.join(other, "chats/session-x.jsonl"), path.join(home, "tmp/p/chats/session-x.jsonl"));
    await symlink(path.join(other, "chats"), path.join(home, "tmp/p/chats/s1"));
    await symlink(path.join(other, ".project_root"), path.join(home, "tmp/p/.project_root"));
    await symlink(other, path.join(home, "tmp/q"));
    const source = openHistories(home);
    expect(await listed(source)).toEqual(["p/s1"]);
    expect(await source.loadTraceEnvelopes("p", "s1")).toHaveLength(3);
  });
});

/** Sessions of both layouts; a later name is newer. */
async function manySessions(count: number): Promise<string> {
  const files: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const messages = [user(`u${i}`, i * 100, `Word${i}x`), gemini(`g${i}`, i * 100 + 5, `Answer "${i}" é`)];
    const head = header(`s${i}`, { startTime: at(i * 100) });
    const isDocument = i % 2 === 0;
    files[`tmp/p/chats/session-${i}.${isDocument ? "json" : "jsonl"}`] = isDocument
      ? document(head, messages)
      : lines(head, ...messages);
  }
  const home = await newHome(files);
  for (const name of Object.keys(files)) await utimes(path.join(home, name), 1_800_000_000, 1_800_000_000);
  return home;
}

describe("Of many sessions, of both layouts", () => {
  it("a page holds the newest, by the instants in the ends of their files", async () => {
    const source = openHistories(await manySessions(60));
    const page = await source.findSessions!({ limit: 4 });
    expect(page.items.map(({ sessionId }) => sessionId)).toEqual(["s59", "s58", "s57", "s56"]);
    const all = await source.listSessions();
    expect(all).toHaveLength(60);
    expect(all.find(({ sessionId }) => sessionId === "s8")).toMatchObject({
      lastActive: at(805),
      title: "Word8x",
    });
  });

  it("a search finds those that hold a text", async () => {
    const source = openHistories(await manySessions(20));
    for (const [text, expected] of [
      ["Word8x", ["s8"]],
      ["Word9x", ["s9"]],
      ["Answer", Array.from({ length: 20 }, (_, i) => `s${19 - i}`)],
      ["nowhere", []],
    ] as const) {
      const { candidates } = await source.searchRecords!({
        query: parseSearchQuery(text)!,
        limit: 100,
        budgetMs: 10_000,
      });
      expect(candidates.map(({ sessionId }) => sessionId).sort()).toEqual([...expected].sort());
    }
  });

  it("a cache folder gives the next process the same list", async () => {
    const home = await manySessions(10);
    const cacheDir = await newHome();
    const first = openHistories(home, { cacheDir });
    const items = await first.listSessions();
    await first.close?.();
    expect(await openHistories(home, { cacheDir }).listSessions()).toEqual(items);
  });
});
