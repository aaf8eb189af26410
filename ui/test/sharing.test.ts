import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { expect, it } from "vitest";
import {
  type ArchiveLines,
  createInMemoryInspectorDataSource,
  createInspectorContainer,
  createInspectorRoute,
  ExportSession,
  InProcessPool,
  TOKENS,
} from "../../src/advanced.js";
import { partNamed } from "../../src/application/export/part-named.js";
import { createInspectorUi } from "../../src/ui.js";
import { KnownWords, passWords } from "../../test/support/known-words.js";
import { findNothing } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, clipboard } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serving, TestServer } from "./fixtures/serve-app.js";

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

/** Hostile ones among many: of another rule, with code for the page, and with an image from another host. */
const FINDINGS = [
  ...[
    ["odd-1", 'hunter\u202e"><img src=x onerror=alert(1)>'],
    ["odd-2", "https://evil.example/a.png"],
    ["odd-3", PIXEL],
  ].map(([id = "", value = ""]) => ({
    ...{ id, value, rule: "odd <b>rule", length: value.length, stub: `[${id}]`, count: 1 },
    places: [{ where: "message 0", before: "<script>", after: "\u0007" }],
  })),
  ...passWords(2_000),
];

const encoder = new TextEncoder();

const writer = (mediaType: string, ending: string) => ({
  mediaType,
  ending,
  async *write(lines: ArchiveLines) {
    for await (const batch of lines) yield encoder.encode(`${batch.join("\n")}\n`);
  },
});

function serveShared() {
  const source = createInMemoryInspectorDataSource([
    { ...checkoutSession(), messages: [{ role: "user", content: "hunter2 and hunter3" }] },
  ]);
  const server = new TestServer(() => {
    const container = createInspectorContainer(source, { pool: new InProcessPool() });
    const writers = {
      html: writer("text/html; charset=utf-8", ".html"),
      prompt: writer("text/markdown; charset=utf-8", ".md"),
    };
    const parts = { partNamed, writers, writer: "1.0.0", now: Date.now };
    const useCase = new ExportSession(source, { ...parts, redaction: new KnownWords(FINDINGS) });
    container.register(TOKENS.exportSession, { useValue: useCase });
    const app = new Hono().route("/__inspector", createInspectorRoute(container));
    return app.route("/", createInspectorUi());
  });
  return Object.assign(serving(server), { source });
}

describeInBrowser("sharing", () => {
  const server = serveShared();
  const dialog = () => page.getByRole("dialog", { name: "Share" });
  const says = (text: string) => page.getByText(text).waitFor();

  it("saves a file without what was found, but for what the reader keeps", async () => {
    await server.open("#/s/shop/checkout/trace");
    await page.getByRole("treegrid").waitFor();
    await page.keyboard.press("Shift+S");
    await dialog().getByText("2,003 values are removed").waitFor();
    // A long list is folded, and comes in parts.
    await expect.poll(() => dialog().getByRole("listitem").count()).toBe(0);
    await button(/pass word 2,000 values/).click();
    await expect.poll(() => dialog().getByRole("listitem").count()).toBe(50);
    await page.getByRole("checkbox", { name: "Remove all of: pass word" }).uncheck();
    await page.getByRole("checkbox", { name: "Remove pass-word-2", exact: true }).check();
    await dialog().getByText("4 values are removed, 1,999 stay").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), button("Download").click()]);
    expect(download.suggestedFilename()).toBe("session.html");
    const text = await readFile(await download.path(), "utf8");
    expect(text).toContain("[pass word 2] and hunter3");
    expect(text).toMatch(/\{"end":.*\}\n$/);
  });

  it("shows findings as what they are, and nothing of them runs or is loaded", async () => {
    await server.open("#/s/shop/checkout/trace");
    await page.getByRole("treegrid").waitFor();
    await page.keyboard.press("Shift+S");
    await button(/odd <b>rule 3 values/).click();
    await expect.poll(() => page.getByRole("img", { name: "Image odd-3" }).getAttribute("src")).toBe(PIXEL);
    await expect.poll(() => dialog().getByRole("img").count()).toBe(1);
    await expect.poll(() => dialog().getByText("alert(1)").count()).toBe(0);
    await button("Show odd-1").click();
    await dialog().getByText('hunter\\u{202e}"><img src=x onerror=alert(1)>').waitFor();
    await findNothing();
  });

  it("looks again where the session has changed since the review", async () => {
    await server.open("#/s/shop/checkout/trace");
    await page.getByRole("treegrid").waitFor();
    await page.keyboard.press("Shift+S");
    await page.getByRole("checkbox", { name: "Remove all of: pass word" }).uncheck();
    await server.source.sessionStore.appendMessages({ tenantId: "shop", sessionId: "checkout" }, [
      { role: "user", content: "more" },
    ]);
    await button("Download").click();
    await page.getByRole("alert").getByText("The session has changed since").waitFor();
    await dialog().getByText("2,003 values are removed").waitFor();
  });

  it("leaves secrets in only for who says so twice", async () => {
    await server.open("#/s/shop/checkout/trace");
    await page.getByRole("treegrid").waitFor();
    await page.keyboard.press("Shift+S");
    await page.getByRole("radio", { name: "Do not check for secrets" }).check();
    await expect.poll(() => button("Download with all content").isDisabled()).toBe(true);
    await page.getByRole("checkbox", { name: /I know the content of this session/ }).check();
    const asked = page.waitForRequest(/export/);
    await button("Download with all content").click();
    const { searchParams } = new URL((await asked).url());
    expect(searchParams.get("redact")).toBe("none");
  });

  it("copies a step for an agent, and says how many values were removed", async () => {
    await server.open("#/s/shop/checkout/trace");
    await page.getByRole("row", { name: /Bash npm test -- checkout ✕ FAIL/ }).click();
    const asked = page.waitForRequest(/export/);
    await button("Copy for an agent").click();
    await says("Copied for an agent.");
    const { searchParams } = new URL((await asked).url());
    expect(searchParams.get("only")).toMatch(/^step:./);
    await expect.poll(clipboard).toContain('{"archive":');
    await page.keyboard.press("Escape");
    await page.route("**/export?*", (route) => route.fulfill({ status: 503, body: "" }));
    await page.keyboard.press("y");
    await says("No prompt was copied: HTTP 503");
    await page.unroute("**/export?*");
  });
});
