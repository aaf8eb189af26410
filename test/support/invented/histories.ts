import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { ATIF } from "./atif.js";
import { CLAUDE_CODE } from "./claude-code.js";
import { CODEX } from "./codex.js";
import { COPILOT_CLI } from "./copilot-cli.js";
import { DATA } from "./data.js";
import { ANTIGRAVITY, CLINE, DROID } from "./experimental.js";
import { GEMINI_CLI } from "./gemini-cli.js";
import type { InventedHistory } from "./history.js";
import { INSPECT } from "./inspect.js";
import { KIMI } from "./kimi.js";
import { OPENCODE } from "./opencode.js";
import { OTLP } from "./otlp.js";
import { OPENCLAW, PI } from "./pi.js";
import { QWEN_CODE } from "./qwen-code.js";

export const INVENTED: readonly InventedHistory[] = [
  DATA,
  CLAUDE_CODE,
  CODEX,
  GEMINI_CLI,
  COPILOT_CLI,
  PI,
  OPENCLAW,
  QWEN_CODE,
  OPENCODE,
  DROID,
  ANTIGRAVITY,
  CLINE,
  KIMI,
  ATIF,
  INSPECT,
  OTLP,
];

/** The folder exists until the tests of the calling file or suite end. */
export function inventedFolder(kind: string): string {
  const { files = {}, write } = INVENTED.find((history) => history.kind === kind)!;
  const root = mkdtempSync(path.join(tmpdir(), `invented-${kind}-`));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  write?.(root);
  return root;
}
