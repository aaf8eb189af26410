import { existsSync, readFileSync } from "node:fs";
import { appendFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { pools } from "../support/pools.js";
import { namesIn, searchAll } from "../support/search-all.js";
import { filesOf } from "./support/naive-count.js";
import { FIXTURES, lines, newProjects, openHistories, userRecord } from "./support/projects.js";
import { CHOSEN, expectNothingMissing, partsOf, storedIn } from "./support/stored-strings.js";

const text = (wanted: string, isExact = false) => ({ kind: "text", text: wanted, isExact }) as const;

const isThere = (folder: string) => (file: string) => existsSync(path.join(folder, file));

describe("a search of transcripts", () => {
  it("names every session in which a string holds the text", async () => {
    const stored = storedIn(FIXTURES);
    await expectNothingMissing(FIXTURES, stored, [...CHOSEN, ...partsOf(stored, 10)]);
  });

  it("counts the lines of a session's files that hold the text, as grep -c does", async () => {
    const source = openHistories(FIXTURES);
    for (const word of ["the", "Error", "user"]) {
      const pages = await searchAll(source, text(word, true), { countsMatches: true });
      const counts = pages.flatMap(({ candidates }) => candidates);
      expect(counts).not.toEqual([]);
      for (const { tenantId, sessionId, matches } of counts) {
        const project = path.join(FIXTURES, tenantId);
        const files = filesOf(project, sessionId);
        if (!files.every(isThere(project))) continue;
        // The `meta.json` of a sub-agent is a part of the session, too.
        const told = files.map((file) => file.replace(/jsonl$/, "meta.json")).filter(isThere(project));
        const stored = [...files, ...told].flatMap((file) =>
          readFileSync(path.join(project, file), "utf8").split("\n"),
        );
        const holding = stored.filter((line) => line.includes(word));
        expect([word, sessionId, matches]).toEqual([word, sessionId, holding.length]);
      }
    }
  });

  it("names no session for a text that is nowhere", async () => {
    expect(namesIn(await searchAll(openHistories(FIXTURES), text("nowhere at all")))).toEqual([]);
  });
});

async function projectsOf(texts: readonly string[]): Promise<string> {
  const files = Object.fromEntries(texts.map((one, i) => [`p/${i}.jsonl`, lines(userRecord(i, i, one))]));
  const folder = await newProjects(files);
  for (const i of texts.keys()) await utimes(path.join(folder, `p/${i}.jsonl`), 1_000 + i, 1_000 + i);
  return folder;
}

describe.each(pools())("the pages of a search %s", (_, pool) => {
  it("name the sessions newest first, and cover all of them whatever the limit", async () => {
    const folder = await projectsOf(Array.from({ length: 40 }, (__, i) => (i % 3 === 0 ? "apple" : "pear")));
    const source = openHistories(folder, { pool });
    const whole = namesIn(await searchAll(source, text("apple")));
    expect(whole).toEqual(Array.from({ length: 14 }, (__, i) => `p/${39 - 3 * i}`));
    for (const limit of [1, 3, 14]) {
      expect(namesIn(await searchAll(source, text("apple"), { limit }))).toEqual(whole);
    }
  });

  it("get on by a session at least where there is no time", async () => {
    const source = openHistories(await projectsOf(["apple", "pear", "apple"]), { pool });
    const pages = await searchAll(source, text("apple"), { budgetMs: 0 });
    expect(namesIn(pages)).toEqual(["p/2", "p/0"]);
  });
});

describe("a search", () => {
  it("goes on behind any candidate, and says what lies before it", async () => {
    const source = openHistories(await projectsOf(["apple", "pear", "apple", "apple"]));
    const [page] = await searchAll(source, text("apple"));
    const [first, second, third] = page!.candidates;
    expect(first!.before).toEqual({ sessions: 0, bytes: 0 });
    expect(third!.before.sessions).toBe(3);
    expect(third!.before.bytes).toBeGreaterThan(second!.before.bytes!);
    expect(namesIn(await searchAll(source, text("apple"), { after: second!.place }))).toEqual(["p/0"]);
  });

  it("looks into the sessions of some tenants, or into one session", async () => {
    const record = lines(userRecord(1, 1, "apple"));
    const source = openHistories(
      await newProjects({
        "a/1.jsonl": record,
        "b/1.jsonl": record,
        "b/2.jsonl": record,
        "c/1.jsonl": record,
      }),
    );
    const search = async (options: object) => namesIn(await searchAll(source, text("apple"), options)).sort();
    expect(await search({ tenants: ["a", "b"] })).toEqual(["a/1", "b/1", "b/2"]);
    expect(await search({ tenantId: "b" })).toEqual(["b/1", "b/2"]);
    expect(await search({ tenantId: "b", sessionId: "2" })).toEqual(["b/2"]);
    expect(await search({ tenantId: "b", tenants: ["a"] })).toEqual([]);
  });

  it("looks into sub-agents' files, and the notes beside them", async () => {
    const source = openHistories(
      await newProjects({
        "p/1.jsonl": lines(userRecord(1, 1, "x")),
        "p/1/subagents/agent-a1.jsonl": lines(userRecord(2, 2, "apple", { agentId: "a1" })),
        "p/1/subagents/agent-a1.meta.json": JSON.stringify({ agentType: "Digger", description: "pears" }),
      }),
    );
    for (const one of ["apple", "pears"])
      expect(namesIn(await searchAll(source, text(one)))).toEqual(["p/1"]);
  });

  it("says on its last page that sessions were written to since it began", async () => {
    const folder = await projectsOf(["apple", "apple", "apple"]);
    const source = openHistories(folder);
    const first = await source.searchRecords!({ query: text("apple"), limit: 1, budgetMs: 30_000 });
    expect(first.notes).toBeUndefined();
    await appendFile(path.join(folder, "p/0.jsonl"), lines(userRecord(9, 9, "pear")));
    const later = openHistories(folder);
    const rest = await searchAll(later, text("apple"), { after: first.next, limit: 1 });
    expect(namesIn(rest)).toEqual(["p/1"]);
    expect(rest.flatMap(({ notes }) => notes ?? [])).toEqual([
      expect.stringMatching(/^1 session changed during the search/),
    ]);
  });

  it("that is over with its first page finds a session that was written a moment ago", async () => {
    const folder = await projectsOf(["apple"]);
    const source = openHistories(folder);
    expect(namesIn(await searchAll(source, text("apple")))).toEqual(["p/0"]);
    await writeFile(path.join(folder, "p/1.jsonl"), lines(userRecord(1, 1, "apple")));
    expect(namesIn(await searchAll(source, text("apple")))).toEqual(["p/1", "p/0"]);
  });

  it("names every session where no text is certain, and says so", async () => {
    const source = openHistories(await projectsOf(["apple", "pear"]));
    const pages = await searchAll(source, { kind: "pattern", text: "a|b", isExact: true }, { limit: 1 });
    expect(namesIn(pages)).toEqual(["p/1", "p/0"]);
    expect(pages[0]!.notes).toEqual([expect.stringContaining("every session is read")]);
  });

  it.each(["x", "[]", '[1,2,"p"]', "{}"])("refuses %s as a place", async (after) => {
    const source = openHistories(await projectsOf(["apple"]));
    await expect(searchAll(source, text("apple"), { after })).rejects.toMatchObject({ parameter: "cursor" });
  });

  it("finds a session that was added since the last one", async () => {
    const folder = await projectsOf(["apple"]);
    const source = openHistories(folder);
    await searchAll(source, text("apple"));
    await appendFile(path.join(folder, "p/new.jsonl"), lines(userRecord(9, 9, "apple")));
    expect(namesIn(await searchAll(source, text("apple")))).toEqual(["p/new", "p/0"]);
  });

  it("stops where nobody waits for it any more", async () => {
    const source = openHistories(await projectsOf(["apple"]));
    const search = { query: text("apple"), limit: 1, budgetMs: 30_000 };
    await expect(source.searchRecords!(search, { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});
