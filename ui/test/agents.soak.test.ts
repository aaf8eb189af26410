import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { details, query, row, selectedRow } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { manyAgentsSession } from "./fixtures/many-agents.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the agents of a session, in further states", () => {
  const server = serveHistories([checkoutSession(), manyAgentsSession(2400)]);

  const open = (session: string, parameters = "", width = 1440) =>
    server.open(`#/s/${session}/agents${parameters}`, { width, height: 900 });
  const table = () => page.locator('[role="treegrid"][aria-busy="false"]');
  const lines = async () => Number(await table().getAttribute("aria-rowcount")) - 1;
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  it("are sorted, filtered and grouped by the address, and by what one clicks", async () => {
    await open("labs/agents-2400", "?filter=role%3Aplanner+state%3Afailed&layout=flat&sort=-cost");
    await expect.poll(lines).toBe(1);
    await row(/planner package-40/).waitFor();
    const filter = page.getByRole("searchbox", { name: "Filter agents" });
    await filter.fill("role:lead");
    await expect.poll(lines).toBe(7);
    await button("Duration").click();
    await expect.poll(() => query().get("sort")).toBe("-duration");
    await page
      .getByRole("columnheader", { name: "Duration" })
      .and(page.locator('[aria-sort="descending"]'))
      .waitFor();
    await filter.fill("");
    await button("By role").click();
    await expect.poll(lines).toBe(5);
    await row(/^\+ tester 2,001 agents 4,002/).waitFor();
    expect(Object.fromEntries(query())).toEqual({ layout: "roles", sort: "-duration" });
  });

  it("are selected by the address, by whom others waited for, and by the keys", async () => {
    await open("labs/agents-2400", "?agent=package-2000");
    await selectedRow().filter({ hasText: "package-2000" }).waitFor();
    await details().getByText("Port package 2000, drop what is not used.").waitFor();
    await page
      .getByText(/^42 agents waited 1d 0h for/)
      .getByRole("button")
      .click();
    await details().getByRole("heading", { name: "coder package-98" }).waitFor();
    await selectedRow().filter({ hasText: "package-98" }).waitFor();
    await page.keyboard.press("Escape");
    await details().waitFor({ state: "detached" });
    await table().focus();
    await page.keyboard.press("h");
    await row(/^\+ coder package-98/).waitFor();
    await expect.poll(lines).toBe(2394);
    await page.keyboard.press("Home");
    await page.keyboard.press("j");
    await selectedRow().filter({ hasText: "lead package-1" }).waitFor();
    await page.keyboard.press("Enter");
    await details().getByRole("link", { name: "Show in trace" }).waitFor();
    expect(query().get("agent")).toBe("package-1");
  });
});
