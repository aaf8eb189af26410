import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, go, hash } from "./browser/page.js";
import { checkoutSession, runningSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { silentSession } from "./fixtures/silent-session.js";

const SUMMARY = "#/s/shop/checkout/summary";

describeInBrowser("the summary of a session, in further states", () => {
  const server = serveHistories([checkoutSession(), silentSession(), runningSession(3)]);

  const at = (hash: string) => server.open(hash);

  it("is not what a running session opens with, nor one that is not there", async () => {
    await at("#/");
    await page.getByRole("link", { name: "At work" }).click();
    await page.getByRole("treegrid").waitFor();
    await expect.poll(hash).toBe("#/s/labs/running/trace");
    await go("#/s/shop/nobody");
    await page.getByText("There is no such session").waitFor();
    await expect.poll(hash).toBe("#/s/shop/nobody/trace");
  });

  it("leads from a part of the context to its message", async () => {
    await at(SUMMARY);
    const table = page.getByRole("table", { name: "Context usage" });
    await table.locator("tbody tr").nth(1).getByRole("link").click();
    await page.getByRole("region", { name: "Conversation" }).waitFor();
    await expect.poll(() => page.url()).toMatch(/\/messages\?.*at=\d+/);
  });

  it("groups what filled the context by tool, file, agent and kind", async () => {
    await at(SUMMARY);
    const table = page.getByRole("table", { name: "Context usage" });
    await table.waitFor();
    await button("Kind").click();
    await table.getByText("System prompt and tools").waitFor();
    await page.getByRole("button", { name: "Tool", exact: true }).click();
    await table.getByText("Bash").first().waitFor();
    await expect.poll(hash).toBe(`${SUMMARY}?by=tools`);
    await go(`${SUMMARY}?by=origins&cost=none`);
    await page.getByRole("button", { name: "Kind", pressed: true }).waitFor();
    await page.getByRole("button", { name: "Model", pressed: true }).waitFor();
  });

  it("leads from a slow tool call to its row in the trace", async () => {
    await at(SUMMARY);
    const slowest = page.getByRole("region", { name: "Time breakdown" }).getByRole("link").first();
    await slowest.click();
    await button("Close details").waitFor();
    await expect.poll(() => page.url()).toContain("/trace?event=");
  });

  it("says what the dearest calls did, with the model beside it, each a link to its row", async () => {
    await at(SUMMARY);
    const money = page.getByRole("table", { name: "Cost breakdown" });
    await money.waitFor();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await money.getByRole("link", { name: /^→ / }).first().waitFor();
    await money.getByRole("link").first().click();
    await button("Close details").waitFor();
  });

  it("leads from a tool to its calls, and from the curve to a call", async () => {
    await at(SUMMARY);
    await page.getByRole("button", { name: "Tool", exact: true }).click();
    const table = page.getByRole("table", { name: "Context usage" });
    await table.getByRole("link", { name: "Bash", exact: true }).click();
    await page
      .getByRole("row", { name: /npm test/ })
      .first()
      .waitFor();
    await expect.poll(hash).toBe("#/s/shop/checkout/trace?tool=Bash");
    await page.goBack();
    await page.getByRole("link", { name: /^Context at each model call/ }).click();
    await button("Close details").waitFor();
    await expect.poll(() => page.url()).toContain("/trace?event=");
  });

  it("says that there is no such session where there is none", async () => {
    await at(SUMMARY);
    await page.route("**/orchestration?*", () => {});
    const asked = page.waitForRequest("**/orchestration?*");
    await go("#/s/shop/nobody/summary");
    await page.getByText("There is no such session").first().waitFor();
    // Once, also while requests for its agents run.
    await asked;
    await page.evaluate(async () => {
      for (let frame = 0; frame < 8; frame++) await new Promise(requestAnimationFrame);
    });
    await expect.poll(() => page.getByText("There is no such session").count()).toBe(1);
  });

  it("says that no model call is recorded where none is", async () => {
    await at("#/s/shop/silent/summary");
    await page.getByText("No model call is recorded").waitFor();
  });
});
