import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, go, hash, wholeTrace } from "./browser/page.js";
import { checkoutSession, runningSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { SessionWriter } from "./fixtures/session-writer.js";

const SUMMARY = "#/s/shop/checkout/summary";

describeInBrowser("the summary of a session", () => {
  const server = serveHistories([checkoutSession(), silentSession(), runningSession(3)]);

  const at = (hash: string) => server.open(hash);

  it("is a key away, and says what filled the context, the largest part first", async () => {
    await at("#/s/shop/checkout/trace");
    await wholeTrace().waitFor();
    await page.keyboard.press("5");
    const table = page.getByRole("table", { name: "Context usage" });
    await table.waitFor();
    await table.locator("tbody tr").first().getByText("System prompt and tools").waitFor();
    const read = await table.locator("tbody tr:not(:first-child) td:nth-child(4)").allTextContents();
    const tokens = read.map(tokensIn);
    expect(tokens.length).toBeGreaterThan(3);
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a));
  });

  it("begins with what went wrong, by cause, each of which leads to its first place, and moves nothing while it comes", async () => {
    await at(SUMMARY);
    const wrong = page.getByRole("region", { name: "What went wrong" });
    await wrong.getByText("4 errors, 4 causes").waitFor();
    await page.getByRole("table", { name: "Context usage" }).waitFor();
    const titles = await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
    expect(titles.slice(0, 4)).toEqual([
      "What went wrong",
      "Cost breakdown",
      "Context usage",
      "Time breakdown",
    ]);
    await expect.poll(() => page.evaluate(shiftsIn, "main")).toBeLessThanOrEqual(0.02);
    await wrong.getByRole("link", { name: /^Bash/ }).first().click();
    await button("Close details").waitFor();
    await expect.poll(() => page.url()).toContain("/trace?event=");
    await go("#/s/shop/silent/summary");
    await wrong.getByText("Nothing failed").waitFor();
  });

  it("is what a finished session opens with, and back leads to the list at once", async () => {
    await at("#/");
    await page.getByRole("link", { name: "Make the checkout tests pass" }).click();
    await page.getByRole("table", { name: "Context usage" }).waitFor();
    await expect.poll(hash).toBe(SUMMARY);
    await page.goBack();
    await page.getByRole("grid", { name: "Sessions" }).waitFor();
    await go("#/s/shop/checkout");
    await page.getByRole("table", { name: "Context usage" }).waitFor();
    await expect.poll(hash).toBe(SUMMARY);
  });

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
    // Once, also while its agents are still asked for.
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

/** A session in which a tool was called, and no model. */
function silentSession() {
  const writer = new SessionWriter(
    { sessionId: "silent", tenantId: "shop", userId: "ada", title: "A script" },
    Date.UTC(2026, 0, 5, 9),
  );
  writer.event("tool.start", { toolCallId: "t1", toolName: "Bash", input: { command: "ls" } });
  writer.event("tool.end", { toolCallId: "t1", toolName: "Bash", output: "cart.ts" });
  return writer.session();
}

/** How far what is in a part of the page has moved by itself so far: the sum of its layout shifts. */
async function shiftsIn(within: string): Promise<number> {
  const part = document.querySelector(within);
  return await new Promise((resolve) => {
    new PerformanceObserver((list) => {
      let sum = 0;
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[])
        if (entry.sources.some(({ node }) => node !== null && part?.contains(node))) sum += entry.value;
      resolve(sum);
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(0), 100);
  });
}

/** What a browser tells of a shift: https://wicg.github.io/layout-instability/ */
interface LayoutShift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** @example tokensIn("≈1.2k") // 1200 */
function tokensIn(text: string): number {
  const scale = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
  return Number.parseFloat(text.replace("≈", "")) * scale;
}
