import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { settled } from "./browser/settled.js";
import { checkoutSession, crowdedSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the agents of a session", (visitor) => {
  let server: Served;
  let page: Page;

  beforeAll(async () => {
    server = await serveHistories([checkoutSession(), crowdedSession()]);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const open = async (session: string, width = 1440, query = "") => {
    page = await visitor.open(`${server.address}/#/s/${session}/agents${query}`, {
      viewport: { width, height: 900 },
    });
  };
  const table = () => page.getByRole("grid", { name: "What each agent was asked and answered" });
  const graph = () => page.getByRole("region", { name: "Orchestration graph" });
  const shape = (name: string) => page.getByRole("button", { name, exact: true });

  for (const width of [390, 1024, 1920]) {
    it(`have a table where they are few: what was asked and answered, and what it took, at ${width}`, async () => {
      await open("shop/checkout", width);
      const row = table().getByRole("row", { name: /rounding in the tax module/ });
      for (const text of [
        "Look into rounding in the tax module and report back.",
        "The sub-agent ran out of turns.",
        "failed",
        "claude-haiku-4-5",
        "5.6k",
        "2.40s",
      ]) {
        await row.getByText(text).waitFor();
      }
      expect(await row.getByRole("gridcell").nth(5).textContent()).toBe("2");
      const overflow = await table().evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }

  it("lead to their steps in the trace, and to all that was asked", async () => {
    await open("shop/checkout");
    await table().getByRole("link", { name: "Look into who calls total() and report back." }).click();
    const details = page.getByRole("complementary");
    await details.getByText("3 tool calls, 3 model calls").waitFor();
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await table().getByRole("link", { name: "who calls total()", exact: true }).click();
    await page.locator('[role="row"][aria-selected="true"]', { hasText: "who calls total()" }).waitFor();
  });

  it("have a graph or a table as one likes, and the address says so", async () => {
    await open("shop/checkout");
    await table().waitFor();
    await shape("Graph").click();
    await graph().waitFor();
    await expect.poll(() => page.url()).toContain("shape=graph");
    await shape("Table").click();
    await table().waitFor();
    expect(page.url()).not.toContain("shape=");
    await page.context().close();
    await open("labs/crowd");
    await graph().waitFor();
    await shape("Table").click();
    await table()
      .getByRole("row", { name: /module 3 / })
      .waitFor();
    await settled(page);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(1200);
    await table().focus();
    await table().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await table().getByText("module 499").first().waitFor();
  });
});
