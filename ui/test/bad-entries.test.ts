import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { nestedSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

const NOTE = "Shown as it was recorded";

describeInBrowser("an entry that cannot be formatted", (visitor) => {
  let server: Served;
  let page: Page;

  beforeAll(async () => {
    server = await serveHistories([nestedSession()]);
  });
  afterAll(() => server.stop());
  afterEach(() => page.context().close());

  const entry = (text: string) => page.locator("article", { hasText: text });

  it("is shown as plain text where it is nested too deep, and the others as ever", async () => {
    page = await visitor.open(`${server.address}/#/s/labs/nested/messages`);
    await entry("very deep").locator("strong").waitFor();
    expect(await page.locator("blockquote").count()).toBe(40);
    for (const text of [">".repeat(1000), "- ".repeat(1000)]) {
      await entry(text).getByText(NOTE).waitFor();
    }
    await entry("- - - -").getByRole("button", { name: "Show all" }).waitFor();
    expect(await page.getByText(NOTE).count()).toBe(2);
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  it("costs only itself where it fails", async () => {
    page = await visitor.open(server.address);
    await page.route(/assets\/markdown-(?!nesting)/, (route) => route.abort());
    await page.goto(`${server.address}/#/s/labs/nested/messages`);
    await entry("It is **very** deep.").getByText(NOTE).waitFor();
    expect(await page.getByText(NOTE).count()).toBe(4);
    // What cannot be loaded is an error of the page, and is reported as one.
    expect(visitor.errors.splice(0)).not.toEqual([]);
  });
});
