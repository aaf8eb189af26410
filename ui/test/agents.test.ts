import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { details, nodeCount, selectedRow, settled } from "./browser/page.js";
import { checkoutSession, crowdedSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the agents of a session", () => {
  const server = serveHistories([checkoutSession(), crowdedSession()]);

  const open = async (session: string, width = 1440, query = "") => {
    await server.open(`#/s/${session}/agents${query}`, { width, height: 900 });
  };
  const table = () => page.getByRole("grid", { name: "What each agent was asked and answered" });
  const graph = () => page.getByRole("region", { name: "Orchestration graph" });
  const shape = (name: string) => page.getByRole("button", { name, exact: true });

  it("have a table where they are few: what was asked and answered, and what it took, at any width", async () => {
    await open("shop/checkout", 390);
    const row = table().getByRole("row", { name: /rounding in the tax module/ });
    for (const width of [390, 1024, 1920]) {
      await page.setViewportSize({ width, height: 900 });
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
      await expect.poll(() => row.getByRole("gridcell").nth(5).textContent()).toBe("2");
      await settled();
      const overflow = () => table().evaluate((element) => element.scrollWidth - element.clientWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
    }
  });

  it("lead to their steps in the trace, and to all that was asked", async () => {
    await open("shop/checkout");
    await table().getByRole("link", { name: "Look into who calls total() and report back." }).click();
    await details().getByText("3 tool calls, 3 model calls").waitFor();
    await page.keyboard.press("Escape");
    await details().waitFor({ state: "detached" });
    await table().getByRole("link", { name: "who calls total()", exact: true }).click();
    await selectedRow().filter({ hasText: "who calls total()" }).waitFor();
  });

  it("have a graph or a table as one likes, and the address says so", async () => {
    await open("shop/checkout");
    await table().waitFor();
    await shape("Graph").click();
    await graph().waitFor();
    await expect.poll(() => page.url()).toContain("shape=graph");
    await shape("Table").click();
    await table().waitFor();
    await expect.poll(() => page.url()).not.toContain("shape=");
    await open("labs/crowd");
    await graph().waitFor();
    await shape("Table").click();
    await table()
      .getByRole("row", { name: /module 3 / })
      .waitFor();
    await settled();
    await expect.poll(nodeCount).toBeLessThanOrEqual(1200);
    await table().focus();
    await table().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await table().getByText("module 499").first().waitFor();
  });
});
