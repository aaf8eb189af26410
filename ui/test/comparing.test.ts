import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { hash, overflow, settled } from "./browser/page.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

const BOTH = "#/compare/shop/good/shop/bad";

describeInBrowser("comparing two sessions", () => {
  const server = serveHistories([...comparedRuns(), ...manySessions(30)]);

  const at = (hash: string, options = {}) => server.open(hash, options);
  const difference = () => page.getByRole("region", { name: "First divergence" });
  const cells = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) }).getByRole("cell");

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

  it("is begun by a key, and finds the other one by its title", async () => {
    await at("#/s/shop/good/trace");
    await page
      .getByRole("row", { name: /npm test/ })
      .first()
      .waitFor();
    await page.keyboard.press("c");
    await page.getByRole("searchbox").fill("the bad");
    const choices = page.getByRole("list", { name: "Sessions to compare with" }).getByRole("listitem");
    await expect.poll(() => choices.count()).toBe(1);
    await page.getByRole("searchbox").fill("nothing has this");
    await page.getByText("No session matches.").waitFor();
  });

  it("shows where two runs part, with both texts, and leads to both rows", async () => {
    await at(BOTH);
    await difference().getByText("A tool is called with something else").waitFor();
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

  it("shows facts, tools and files side by side", async () => {
    await at(BOTH);
    await difference().waitFor();
    await expect.poll(() => cells("Tool calls").allTextContents()).toEqual(["6", "13"]);
    await expect.poll(() => cells("Bash").allTextContents()).toEqual(["5", "12 9 failed"]);
    await expect.poll(() => cells("src/cart/total\\.ts").allTextContents()).toEqual(["1", "0"]);
  });

  it("draws both contexts on one axis, of calls or of time, which the address keeps", async () => {
    await at(BOTH);
    const curves = page.getByRole("region", { name: "Context at each model call" });
    await curves
      .getByRole("slider", { name: /A: up to \d.*k tokens, 7 calls.*B: up to \d.*k tokens, 14 calls/ })
      .waitFor();
    await curves.getByRole("button", { name: "By time" }).click();
    await expect.poll(hash).toBe(`${BOTH}?axis=time`);
    await expect
      .poll(() => curves.getByRole("button", { name: "By time" }).getAttribute("aria-pressed"))
      .toBe("true");
    await page.getByRole("link", { name: "Swap" }).click();
    await page.getByRole("slider", { name: /A: up to \d.*k tokens, 14 calls/ }).waitFor();
  });

  it("sets one session against a group, to which sessions are added", async () => {
    await at("#/compare/shop/good");
    const choices = page.getByRole("list", { name: "Sessions to compare with" }).getByRole("listitem");
    await choices
      .first()
      .getByText(/^\d+ % similar$/)
      .waitFor();
    await choices.first().getByRole("button", { name: "Add Mend the cart, the bad run" }).click();
    await page.getByRole("searchbox").press("ArrowDown");
    await page.keyboard.press("Enter");
    const table = page.getByRole("region", { name: "Metrics of all sessions" });
    await page.locator('[role="region"][aria-busy="false"]').waitFor();
    await expect
      .poll(() =>
        table
          .getByRole("row", { name: /^First divergence/ })
          .getByRole("cell")
          .nth(1)
          .textContent(),
      )
      .toBe("5");
    await expect
      .poll(() =>
        table
          .getByRole("row", { name: /^Tool calls/ })
          .getByRole("cell")
          .first()
          .textContent(),
      )
      .toBe("6");
    await expect.poll(hash).toMatch(/^#\/compare\/shop\/good\/shop\/bad\/[^/]+\/[^/]+$/);
    await table.getByRole("link", { name: "Mend the cart, the bad run", exact: true }).click();
    await difference().waitFor();
    await expect.poll(hash).toBe(BOTH);
  });

  it("says that a session does not differ from itself", async () => {
    await at("#/compare/shop/good/shop/good");
    await page.getByRole("heading", { name: "Both conversations say the same" }).waitFor();
  });

  it("says which session is not there", async () => {
    await at("#/compare/shop/good/shop/nobody");
    await page.getByText("There is no such session").waitFor();
    await page.getByText('There is no session "nobody"').waitFor();
  });

  it("fits on a phone", async () => {
    await at(BOTH, { width: 390, height: 844 });
    await difference().waitFor();
    await settled();
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
});
