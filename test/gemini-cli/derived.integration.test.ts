import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { createGeminiCliDataSource } from "../../src/gemini-cli.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inTurn } from "../support/shared-histories.js";
import { document, gemini, header, lines, note, toolCall, user } from "./support/homes.js";
import { allGeminiFolders } from "./support/real-histories.js";

const agentCall = toolCall("investigator_1777626008010_0", 40, "A shop.", {
  name: "investigator",
  agentId: "a1",
});

const MESSAGES = [
  user("u1", 5, "Look around."),
  gemini("g1", 8, "Reading.", {
    thoughts: [{ subject: "Plan" }],
    toolCalls: [toolCall("t1", 9, "41 files")],
  }),
  note("e1", 12, "error", "[API Error: quota]"),
  gemini("g2", 20, "There is nothing."),
  user("u2", 30, "Go on. ".repeat(3_000)),
  note("i1", 31, "info", "Request cancelled."),
  gemini("g3", 31, "", { tokens: undefined, toolCalls: [toolCall("t2", 31, "", { status: "cancelled" })] }),
];

const INVENTED: Readonly<Record<string, string>> = {
  "session-1.json": document(header("s1"), MESSAGES, { summary: "Nothing there" }),
  "session-2.json": JSON.stringify({ ...header("s2"), messages: [...MESSAGES, 5, "odd", {}] }),
  "session-3.jsonl": lines(
    header("s3"),
    ...MESSAGES,
    gemini("g2", 20, "There is nothing.", { toolCalls: [agentCall] }),
    { $set: { messages: [user("c1", 50, "<state_snapshot>"), ...MESSAGES.slice(4)] } },
    { $rewindTo: "u2" },
    ["odd"],
    { $set: { summary: "Counting" } },
  ),
  "session-4.jsonl": `${JSON.stringify({ ...header("s4"), messages: MESSAGES })}\nno json\n${lines(user("u9", 90, "Ok."))}`,
  "s3/a1.jsonl": lines(header("a1", { kind: "subagent" }), user("x1", 9, "Go."), gemini("x2", 30, "A shop.")),
};

const invented = mkdtempSync(path.join(tmpdir(), "gemini-cli-derived-"));
afterAll(() => rmSync(invented, { recursive: true, force: true }));
for (const [name, text] of Object.entries(INVENTED)) {
  const file = path.join(invented, "tmp/p/chats", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const options = {
  isHistory: (file: string) => /chats\/.*\.jsonl?$/.test(file),
  countRecords(file: string, text: string) {
    if (file.endsWith(".jsonl")) return text.trimEnd().split("\n").length;
    const session = JSON.parse(text) as { messages: unknown[] };
    const names = Object.keys(session);
    const at = names.indexOf("messages");
    return Number(at > 0) + session.messages.length + Number(at < names.length - 1);
  },
};

describeDerivedSource(
  "GeminiCliDataSource",
  (folder) => createGeminiCliDataSource(folder, { threads: false }),
  [
    { name: "invented histories", folder: invented },
    ...inTurn(allGeminiFolders(), ([, folder]) => folder).map(([name, folder]) => ({ name, folder })),
  ],
  options,
);
