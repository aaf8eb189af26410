import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { findNothing } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { details, hash, row } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveSource } from "./fixtures/serve-app.js";
import { SessionWriter } from "./fixtures/session-writer.js";
import { bytesOf, exportedSessions } from "./support/exported-sessions.js";
import { expectSameViews, openFile } from "./support/exported-views.js";

const FIXTURES = path.resolve(import.meta.dirname, "../../test/claude-code/fixtures/projects");
const SHOP = "#/s/shop/aaaaaaaa-0000-4000-8000-000000000001";

/** Dangerous in a script, a tag, a comment, JSON, or windows-1252. */
const HOSTILE = [
  "</script><script>globalThis.__harmed=1</script>",
  "<!--<script>globalThis.__harmed=1",
  "]]></noscript></title><img src=x onerror=globalThis.__harmed=1>",
  "&lt;b&gt; \u2028\u2029 \u0000 \r =@ \\u003c",
  "\u20ac\u201a\u0192\u2026\u0152\u017d\u2018\u2122\u0081\u008d\u009d \ud83d\ude80 \u05d0\ufeff",
].join(" | ");

function hostileSession() {
  const title = "</title></script><script>globalThis.__harmed=1</script> \u20ac";
  const w = new SessionWriter({ sessionId: "hostile", tenantId: "shop", title }, Date.UTC(2026, 0, 5, 9));
  w.turn(HOSTILE, () => {
    w.tool("Bash", { command: HOSTILE }, HOSTILE, 500, true);
    w.answer([{ type: "text", text: HOSTILE }]);
  });
  return w.session();
}

describeInBrowser("a page that is a file", () => {
  const invented = createInMemoryInspectorDataSource([checkoutSession(), hostileSession()]);
  const claude = createClaudeCodeDataSource(FIXTURES);
  const servers = { invented: serveSource(() => invented), claude: serveSource(() => claude) };
  let folder: string;

  const addressOf = (name: string) => pathToFileURL(path.join(folder, `${name}.html`)).href;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "inspector-export-"));
    const alone = [{ tenantId: "shop", sessionId: "aaaaaaaa-0000-4000-8000-000000000001" }];
    const two = ["checkout", "hostile"].map((sessionId) => ({ tenantId: "shop", sessionId }));
    const bytes = await bytesOf(exportedSessions(invented, two));
    const files = {
      alone: await bytesOf(exportedSessions(claude, alone)),
      two: bytes,
      brokenOff: bytes.subarray(0, bytes.length - 2_000),
      // This byte is in the archive, before the last element.
      damaged: bytes.map((byte, i) => (i === bytes.length - 1_000 ? byte ^ 1 : byte)),
    };
    for (const [name, file] of Object.entries(files)) writeFileSync(path.join(folder, `${name}.html`), file);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("shows in every view what the served page shows, and makes no request", async () => {
    await expectSameViews(servers.claude, addressOf("alone"), SHOP);
    const hostile = "#/s/shop/hostile";
    const shown = await expectSameViews(servers.invented, addressOf("two"), hostile, ["trace", "messages"]);
    expect(shown).toContain("</script><script>globalThis.__harmed=1</script> | <!--<script>");
    await expect.poll(() => page.evaluate("globalThis.__harmed")).toBeUndefined();
  });

  it("opens with its session, says what it is, and has nothing that a file cannot do", async () => {
    await openFile(addressOf("alone"));
    await expect.poll(hash).toMatch(/^#\/s\/shop\/aaaaaaaa-0000-4000-8000-000000000001\/\w+$/);
    const notice = page.getByRole("complementary", { name: "Exported file" });
    await notice.getByText(/^Exported \d{4}-\d\d-\d\d \d\d:\d\d.* by Agent Inspector \d/).waitFor();
    await notice.getByRole("button", { name: "Not checked for secrets" }).click();
    await notice.getByText(/It holds the complete recording/).waitFor();
    await findNothing();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByText(/^(Share|Compare)$/).count()).toBe(0);
    await page.keyboard.press("s");
    await page.keyboard.press("c");
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.getByText("down, up").waitFor();
    await expect.poll(() => keys.getByText(/sources|compare with/).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Commands" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("u");
    await page.getByText(/^1 session\b/).waitFor();
  });

  it("searches and goes by keys", async () => {
    await openFile(addressOf("two"));
    await page.getByText(/^2 sessions/).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("rounding");
    await page
      .getByRole("link", { name: /rounding/ })
      .first()
      .click();
    await expect.poll(hash).toMatch(/^#\/s\/shop\/checkout\/.*q=rounding/);
    await openFile(addressOf("two"), "#/s/shop/checkout/trace");
    await row(/Turn/).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await details().getByText("Started").waitFor();
  });

  it("says in its place what keeps it from being shown", async () => {
    await openFile(addressOf("brokenOff"));
    await page.getByText(/The end of the file is missing/).waitFor();
    await openFile(addressOf("damaged"));
    await page.getByText(/It is damaged/).waitFor();
  });
});
