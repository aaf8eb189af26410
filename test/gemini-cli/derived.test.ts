import { describe, it } from "vitest";
import { createGeminiCliDataSource } from "../../src/gemini-cli.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { geminiFolders, HAS_HISTORIES, WITHOUT_CHATS, WITHOUT_HISTORIES } from "./support/real-histories.js";

describeDerivedSource(
  "GeminiCliDataSource",
  (folder) => createGeminiCliDataSource(folder, { threads: false }),
  geminiFolders()
    .filter(([name]) => name !== WITHOUT_CHATS)
    .map(([name, folder]) => ({ name, folder })),
  {
    isHistory: (file) => /\/chats\/.*\.jsonl?$/.test(file),
    countRecords(file, text) {
      if (file.endsWith(".jsonl")) return text.trimEnd().split("\n").length;
      const session = JSON.parse(text) as { messages: unknown[] };
      const names = Object.keys(session);
      const at = names.indexOf("messages");
      return Number(at > 0) + session.messages.length + Number(at < names.length - 1);
    },
  },
);

describe.skipIf(HAS_HISTORIES)("real histories", () => {
  it.skip(`are held to the same${WITHOUT_HISTORIES}`, () => undefined);
});
