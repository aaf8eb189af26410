import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { OPENCLAW_TASKS } from "../../src/adapters/formats/pi/openclaw-format.js";
import { PI_TASKS } from "../../src/adapters/formats/pi/pi-format.js";
import { TranscriptDataSource } from "../../src/adapters/transcripts/source/transcript-data-source.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inventedFolder } from "../support/invented/histories.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { FOLDERS } from "./support/real-sessions.js";
import {
  at,
  called,
  entry,
  fileOf,
  header,
  lines,
  message,
  result,
  said,
  usage,
  user,
} from "./support/sessions.js";

const TREE = [
  entry("model_change", "e1", null, 1, { provider: "acme", modelId: "m-1" }),
  message("e2", "e1", 1, { role: "system", content: "", sections: { rules: "Be short." } }),
  user("e3", "e2", 2, "Look. ".repeat(3_000)),
  called("e4", "e3", 4, "c1"),
  result("e5", "e4", 5, "c1", "a b", { usage: usage(3, 1) }),
  said("e6", "e5", 7, "Two files."),
  message("e7", "e6", 8, { role: "bashExecution", command: "ls", output: "a", exitCode: 0 }),
  user("e8", "e7", 9, "Again."),
  said("e9", "e8", 10, "", { stopReason: "error", errorMessage: "503: no", usage: usage(0, 0, 0) }),
  entry("context_edit", "e10", "e9", 10, { targetId: "e9", replacement: null }),
  said("e11", "e10", 12, "Well.", { usage: { input: -1, output: 1.5 } }),
  entry("compaction", "e12", "e11", 13, {
    summary: "S",
    firstKeptEntryId: "e8",
    tokensBefore: 9,
    usage: usage(4, 2),
  }),
  entry("branch_summary", "e13", "e6", 14, { fromId: "e12", summary: "B" }),
  user("E3B0C442-98FC-1C14-9AFB-F4C8996FB924", "e13", 15, "Here."),
  user("E3B0C442-98FC-1C14-9AFB-F4C8996FB924", "e13", 15, "Here."),
  said("e15", "nowhere", 16, "Yes.", { stopReason: "aborted" }),
  entry("custom_message", "e16", "e15", 17, { customType: "x", content: "Note.", display: true }),
  entry("future", "e17", "e16", 18),
  { type: "label" },
  { no: "type" },
];

const FILES: Readonly<Record<string, string>> = {
  [fileOf("s1")]: lines(header("s1"), ...TREE),
  [fileOf("s2", 20)]: lines(
    header("s2", { timestamp: at(20), parentSession: `/elsewhere/${path.basename(fileOf("s1"))}` }),
    ...TREE.slice(0, 6),
    user("f1", "e6", 21, "In the fork."),
    said("f2", "f1", 22, "Yes."),
  ),
  [fileOf("s3", 30)]: `${lines(header("s3"))}no JSON\n[]\n${lines(user("u1", null, 31, "Hi."))}{"type":"mess`,
  [fileOf("s4", 40)]: `{"type":"session"\n${lines(user("u1", null, 41, "Hi."))}`,
  "--srv-shop--/named-by-hand.jsonl": lines(header("s1"), user("u1", null, 50, "The same id.")),
};

const invented = mkdtempSync(path.join(tmpdir(), "pi-derived-"));
afterAll(() => rmSync(invented, { recursive: true, force: true }));
for (const [name, text] of Object.entries(FILES)) {
  const file = path.join(invented, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const isHistory = (file: string) => file.endsWith(".jsonl");
const foldersOf = (format: string) => [
  { name: "invented", folder: inventedFolder(format) },
  ...FOLDERS.filter(([, of]) => HAS_SHARED_DATA && of === format).map(([name]) => ({
    name,
    folder: path.join(SHARED_DATA, name),
  })),
];

describeDerivedSource(
  "Pi",
  (folder) => asDataSource(new TranscriptDataSource(folder, PI_TASKS, { threads: false })),
  [{ name: "odd sessions", folder: invented }, ...foldersOf("pi")],
  { isHistory },
);

describeDerivedSource(
  "OpenClaw",
  (folder) => asDataSource(new TranscriptDataSource(folder, OPENCLAW_TASKS, { threads: false })),
  foldersOf("openclaw"),
  { isHistory },
);
