import { symlink, unlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openClawFormat } from "../../src/adapters/formats/pi/openclaw-format.js";
import { piFormat } from "../../src/adapters/formats/pi/pi-format.js";
import { HISTORY_FORMATS } from "../../src/adapters/formats/registry.js";
import { runInSlices } from "../../src/application/threads/slices.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { historyPlaces } from "../support/history-places.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { FOLDERS } from "./support/real-sessions.js";
import {
  at,
  entry,
  fileOf,
  header,
  lines,
  newSessions,
  openSessions,
  said,
  TENANT,
  user,
  writeFiles,
} from "./support/sessions.js";

const SESSION = lines(header("s1"), user("e1", null, 1, "Count."), said("e2", "e1", 2, "Seven."));

async function recognisedBy(place: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, load } of HISTORY_FORMATS) {
    const { folder } = (await load()).format;
    const isFile = place.endsWith(".jsonl");
    const answer = isFile
      ? (await runInSlices(folder.inFile(path.dirname(place), place))) !== undefined
      : await runInSlices(folder.recognises(place));
    if (answer) found.push(name);
  }
  return found;
}

describe("A folder of Pi", () => {
  const PLACES = historyPlaces();

  it.each(["", "agent", "agent/sessions", path.dirname(`agent/sessions/${fileOf("s1")}`)])(
    "is recognised, and read, from %j on",
    async (below) => {
      const root = await newSessions({ [`agent/sessions/${fileOf("s1")}`]: SESSION });
      // Three folders lie between a home and its sessions: the command line looks for the one in the middle.
      const place = path.join(root, below || "agent/sessions");
      expect(await recognisedBy(place)).toEqual(["pi"]);
      const source = await openSessions(place);
      expect(await source.listSessions()).toMatchObject([{ tenantId: TENANT, sessionId: "s1" }]);
    },
  );

  it("is known by how files begin, not by names", async () => {
    const other = lines({ type: "session", id: "s1" }, user("e1", null, 1, "Count."));
    for (const files of [{}, { "a.jsonl": "no JSON\n" }, { [fileOf("s1")]: other }, { "a.json": SESSION }])
      expect(await recognisedBy(await newSessions(files))).toEqual([]);
    expect(await recognisedBy(path.join(await newSessions(), "gone"))).toEqual([]);
    expect(await recognisedBy(await newSessions({ "named-by-hand.jsonl": SESSION }))).toEqual(["pi"]);
  });

  it("is OpenClaw's where a list of sessions lies beside them", async () => {
    const root = await newSessions({
      "main/sessions/sessions.json": "{}",
      "main/sessions/s1.jsonl": SESSION,
    });
    expect(await recognisedBy(root)).toEqual(["openclaw"]);
    expect(await recognisedBy(path.join(root, "main/sessions/s1.jsonl"))).toEqual(["openclaw"]);
  });

  it("may be one file", async () => {
    const root = await newSessions({ "loose.jsonl": SESSION, "other.jsonl": SESSION, "odd.jsonl": "{}\n" });
    const file = path.join(root, "loose.jsonl");
    expect(await recognisedBy(file)).toEqual(["pi"]);
    expect(await recognisedBy(path.join(root, "odd.jsonl"))).toEqual([]);
    const source = await openSessions(file);
    expect(await source.listSessions()).toMatchObject([{ tenantId: TENANT, sessionId: "s1", turns: 1 }]);
    expect(await source.loadMessages(TENANT, "s1")).toHaveLength(2);
  });

  it("is told from those of all other tools", () => {
    const recognised = PLACES.flatMap(({ place, folder, kind }) => {
      const names = [piFormat, openClawFormat].filter((format) => runToEnd(format.folder.recognises(folder)));
      return names.map(({ name }) => ({ place, name, kind }));
    });
    expect(recognised.length).toBeGreaterThan(4);
    expect(recognised.filter(({ name, kind }) => name !== kind)).toEqual([]);
    const folders = FOLDERS.map(([name]) => path.join(SHARED_DATA, name));
    for (const folder of HAS_SHARED_DATA ? folders : [])
      expect([folder, runToEnd(piFormat.folder.recognises(folder))]).toEqual([folder, true]);
  });

  it("calls sessions by their ids, each once, and one that lost its beginning by its file", async () => {
    const root = await newSessions({
      [fileOf("s1")]: SESSION,
      [fileOf("s1", 5)]: SESSION,
      [fileOf("s2")]: `{"type":"sess\n${lines(user("e1", null, 1, "Count."))}`,
      [fileOf("s3")]: "",
      "--srv-shop--/odd-id.jsonl": lines(header("a/b?"), user("e1", null, 1, "Count.")),
      "--srv-shop--/notes.jsonl": lines({ note: "not of Pi" }),
    });
    const source = await openSessions(root);
    const names = (await source.listSessions()).map(({ tenantId, sessionId }) => `${tenantId} ${sessionId}`);
    expect(names.sort()).toEqual([
      `${TENANT} odd-id`,
      `${TENANT} s1`,
      `${TENANT} s1_`,
      `${TENANT} s2`,
      `${TENANT} s3`,
    ]);
    expect(await source.openSession!(TENANT, "nothing")).toBeUndefined();
  });

  it("is read inside of itself alone", async () => {
    const outside = await newSessions({ "secret.jsonl": SESSION });
    const root = await newSessions({ [fileOf("s2")]: lines(header("s2"), user("e1", null, 1, "Count.")) });
    await symlink(path.join(outside, "secret.jsonl"), path.join(root, "--srv-shop--/link.jsonl"));
    await symlink(outside, path.join(root, "elsewhere"));
    expect(await (await openSessions(root)).listSessions()).toMatchObject([{ sessionId: "s2" }]);
  });
});

describe("A fork", () => {
  const parent = [
    user("e1", null, 1, "Count."),
    said("e2", "e1", 2, "Seven."),
    entry("session_info", "e3", "e2", 3, { name: "Books" }),
    user("e4", "e3", 4, "Go on."),
  ];
  const fork = (id: string, second: number, from: string, ...own: readonly unknown[]) => ({
    [fileOf(id, second)]: lines(
      header(id, { timestamp: at(second), parentSession: `C:\\Users\\ada\\${path.basename(from)}` }),
      ...parent.slice(0, 3),
      ...own,
    ),
  });
  const own = [user("f1", "e3", 11, "In the fork."), said("f2", "f1", 12, "Yes.")];

  it("has the entries that it begins with, and counts those of its own alone", async () => {
    const root = await newSessions({
      [fileOf("s1")]: lines(header("s1"), ...parent),
      ...fork("s2", 10, fileOf("s1"), ...own),
    });
    const source = await openSessions(root);
    const items = new Map((await source.listSessions()).map((item) => [item.sessionId, item]));
    expect(items.get("s1")).toMatchObject({ turns: 2, tokens: 20, title: "Books" });
    expect(items.get("s2")).toMatchObject({ turns: 1, tokens: 20, title: "Books", prompt: "In the fork." });
    expect(await source.loadMessages(TENANT, "s2")).toHaveLength(4);
    const [start] = await source.loadTraceEnvelopes(TENANT, "s2");
    expect(start!.event).toMatchObject({ type: "session.start", replayed: 3 });
  });

  it("counts what it begins with where the session is gone, or else the oldest fork of it does", async () => {
    const root = await newSessions({
      ...fork("s2", 10, fileOf("s1"), ...own),
      ...fork("s3", 20, fileOf("s1"), user("g1", "e3", 21, "In the other fork.")),
    });
    const tokens = async () =>
      (await (await openSessions(root)).listSessions()).map((item) => [item.sessionId, item.tokens]).sort();
    expect(await tokens()).toEqual([
      ["s2", 40],
      ["s3", 0],
    ]);
    await unlink(path.join(root, fileOf("s2", 10)));
    expect(await tokens()).toEqual([["s3", 20]]);
  });

  it("counts all that is in it where its file was named by itself", async () => {
    const root = await newSessions({
      [fileOf("s1")]: lines(header("s1"), ...parent),
      ...fork("s2", 10, fileOf("s1"), ...own),
    });
    const source = await openSessions(path.join(root, fileOf("s2", 10)));
    expect(await source.listSessions()).toMatchObject([{ sessionId: "s2", tokens: 40, turns: 2 }]);
    const trace = await source.loadTraceEnvelopes(TENANT, "s2");
    expect(trace.filter(({ event }) => event.type === "turn.start")).toHaveLength(2);
  });

  it("counts each entry once where sessions name each other", async () => {
    const a = header("s1", { parentSession: fileOf("s2").split("/")[1] });
    const b = header("s2", { parentSession: fileOf("s1").split("/")[1] });
    const root = await newSessions({
      [fileOf("s1")]: lines(a, ...parent),
      [fileOf("s2")]: lines(b, ...parent),
    });
    const items = await (await openSessions(root)).listSessions();
    expect(items.map(({ tokens }) => tokens).sort()).toEqual([0, 20]);
  });

  it("is read anew when the session that it names comes back", async () => {
    const root = await newSessions(fork("s2", 10, fileOf("s1"), ...own));
    const source = await openSessions(root);
    expect(await source.listSessions()).toMatchObject([{ tokens: 40 }]);
    await writeFiles(root, { [fileOf("s1")]: lines(header("s1"), ...parent) });
    expect((await source.listSessions()).map(({ tokens }) => tokens)).toEqual([20, 20]);
  });
});
