import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { SHARED_DATA } from "../../test/support/shared-data.js";
import { describeShared } from "../../test/support/shared-suites.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { choose, details, hash, row, settled, wholeTrace } from "./browser/page.js";
import { serverOf, serveSource } from "./fixtures/serve-app.js";

const PROJECTS = path.join(SHARED_DATA, "claude-code/spotter/projects");
const TENANT = "-home-USER-projects-spotter-worktrees-spotter-fum";
const SESSION = "8463c716-a2ea-4c14-9efa-87158ebd9f20";

interface RealCall {
  readonly name: string;
  readonly input: { readonly [field: string]: string };
  readonly startedAt: number;
  readonly endedAt: number;
  readonly size: number;
  readonly failed: boolean;
}

/** Reads the file without any code of the inspector. */
function realCalls(): RealCall[] {
  const lines = readFileSync(path.join(PROJECTS, TENANT, `${SESSION}.jsonl`), "utf8").split("\n");
  const begun = new Map<string, { name: string; input: RealCall["input"]; startedAt: number }>();
  const calls = new Map<string, RealCall>();
  for (const line of lines.filter((text) => text !== "")) {
    const { message, timestamp } = JSON.parse(line);
    for (const block of Array.isArray(message?.content) ? message.content : []) {
      if (block.type === "tool_use" && !begun.has(block.id))
        begun.set(block.id, { name: block.name, input: block.input, startedAt: Date.parse(timestamp) });
      const call = begun.get(block.tool_use_id);
      if (block.type !== "tool_result" || call === undefined || calls.has(block.tool_use_id)) continue;
      const { content = "" } = block;
      const texts = typeof content === "string" ? [content] : content.map(({ text = "" }) => text);
      const size = texts.join("").length;
      calls.set(block.tool_use_id, {
        ...call,
        endedAt: Date.parse(timestamp),
        size,
        failed: block.is_error === true,
      });
    }
  }
  return [...calls.values()];
}

/** A row's name for a call: its file, or its command without the change of folder. */
function subjectOf({ input }: RealCall): string {
  const file = input.file_path ?? input.path;
  return file === undefined
    ? (input.command ?? input.pattern ?? "").replace(/^cd \S+ && /, "")
    : path.posix.basename(file);
}

describeShared("a person's tasks on a real session", () => {
  describeInBrowser("with the steps that they take", () => {
    const server = serveSource(() => createClaudeCodeDataSource(PROJECTS));
    let steps = 0;

    const open = async (hash = `s/${TENANT}/${SESSION}/trace`, from = server) => {
      steps = 0;
      await from.open(`#/${hash}`, { width: 1440, height: 900 });
      if (hash.endsWith("trace")) await wholeTrace().waitFor();
      await settled();
    };
    const press = async (key: string) => {
      steps++;
      await page.keyboard.press(key);
      await settled();
    };
    const click = async (where: Locator) => {
      steps++;
      await where.click();
      await settled();
    };
    const type = async (words: string) => {
      steps++;
      await page.keyboard.type(words);
    };
    const rows = () => page.locator('[role="treegrid"] [role="rowgroup"] [role="row"]');
    const selected = () => page.locator('[role="treegrid"] [role="row"][aria-selected="true"]');
    const chip = (name: string) => page.getByRole("button", { name: new RegExp(`^${name} `) });

    it("finds the command of each error: a key for each", async () => {
      await open();
      const { length } = realCalls().filter(({ failed }) => failed);
      const shown: string[] = [];
      const link = await page.getByRole("link", { name: /errors/ }).textContent();
      const of = Number(/\d+/.exec(link!)![0]);
      for (let i = 0; i < of; i++) {
        await press("e");
        await page
          .getByText(`Error ${i + 1} of ${of}`)
          .first()
          .waitFor();
        shown.push(`${await selected().textContent()} ${await details().textContent()}`);
      }
      expect(steps).toBe(of);
      expect(of).toBeGreaterThanOrEqual(length);
      for (const call of realCalls().filter(({ failed }) => failed))
        expect(shown.some((text) => text.includes(subjectOf(call).split("\n")[0]!.slice(0, 40)))).toBe(true);
    });

    it("names the five largest results: two steps", async () => {
      await open();
      await click(chip("Tool"));
      await click(page.getByRole("columnheader", { name: /^Added/ }).getByRole("button"));
      const largest = realCalls().sort((a, b) => b.size - a.size);
      const names = await rows().evaluateAll((all) => all.slice(0, 5).map((row) => row.textContent));
      for (const [i, text] of names.entries()) expect(text).toContain(subjectOf(largest[i]!));
      expect(steps).toBe(2);
    });

    it("names the result that filled the context: one step", async () => {
      await open();
      await press("5");
      const table = page.getByRole("table", { name: "Context usage" });
      const names = table.locator("tbody tr > :first-child");
      await expect.poll(() => names.nth(0).textContent()).toBe("System prompt and tools");
      await expect.poll(() => names.nth(1).textContent()).toMatch(/^Read .*tool_heavy\.jsonlresult$/);
      expect(steps).toBe(1);
    });

    it("shows the slowest call: two steps", async () => {
      await open();
      await click(chip("Tool"));
      await click(page.getByRole("columnheader", { name: /^Duration/ }).getByRole("button"));
      const [slowest] = realCalls().sort((a, b) => b.endedAt - b.startedAt - (a.endedAt - a.startedAt));
      await expect.poll(() => rows().first().textContent()).toContain(subjectOf(slowest!).slice(0, 30));
      expect(steps).toBe(2);
    });

    it("shows the diff of an edit: two steps", async () => {
      await open();
      steps++;
      await choose("All tools", /^Edit /);
      await settled();
      await click(
        rows()
          .filter({ hasText: /[+]\d+\s*−\d+/ })
          .first(),
      );
      const edits = realCalls().filter(({ name, failed }) => name === "Edit" && !failed);
      const [first] = edits;
      await expect.poll(() => selected().textContent()).toContain(subjectOf(first!));
      const added = first!.input
        .new_string!.split("\n")
        .find((line) => !first!.input.old_string!.includes(line))!;
      await details().getByText(added.trim(), { exact: false }).first().waitFor();
      expect(steps).toBe(2);
    });

    it("shows what the model had seen when it made an edit: one step from the edit", async () => {
      await open();
      await choose("All tools", /^Edit /);
      await rows()
        .filter({ hasText: /[+]\d+\s*−\d+/ })
        .first()
        .click();
      await settled();
      await click(details().getByRole("link", { name: "Context at this call" }));
      await page.getByText(/^Call \d+ of \d+$/).waitFor();
      expect(steps).toBe(1);
    });

    it("shows the answer of a sub-agent: two steps", async () => {
      await open();
      await press("2");
      await click(row(/Explore Tmux/));
      await details()
        .getByText(/Perfect! Now I have all the information I need/)
        .first()
        .waitFor();
      expect(steps).toBe(2);
    });

    it("shows what the compaction dropped: two steps", async () => {
      await open();
      await press("4");
      // Later calls move the earlier bars, so the test waits for all.
      await page.getByText("Call 143 of 143", { exact: true }).waitFor();
      const bars = (await page.getByRole("slider", { name: /Context at each call/ }).boundingBox())!;
      steps++;
      // The cliff is at call 72.
      await page.mouse.click(bars.x + (bars.width * 71.5) / 143, bars.y + bars.height - 4);
      await page
        .getByText(/^Dropped \d+/)
        .first()
        .waitFor();
      expect(steps).toBe(2);
    });

    it("finds the session that touched a file, and where: three steps", async () => {
      await open("");
      await press("/");
      await type("transcript_renderer_test.exs");
      await page
        .getByText(/transcript_renderer_test/)
        .first()
        .waitFor();
      const hit = page.locator("a", { hasText: "transcript_renderer_test.exs" }).first();
      await hit.waitFor();
      await click(hit);
      await selected().waitFor();
      expect(steps).toBe(3);
    });

    it("goes back to the list as it was: one step", async () => {
      await open("?group=project");
      const session = row(/Implement spotter-gqc/);
      await session.getByRole("link").click();
      await page.getByRole("table", { name: "Context usage" }).waitFor();
      await press("u");
      await session.waitFor();
      await expect.poll(hash).toContain("group=project");
      await expect.poll(() => session.getAttribute("aria-selected")).toBe("true");
      expect(steps).toBe(1);
    });

    it("follows a session that is written to: one step", async () => {
      const root = mkdtempSync(path.join(tmpdir(), "tasks-"));
      const file = path.join(root, TENANT, `${SESSION}.jsonl`);
      mkdirSync(path.dirname(file));
      copyFileSync(path.join(PROJECTS, TENANT, `${SESSION}.jsonl`), file);
      const growing = serverOf(() => createClaudeCodeDataSource(root));
      await growing.start();
      try {
        await open(`s/${TENANT}/${SESSION}/trace`, growing);
        await press("End");
        const line = {
          type: "user",
          uuid: "11111111-1111-4111-8111-111111111111",
          sessionId: SESSION,
          timestamp: "2026-02-11T23:30:00.000Z",
        };
        appendFileSync(
          file,
          `${JSON.stringify({ ...line, message: { role: "user", content: "And now the last thing." } })}\n`,
        );
        await page.getByText("And now the last thing.").first().waitFor({ timeout: 45_000 });
        expect(steps).toBe(1);
      } finally {
        await growing.stop();
        rmSync(root, { recursive: true });
      }
    });
  });
});
