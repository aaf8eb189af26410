import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { temporaryFolder } from "../support/data-directory.js";
import { sharedThread } from "../support/pools.js";
import { sized } from "../support/soak.js";
import { expectEqual, randomNumbers } from "./support/naive-queries.js";

const pool = sharedThread();

/** Escapes of other writers: Python (`ensure_ascii`), Go (no `<`, `>`, `&`), PHP (no `/`). */
const WRITERS: Readonly<Record<string, (json: string) => string>> = {
  "JSON.stringify": (json) => json,
  Python: (json) =>
    json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  Go: (json) => json.replace(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`),
  PHP: (json) => json.replace(/\//g, "\\/"),
};

const WORDS = [
  "router.ex",
  "“quoted”",
  '"q"',
  "C:\\temp\\n",
  "a\nb\tc",
  "\u{1F99C}",
  "日本語",
  "<b>&</b>",
  "/usr/lib/",
  "Straße",
  "ſK",
];

/** Texts of many lengths, so that words cross every 64 KiB and 256 KiB border of the reading. */
function inventedTexts(): string[] {
  const random = randomNumbers(7);
  return Array.from({ length: 60 }, (_, i) => {
    const words = Array.from({ length: i % 10 === 9 ? 9_000 : 40 }, () => WORDS[random(WORDS.length)]!);
    return `${words.join(i % 2 === 0 ? " " : "")} ${i}`;
  });
}

describe.each(Object.keys(WRITERS).slice(0, sized(2, 4)))(
  "a search of invented histories, written as by %s",
  (writer) => {
    const lines = (records: readonly unknown[]) =>
      records.map((record) => `${WRITERS[writer]?.(JSON.stringify(record))}\n`).join("");

    it("finds what looking at every string of a data directory finds", { timeout: 240_000 }, async () => {
      const dataDir = await temporaryFolder();
      const session = path.join(dataDir, "tenants/acme/sessions/s1");
      await mkdir(path.join(session, "trace"), { recursive: true });
      await writeFile(path.join(session, "session.jsonl"), lines([{ type: "init", createdAt: 1 }]));
      const texts = inventedTexts();
      await writeFile(
        path.join(session, "messages.jsonl"),
        lines(texts.map((content) => ({ role: "user", content }))),
      );
      const envelopes = texts.map((output, sequence) => ({
        sequence,
        traceId: "t",
        timestamp: "2026-01-15T12:00:00.000Z",
        event: { type: "tool.end", toolCallId: `c${sequence}`, toolName: "Read", output: { output } },
      }));
      await writeFile(path.join(session, "trace/events.jsonl"), lines(envelopes));
      await cp(session, path.join(dataDir, "tenants/globex/sessions/s2"), { recursive: true });
      expect(
        await expectEqual(createFilesystemInspectorDataSource(dataDir, { pool }), sized(4, 15)),
      ).toBeGreaterThan(100);
    });

    it("finds what looking at every string of a projects folder finds", { timeout: 240_000 }, async () => {
      const folder = await temporaryFolder();
      await mkdir(path.join(folder, "-work"));
      const records = inventedTexts().map((text, i) => ({
        type: i % 2 === 0 ? "user" : "assistant",
        uuid: `u${i}`,
        sessionId: "s1",
        timestamp: new Date(Date.UTC(2026, 0, 15) + i * 1_000).toISOString(),
        message: { role: i % 2 === 0 ? "user" : "assistant", content: [{ type: "text", text }] },
      }));
      await writeFile(path.join(folder, "-work/s1.jsonl"), lines(records));
      expect(await expectEqual(createClaudeCodeDataSource(folder, { pool }), sized(4, 15))).toBeGreaterThan(
        100,
      );
    });
  },
);
