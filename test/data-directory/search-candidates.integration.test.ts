import { utimes, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { emptySession, makeFolders, temporaryFolder } from "../support/data-directory.js";
import { pools } from "../support/pools.js";
import { namesIn, searchAll } from "../support/search-all.js";
import { runs } from "../support/soak.js";

const text = (wanted: string) => ({ kind: "text", text: wanted, isExact: false }) as const;

/** The first session is written last. */
async function directoryOf(messages: readonly string[]): Promise<string> {
  const dataDir = await temporaryFolder();
  for (const [i, content] of messages.entries()) {
    const files = sessionFiles(dataDir, "acme", `s${i}`);
    await makeFolders(files);
    await writeFile(files.messages, `${JSON.stringify({ role: "user", content })}\n`);
    await utimes(files.messages, 1_000 - i, 1_000 - i);
  }
  return dataDir;
}

describe.each(pools())("a search of a data directory %s", (_, pool) => {
  it.each(["trace", "messages", "orchestration"] as const)("looks into %s", async (file) => {
    const files = await emptySession();
    await writeFile(files[file], '{"text":"\\u00e4pfel"}\n');
    const source = createFilesystemInspectorDataSource(files.dataDir, { pool });
    expect(namesIn(await searchAll(source, text("äpfel")))).toEqual(["acme/s1"]);
    expect(namesIn(await searchAll(source, text("birnen")))).toEqual([]);
  });

  it("names the sessions newest first, and covers all of them whatever the limit and the time", async () => {
    const dataDir = await directoryOf(
      Array.from({ length: 20 }, (__, i) => (i % 4 === 1 ? "pear" : "apple")),
    );
    const source = createFilesystemInspectorDataSource(dataDir, { pool });
    const whole = namesIn(await searchAll(source, text("pear")));
    expect(whole).toEqual(["acme/s1", "acme/s5", "acme/s9", "acme/s13", "acme/s17"]);
    for (const options of [{ limit: 1 }, { limit: 2, budgetMs: 0 }, { budgetMs: 0 }]) {
      expect(namesIn(await searchAll(source, text("pear"), options))).toEqual(whole);
    }
  });

  it("narrows itself to tenants and to a session", async () => {
    const source = createFilesystemInspectorDataSource(await directoryOf(["apple", "apple"]), { pool });
    const search = async (options: object) => namesIn(await searchAll(source, text("apple"), options));
    expect(await search({ tenantId: "acme", sessionId: "s1" })).toEqual(["acme/s1"]);
    expect(await search({ tenants: ["acme"] })).toEqual(["acme/s0", "acme/s1"]);
    expect(await search({ tenants: ["other"] })).toEqual([]);
    expect(await search({ tenantId: "other" })).toEqual([]);
  });
});

it("names every session in which a message holds the text", async () => {
  const words = fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 4,
  });
  const property = fc.asyncProperty(words, fc.nat(), async (messages, number) => {
    const source = createFilesystemInspectorDataSource(await directoryOf(messages), { threads: false });
    const from = messages[number % messages.length]!;
    const needle = from.slice(number % from.length) || from;
    const found = namesIn(await searchAll(source, text(needle)));
    const holding = [...messages.keys()].filter((i) => messages[i]!.includes(needle));
    expect(found).toEqual(expect.arrayContaining(holding.map((i) => `acme/s${i}`)));
  });
  await fc.assert(property, { numRuns: runs(25) });
});

it("finds a session that was written a moment ago, where it is over with its first page", async () => {
  const dataDir = await directoryOf(["apple"]);
  const source = createFilesystemInspectorDataSource(dataDir, { threads: false });
  expect(namesIn(await searchAll(source, text("pear")))).toEqual([]);
  const files = sessionFiles(dataDir, "acme", "new");
  await makeFolders(files);
  await writeFile(files.messages, `${JSON.stringify({ role: "user", content: "pear" })}\n`);
  expect(namesIn(await searchAll(source, text("pear")))).toEqual(["acme/new"]);
});

it("says how much is looked through", async () => {
  const dataDir = await directoryOf(["apple", "pear"]);
  const [page] = await searchAll(
    createFilesystemInspectorDataSource(dataDir, { threads: false }),
    text("pear"),
  );
  const line = `${JSON.stringify({ role: "user", content: "pear" })}\n`.length;
  expect(page!.total).toEqual({ sessions: 2, bytes: 2 * line + 1 });
  expect(page!.candidates[0]!.before).toEqual({ sessions: 1, bytes: line + 1 });
});
