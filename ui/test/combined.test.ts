import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { settled } from "./browser/settled.js";
import { combinedHistories } from "./fixtures/combined.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories, serveSource, type TestServer } from "./fixtures/serve-app.js";

describeInBrowser("the histories of several sources", (visitor) => {
  let server: TestServer;
  let page: Page;
  beforeAll(async () => {
    server = await serveSource(combinedHistories());
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const open = async (hash: string, width = 1280) => {
    page = await visitor.open(`${server.address}/${hash}`, { viewport: { width, height: 800 } });
    await page.locator("[role=row] a").first().waitFor();
    await settled(page);
  };
  const column = (name: string) => page.locator(`[role=gridcell][data-column=${name}]`);

  it("are one list, in which each session names its source and its project's folder", async () => {
    await open("#/?sort=source");
    expect(await page.getByRole("alert").textContent()).toContain("Broken could not be read.");
    const row = page.getByRole("row").filter({ hasText: "Apples" }).first();
    const cells = row.getByRole("gridcell");
    expect(await cells.nth(2).textContent()).toBe("Claude Code");
    expect(await cells.nth(3).textContent()).toBe("shop");
    expect(await cells.nth(3).getAttribute("title")).toBe("/home/ada/shop");
  });

  it("are narrowed to one source, which the address names", async () => {
    await open("#/");
    await page.getByRole("combobox", { name: "Source" }).selectOption("Claude Code");
    await page.waitForURL(/source=Claude\+Code/);
    await expect
      .poll(async () => [...new Set(await column("source").allTextContents())])
      .toEqual(["Claude Code"]);
    await page.getByRole("combobox", { name: "Source" }).selectOption("");
    await expect.poll(() => column("source").allTextContents()).toContain("Shop agent");
  });

  it("lead to a session that names its source, and its tenant in the address as it is", async () => {
    await open("#/?q=apples&source=claude-code");
    await page.getByRole("row").filter({ hasText: "Apples" }).getByRole("link").first().click();
    await page.waitForURL(/#\/s\/claude-code%3Ashop\//);
    const header = page.getByRole("region", { name: "Session" });
    await header.getByText("Claude Code").waitFor();
    await header.getByText("/home/ada/shop").waitFor();
    expect(await page.getByRole("navigation").first().textContent()).toContain("/shop");
  });

  it.each([390, 800, 900, 1280])("fit into %d pixels", async (width) => {
    await open("#/", width);
    const overflow = await page.evaluate(() => {
      const table = document.querySelector("[role=grid]")!;
      return Math.max(
        table.scrollWidth - table.clientWidth,
        document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
    });
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await column("source").first().isVisible()).toBe(true);
    expect(await page.getByRole("combobox", { name: "Source" }).isVisible()).toBe(true);
  });

  it("show neither column nor filter where there is one source", async () => {
    const alone = await serveHistories([checkoutSession()]);
    page = await visitor.open(`${alone.address}/#/`);
    await page.locator("[role=row] a").first().waitFor();
    expect(await column("source").count()).toBe(0);
    expect(await page.getByRole("combobox", { name: "Source" }).count()).toBe(0);
    await alone.stop();
  });
});
