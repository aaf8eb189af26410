import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { hash, overflow, settled } from "./browser/page.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

const BOTH = "#/compare/shop/good/shop/bad";

describeInBrowser("comparing two sessions, in further states", () => {
  const server = serveHistories([...comparedRuns(), ...manySessions(30)]);

  const at = (hash: string, options = {}) => server.open(hash, options);
  const difference = () => page.getByRole("region", { name: "First divergence" });
  const cells = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) }).getByRole("cell");

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
      .getByText(/^\d+% similar$/)
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
    await page.getByRole("heading", { name: "Both conversations are equal" }).waitFor();
  });

  it("fits on a phone", async () => {
    await at(BOTH, { width: 390, height: 844 });
    await difference().waitFor();
    await settled();
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
});
