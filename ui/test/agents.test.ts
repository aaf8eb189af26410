import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { details, query, row } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { manyAgentsSession } from "./fixtures/many-agents.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the agents of a session", () => {
  const server = serveHistories([checkoutSession(), manyAgentsSession(2400)]);

  const open = (session: string, parameters = "", width = 1440) =>
    server.open(`#/s/${session}/agents${parameters}`, { width, height: 900 });
  const table = () => page.locator('[role="treegrid"][aria-busy="false"]');
  const lines = async () => Number(await table().getAttribute("aria-rowcount")) - 1;
  const drawn = () => page.locator('[role="rowgroup"] [role="row"]').count();
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  it("have a line and a lane each, of which only those on the screen are drawn", async () => {
    await open("labs/agents-2400");
    await row(/^− Main agent .*4,800 26.4M .*3d 17h/).waitFor();
    await expect.poll(lines).toBe(2401);
    const lane = row(/lead package-1 /).locator("svg path");
    await expect.poll(() => lane.count()).toBeGreaterThan(3);
    await expect.poll(drawn).toBeLessThan(60);
    await table().evaluate((one) => one.scrollTo(0, one.scrollHeight));
    await row(/coder package-399 /).waitFor();
    await expect.poll(drawn).toBeLessThan(60);
  });

  it("have a graph where it can be read, and say why there is none elsewhere", async () => {
    await open("labs/agents-2400", "?shape=graph");
    await table().waitFor();
    const reason = await button("Graph").getAttribute("aria-description");
    expect(reason).toContain("This session has 2,400");
    await open("shop/checkout", "", 390);
    await row(/rounding in the tax module/).click();
    await details().getByText("The sub-agent ran out of turns.").waitFor();
    await button("Graph").click();
    await page.getByRole("region", { name: "Orchestration graph" }).waitFor();
    expect(query().get("shape")).toBe("graph");
  });
});
