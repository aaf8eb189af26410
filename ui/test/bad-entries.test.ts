import { expect, it } from "vitest";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import { go } from "./browser/page.js";
import { nestedSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

const NOTE = "Displayed as recorded";

describeInBrowser("an entry that cannot be formatted", () => {
  const server = serveHistories([nestedSession()]);

  const entry = (text: string) => page.locator("article", { hasText: text });

  it("is shown as plain text where it is nested too deep, and the others as ever", async () => {
    await server.open("#/s/labs/nested/messages");
    await entry("very deep").locator("strong").waitFor();
    await expect.poll(() => page.locator("blockquote").count()).toBe(40);
    for (const text of [">".repeat(1000), "- ".repeat(1000)]) {
      await entry(text).getByText(NOTE).waitFor();
    }
    await entry("- - - -").getByRole("button", { name: "Show all" }).waitFor();
    await expect.poll(() => page.getByText(NOTE).count()).toBe(2);
    expect(errors.splice(0)).toEqual([]);
  });

  it("costs only itself where it fails", async () => {
    await server.open("#/");
    await page.route(/assets\/markdown-(?!nesting)/, (route) => route.abort());
    await go("#/s/labs/nested/messages");
    await entry("It is **very** deep.").getByText(NOTE).waitFor();
    await expect.poll(() => page.getByText(NOTE).count()).toBe(4);
    // A missing module is an error of the page, and is reported.
    expect(errors.splice(0)).not.toEqual([]);
  });
});
