import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inventedFolder } from "../support/invented/histories.js";
import { sharedHistories } from "../support/shared-data.js";
import { answer, call, chain, openQwenCode, response, result, system, told, user } from "./support/homes.js";

const SESSION = [
  user("u1", 0, "Go."),
  system("x1", 0.1, "attribution_snapshot", { snapshot: {} }),
  response("t1", 1, 1),
  answer("a1", 1.1, [
    { text: "Hm.", thought: true },
    { text: "I look." },
    call("c1"),
    call("t1", "agent", { prompt: "Count" }),
  ]),
  told("t2", 2, "tool_call", { call_id: "c1", prompt_id: "s1########0" }),
  result("r1", 2.1, "c1", { output: "a b" }),
  result("r2", 2.1, "t1", { error: "no" }, { status: "error" }),
  response("t3", 3, 2, { prompt_id: "s1#helper-0a1b2c3d#0", subagent_id: "helper-0a1b2c3d" }),
  response("t4", 4, 3),
  told("t5", 5, "api_error", { error_message: "No.", prompt_id: "s1########0" }),
  system("x2", 6, "later_version", { what: 1 }),
  { ...system("x3", 7, "rewind", { truncatedCount: 1 }), parentUuid: "a1" },
  user("u2", 8, "On. ".repeat(3_000)),
  system("x4", 9, "chat_compression", {
    info: {},
    compressedHistory: [{ role: "user", parts: [{ text: "All." }] }],
  }),
  {
    ...answer("a2", 10, [{ text: "Done." }, { inlineData: { mimeType: "image/png", data: "" } }]),
    forkedFrom: 5,
  },
  system("x5", 11, "custom_title", { customTitle: "Title" }),
  system("x6", 11, "turn_result", { state: "completed" }),
];

const copied = SESSION.slice(0, 6).map((record) => ({ ...record, forkedFrom: { sessionId: "s1" } }));

const INVENTED: Readonly<Record<string, string>> = {
  "chats/s1.jsonl": chain(...SESSION),
  "chats/s2.jsonl": chain(...copied, user("v1", 20, "Elsewhere."), answer("b1", 21, [{ text: "Yes." }])),
  "chats/s3.jsonl": `${chain(...SESSION.slice(0, 4))}no json\n["odd"]\n{}\n${chain(...SESSION.slice(4))}`,
  "chats/s4.jsonl": chain(...copied),
  "subagents/s1/agent-worker-t1.jsonl": chain(
    user("d1", 2, "Count"),
    answer("d2", 3, [], 1),
    answer("d3", 3, [call("e1")], 0),
  ),
  "subagents/gone/agent-worker-t9.jsonl": chain(user("d1", 2, "Count"), answer("d2", 3, [{ text: "9" }])),
};

const invented = mkdtempSync(path.join(tmpdir(), "qwen-code-derived-"));
afterAll(() => rmSync(invented, { recursive: true, force: true }));
for (const [name, text] of Object.entries(INVENTED)) {
  const file = path.join(invented, "projects/-srv-shop", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

describeDerivedSource(
  "Qwen Code",
  (folder) => openQwenCode(folder),
  [
    { name: "odd histories", folder: invented },
    { name: "invented", folder: inventedFolder("qwen-code") },
    ...sharedHistories("qwen-code"),
  ],
  { isHistory: (file) => /(chats|subagents)\/.*\.jsonl$/.test(file) },
);
