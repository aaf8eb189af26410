import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { serveSource } from "./fixtures/serve-app.js";

const SESSION = "11111111-1111-4111-8111-111111111111";

function history(): string {
  const records = ["First", "Wrong", "Second"].flatMap((word, i) => {
    const record = (
      type: string,
      uuid: string,
      parentUuid: string | null,
      second: number,
      message: object,
    ) => ({
      type,
      uuid,
      parentUuid,
      timestamp: new Date(Date.UTC(2026, 2, 1, 10, i, second)).toISOString(),
      sessionId: SESSION,
      isSidechain: false,
      message,
    });
    const question = { role: "user", content: `${word} question` };
    const answer = {
      id: `m${i}`,
      role: "assistant",
      model: "claude-opus-4-5",
      content: [{ type: "text", text: `${word} answer` }],
      usage: { input_tokens: 10, output_tokens: 10 },
    };
    return [
      record("user", `u${i}`, i === 0 ? null : "a0", 0, question),
      record("assistant", `a${i}`, `u${i}`, 5, answer),
    ];
  });
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

describeInBrowser("a conversation in which somebody went back", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "taken-back-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, "shop"));
  writeFileSync(path.join(folder, "shop", `${SESSION}.jsonl`), history());
  const server = serveSource(() => createClaudeCodeDataSource(folder, { threads: false }));

  it("shows what was taken back as such, with when, and nothing else", async () => {
    await server.open(`#/s/shop/${SESSION}/messages`);
    await page.getByText("Second answer").waitFor();
    const marked = page
      .getByRole("article")
      .filter({ hasText: "Taken back: not in the context of later calls." });
    await expect.poll(() => marked.count()).toBe(2);
    const texts = (await marked.allInnerTexts()).join("\n");
    expect(texts).toContain("Wrong question");
    expect(texts).toContain("Wrong answer");
    expect(texts).toMatch(/2026-03-01 \d\d:\d\d:00/);
  });

  it("shows in the contexts that later calls did not see it, and why", async () => {
    await server.open(`#/s/shop/${SESSION}/context?call=3`);
    const dropped = page.getByText("Wrong question");
    await dropped.first().waitFor();
    await expect.poll(() => page.getByText("3 messages").count()).toBeGreaterThan(0);
  });
});
