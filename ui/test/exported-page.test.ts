import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { describeInBrowser, open, page } from "./browser/browser.js";
import { details, go, hash, row, settled } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveSource } from "./fixtures/serve-app.js";
import { SessionWriter } from "./fixtures/session-writer.js";
import { bytesOf, exportedSessions } from "./support/exported-sessions.js";

const FIXTURES = path.resolve(import.meta.dirname, "../../test/claude-code/fixtures/projects");
const SHOP = "#/s/shop/aaaaaaaa-0000-4000-8000-000000000001";
const TABS = ["trace", "agents", "messages", "context", "summary"];

/** What hands a session on, and what needs another one beside it. */
const ONLY_SERVED = / ?(Share|Compare|Copy (the errors )?for an agent)$/;

/** What may end or begin something where it stands, in a script, a tag, a comment, JSON, or windows-1252. */
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
  /** The height of the line that the file alone has. */
  const NOTICE = 28;

  const addressOf = (name: string) => pathToFileURL(path.join(folder, `${name}.html`)).href;
  const openFile = (name: string, hash = "") =>
    open(`${addressOf(name)}${hash}`, { height: 800 + NOTICE, fresh: true });
  /** What a view shows, line by line, without what only a served page can do. */
  const linesAt = async (address: string) => {
    await go(address);
    await settled();
    const texts = await page.locator("nav[aria-label=Views], section, #content").allInnerTexts();
    return texts.map((text) =>
      text
        .split("\n")
        .map((line) => line.replace(ONLY_SERVED, ""))
        .filter((line) => line !== ""),
    );
  };
  const isHarmed = () => page.evaluate("globalThis.__harmed");

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "inspector-export-"));
    const alone = [{ tenantId: "shop", sessionId: "aaaaaaaa-0000-4000-8000-000000000001" }];
    const two = ["checkout", "hostile"].map((sessionId) => ({ tenantId: "shop", sessionId }));
    const bytes = await bytesOf(exportedSessions(invented, two));
    const files = {
      alone: await bytesOf(exportedSessions(claude, alone)),
      two: bytes,
      brokenOff: bytes.subarray(0, bytes.length - 2_000),
      // A byte of the archive, which is in front of the last element.
      damaged: bytes.map((byte, i) => (i === bytes.length - 1_000 ? byte ^ 1 : byte)),
    };
    for (const [name, file] of Object.entries(files)) writeFileSync(path.join(folder, `${name}.html`), file);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("shows in every view what the served page shows, and makes no request", async () => {
    for (const [name, server, session] of [
      ["alone", servers.claude, SHOP],
      ["two", servers.invented, "#/s/shop/hostile"],
    ] as const) {
      const addresses = TABS.map((tab) => `${session}/${tab}`);
      const served: unknown[] = [];
      await server.open(addresses[0]!);
      // What is loaded with the first look at a view, and costs, which come behind the steps, are there with the second.
      for (const address of addresses) await linesAt(address);
      for (const address of addresses) served.push(await linesAt(address));
      await openFile(name);
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      for (const [i, address] of addresses.entries()) {
        await expect.poll(() => linesAt(address)).toEqual(served[i]);
      }
      await expect.poll(isHarmed).toBeUndefined();
      expect(requests.filter((url) => !/^(blob:null\/|data:)/.test(url))).toEqual([]);
      page.removeAllListeners("request");
    }
  });

  it("opens with its session, says what it is, and has nothing that a file cannot do", async () => {
    await openFile("alone");
    await expect.poll(hash).toMatch(/^#\/s\/shop\/aaaaaaaa-0000-4000-8000-000000000001\/\w+$/);
    const notice = page.getByRole("complementary", { name: "Exported file" });
    await notice.getByText(/^Exported \d{4}-\d\d-\d\d \d\d:\d\d.* by Agent Inspector \d/).waitFor();
    await notice.getByRole("button", { name: "Secrets not looked for" }).click();
    await notice.getByText(/this file holds all that was recorded/).waitFor();
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
    await openFile("two");
    await page.getByText(/^2 sessions/).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("rounding");
    await page
      .getByRole("link", { name: /rounding/ })
      .first()
      .click();
    await expect.poll(hash).toMatch(/^#\/s\/shop\/checkout\/.*q=rounding/);
    await openFile("two", "#/s/shop/checkout/trace");
    await row(/Turn/).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await details().getByText("Started").waitFor();
  });

  it("says in its place what keeps it from being shown", async () => {
    await openFile("brokenOff");
    await page.getByText(/Its end is missing/).waitFor();
    await openFile("damaged");
    await page.getByText(/It is damaged/).waitFor();
  });
});
