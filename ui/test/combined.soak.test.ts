import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { overflow, settled } from "./browser/page.js";
import { combinedHistories } from "./fixtures/combined.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories, serveSource } from "./fixtures/serve-app.js";

describeInBrowser("the histories of several sources", () => {
  const server = serveSource(combinedHistories);
  const alone = serveHistories([checkoutSession()]);

  const open = async (hash: string, width = 1280) => {
    await server.open(hash, { width, height: 800 });
    await page.locator("[role=row] a").first().waitFor();
    await settled();
  };
  const column = (name: string) => page.locator(`[role=gridcell][data-column=${name}]`);

  it("are one list, in which each session names its source and its project's folder", async () => {
    await open("#/?sort=source");
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("Broken could not be read.");
    const row = page.getByRole("row").filter({ hasText: "Apples" }).first();
    const cells = row.getByRole("gridcell");
    await expect.poll(() => cells.nth(2).textContent()).toBe("Claude Code");
    await expect.poll(() => cells.nth(3).textContent()).toBe("shop");
    await expect.poll(() => cells.nth(3).getAttribute("title")).toBe("/home/ada/shop");
  });

  it("are narrowed to one source, which the address names", async () => {
    await open("#/");
    await page.keyboard.press("f");
    await page.keyboard.type("source:cla");
    await page.getByRole("option", { name: "source:Claude Code" }).click();
    await page.waitForURL(/filter=source%3A%22Claude\+Code%22/);
    await expect
      .poll(async () => [...new Set(await column("source").allTextContents())])
      .toEqual(["Claude Code"]);
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await expect.poll(() => column("source").allTextContents()).toContain("Shop agent");
  });

  it("lead to a session that names its source, and its tenant in the address as it is", async () => {
    await open("#/?q=apples&filter=source:claude-code");
    await page.getByRole("row").filter({ hasText: "Apples" }).getByRole("link").first().click();
    await page.waitForURL(/#\/s\/claude-code%3Ashop\//);
    await page.getByRole("region", { name: "Session" }).getByRole("button", { name: "More" }).click();
    const header = page.getByRole("dialog", { name: "More about this session" });
    await header.getByText("Claude Code").waitFor();
    await header.getByText("/home/ada/shop").waitFor();
    await expect.poll(() => page.getByRole("navigation").first().textContent()).toContain("/shop");
  });

  it("fit into windows of any width", async () => {
    await open("#/");
    const table = page.getByRole("grid");
    for (const width of [390, 800, 900, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await settled();
      await expect
        .poll(() => table.evaluate((one) => one.scrollWidth - one.clientWidth))
        .toBeLessThanOrEqual(0);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
      await column("source").first().waitFor();
      await page.getByRole("combobox", { name: "Filter sessions" }).waitFor();
    }
  });

  it("show no column where there is one source", async () => {
    await alone.open("#/");
    await page.locator("[role=row] a").first().waitFor();
    await expect.poll(() => column("source").count()).toBe(0);
  });
});
