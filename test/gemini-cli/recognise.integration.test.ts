import path from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCodeFormat } from "../../src/adapters/formats/claude-code/claude-code-format.js";
import { geminiCliFormat } from "../../src/adapters/formats/gemini-cli/gemini-cli-format.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { placesOfOthers } from "../support/history-places.js";
import { document, header, lines, newHome, user } from "./support/homes.js";
import { geminiFolders, WITHOUT_CHATS } from "./support/real-histories.js";

const OTHERS = placesOfOthers("gemini-cli");

const isRecognised = (folder: string) => runToEnd(geminiCliFormat.folder.recognises(folder));

describe("a folder of Gemini CLI", () => {
  it("is known by how its sessions begin, from ~/.gemini down to a folder of chats", async () => {
    for (const [file, text] of [
      ["session-a.jsonl", lines(header("s1"), user("u", 1, "Hi."))],
      ["session-a.json", document(header("s1"), [user("u", 1, "Hi.")])],
      ["session-a.json", document(header("s1"), [user("u", 1, "x".repeat(100_000))])],
    ] as const) {
      const home = await newHome({ [`tmp/p/chats/${file}`]: text, "settings.json": "{}" });
      for (const below of ["", "tmp", "tmp/p", "tmp/p/chats"]) {
        expect([below, isRecognised(path.join(home, below))]).toEqual([below, true]);
      }
    }
  });

  it("is not known by its names alone", async () => {
    for (const files of [
      {},
      { "tmp/p/logs.json": "[]" },
      { "tmp/p/chats/session-a.jsonl": "" },
      { "tmp/p/chats/session-a.jsonl": "no json\n" },
      { "tmp/p/chats/session-a.json": '{"sessionId":"s1","messages":[]}' },
      { "tmp/p/chats/session-a.json": '[{"sessionId":"s1","projectHash":"x"}]' },
      { "tmp/p/chats/other.jsonl": lines(header("s1")) },
      { "deeper/tmp/p/chats/session-a.jsonl": lines(header("s1")) },
    ]) {
      expect([files, isRecognised(await newHome(files))]).toEqual([files, false]);
    }
    expect(isRecognised("/nowhere/at/all")).toBe(false);
  });

  it("is distinguished from the folders of other tools", () => {
    for (const [name, folder] of geminiFolders()) {
      expect([name, isRecognised(folder)]).toEqual([name, name !== WITHOUT_CHATS]);
      expect([name, runToEnd(claudeCodeFormat.folder.recognises(folder))]).toEqual([name, false]);
    }
    expect(OTHERS.length).toBeGreaterThan(20);
    expect(OTHERS.filter(({ folder }) => isRecognised(folder))).toEqual([]);
  });
});
