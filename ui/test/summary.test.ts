import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, go, hash, wholeTrace } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { silentSession } from "./fixtures/silent-session.js";

const SUMMARY = "#/s/shop/checkout/summary";

describeInBrowser("the summary of a session", () => {
  const server = serveHistories([checkoutSession(), silentSession()]);

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
});

/** Sum of the layout shifts in a part of the page. */
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

/** https://wicg.github.io/layout-instability/ */
interface LayoutShift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** @example tokensIn("≈1.2k") // 1200 */
function tokensIn(text: string): number {
  const scale = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
  return Number.parseFloat(text.replace("≈", "")) * scale;
}
