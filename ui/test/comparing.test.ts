import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { hash, isFocused } from "./browser/page.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

const BOTH = "#/compare/shop/good/shop/bad";

describeInBrowser("comparing two sessions", () => {
  const server = serveHistories([...comparedRuns(), ...manySessions(30)]);

  const at = (hash: string, options = {}) => server.open(hash, options);
  const difference = () => page.getByRole("region", { name: "First divergence" });

  it("begins at a session, and offers those that are like it first", async () => {
    await at("#/s/shop/good/trace");
    await page.getByRole("link", { name: "Compare", exact: true }).click();
    const choices = page.getByRole("list", { name: "Sessions to compare with" }).getByRole("listitem");
    await choices.first().getByText("same project").waitFor();
    await expect
      .poll(() => choices.first().getByRole("link").textContent())
      .toBe("Mend the cart, the bad run");
    await choices.first().getByRole("link").click();
    await difference().waitFor();
    await expect.poll(hash).toBe(BOTH);
    await page.goBack();
    await choices.first().waitFor();
  });

  it("keeps the keys in what it offers where that is narrowed behind them", async () => {
    await at("#/compare/shop/good", { context: {}, engineDelay: 100 });
    const choices = page.getByRole("list", { name: "Sessions to compare with" }).getByRole("link");
    await choices.nth(5).waitFor();
    await page.getByRole("searchbox").fill("Task 7");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => choices.count()).toBe(1);
    await expect.poll(() => isFocused(choices.first())).toBe(true);
  });

  it("shows where two runs part, with both texts, and leads to both rows", async () => {
    await at(BOTH);
    await difference().getByText("Different tool input").waitFor();
    await expect
      .poll(() => difference().locator("del").allTextContents())
      .toEqual(['  "file_path": "src/cart/total.ts",\n']);
    await expect
      .poll(() => difference().locator("ins").allTextContents())
      .toEqual(['  "file_path": "src/cart/<b>totals</b>.ts",\n']);
    await expect
      .poll(() =>
        difference()
          .getByText(/From there on:/)
          .count(),
      )
      .toBe(2);
    await difference().getByRole("link", { name: "Show in trace" }).last().click();
    await page.getByRole("row", { name: /Read/, selected: true }).waitFor();
    await expect.poll(() => page.url()).toContain("#/s/shop/bad/trace");
    await page.goBack();
    await difference().getByRole("link", { name: "Show in messages" }).first().click();
    await page.getByText("src/cart/total.ts").first().waitFor();
    await expect.poll(() => page.url()).toContain("#/s/shop/good/messages?at=7");
  });

  it("lines the steps of both up, and goes from divergence to divergence by keys and by what cost most", async () => {
    await at(BOTH);
    const steps = page.getByRole("region", { name: "Steps" });
    const lines = steps.getByRole("table").getByRole("row");
    await steps.getByText("4 equal · 4 changed · 7 only in B").waitFor();
    await steps.getByText("5 divergences").waitFor();
    const fold = steps.getByRole("button", { name: "4 equal steps" });
    await expect.poll(() => fold.getAttribute("aria-expanded")).toBe("false");
    await fold.click();
    await lines.filter({ hasText: "git log" }).waitFor();
    await page.keyboard.press("n");
    await steps.getByText("1 of 5").waitFor();
    const current = steps.locator('[role="row"][aria-current="true"]');
    await expect.poll(() => current.locator("del").first().textContent()).toBe("total");
    await expect.poll(() => current.locator("ins").first().textContent()).toBe("<b>totals</b>");
    for (const key of ["j", "N"]) await page.keyboard.press(key);
    await expect.poll(hash).toBe(`${BOTH}?at=1`);
    await steps.getByRole("button", { name: "Time", exact: true }).click();
    await steps.getByRole("list", { name: "Largest differences" }).getByRole("button").first().click();
    await steps.getByText("4 of 5").waitFor();
    await current
      .first()
      .getByRole("link", { name: /^Step \d+ of B$/ })
      .click();
    await expect.poll(hash).toContain("#/s/shop/bad/trace?event=");
  });

  it("says which session is not there", async () => {
    await at("#/compare/shop/good/shop/nobody");
    await page.getByText("There is no such session").waitFor();
    await page.getByText('There is no session "nobody"').waitFor();
  });
});
