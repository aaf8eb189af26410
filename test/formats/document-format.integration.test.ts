import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { defineFormat, messageParts } from "../../src/formats.js";
import { describeHistoryFormat } from "../contract/describe-history-format.js";

const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 9, 0, second)).toISOString();

const HISTORY = {
  app: "ledger",
  id: "apples",
  messages: [
    { role: "user", content: "Count the apples.", at: at(1) },
    { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "ls", input: {} }], at: at(2) },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "7" }], at: at(3) },
    { role: "assistant", content: [{ type: "text", text: "Seven." }], at: at(4) },
  ],
  closed: true,
};

/** A JSON document per session, with members around its array. */
const LEDGER = defineFormat({
  id: "ledger",
  label: "Ledger",
  files: {
    ending: ".json",
    depth: 0,
    arrayMember: "messages",
    session: ({ app, id }) => (app === "ledger" ? { id: String(id) } : undefined),
  },
  instantMember: "at",
  record: (record) => ({
    parts: messageParts(record),
    isBookkeeping: record.role === undefined,
    call: record.role === "assistant" ? { usage: { inputTokens: 10, outputTokens: 2 } } : undefined,
  }),
});

const folder = mkdtempSync(path.join(tmpdir(), "ledger-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(path.join(folder, "apples.json"), JSON.stringify(HISTORY, null, 2));

describeHistoryFormat(LEDGER, [{ name: "a document", folder }]);
