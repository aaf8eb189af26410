import { expect, it } from "vitest";
import { describeInBrowser, open as openAddress, page } from "./browser/browser.js";
import { button, details, lineCount, row, selectedRow, settled, wholeTrace } from "./browser/page.js";
import { hookedSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the tree of a trace", () => {
  const server = serveHistories([hookedSession()]);

  const open = async (query = "", viewport = { width: 1440, height: 900 }) => {
    await server.open(`#/s/labs/hooked/trace${query}`, viewport);
    await wholeTrace().waitFor();
    await settled();
  };
  const hooks = () => row(/app\.hook\b(?!-)/);
  const steps = () =>
    page.locator('[role="row"] b').evaluateAll((all) => all.map(({ textContent }) => textContent));

  it("counts bookkeeping at its step, red where a hook failed, and shows it when asked, as the address says", async () => {
    await open();
    const all = await lineCount();
    const count = row(/Tool call Edit/).getByText("3 hooks, 1 failed");
    const colour = (text: typeof count) => text.evaluate((element) => getComputedStyle(element).color);
    await expect.poll(() => colour(count)).not.toBe(await colour(row(/Tool call Bash/).getByText("1 hook")));
    await expect.poll(() => hooks().count()).toBe(0);
    await button("Hooks & system events 6").click();
    await expect.poll(() => hooks().count()).toBe(3);
    await expect.poll(lineCount).toBe(all + 6);
    await page.reload();
    await expect.poll(() => hooks().count()).toBe(3);
    await row(/Edit src/)
      .getByRole("button", { name: "−" })
      .click();
    await expect.poll(() => hooks().count()).toBe(1);
  });

  it("never unfolds bookkeeping: not by a zoom, a filter, or all at once; what looks folded is", async () => {
    const noon = Date.UTC(2026, 0, 15, 12);
    await open(`?from=0&to=${noon}`);
    const progress = row(/3 × app\.progress/);
    await expect.poll(() => progress.getAttribute("aria-expanded")).toBe("false");
    await expect.poll(() => row(/^\S* ?app\.progress/).count()).toBe(0);
    await expect.poll(() => hooks().count()).toBe(0);
    await page.keyboard.press("L");
    await expect.poll(() => progress.getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => hooks().count()).toBe(0);
  });

  it("lists it in the details of its step, and opens the one that is chosen or that an address names", async () => {
    await open();
    await row(/Tool call Edit/).click();
    await details()
      .getByRole("button", { name: /Run the tests first/ })
      .click();
    await selectedRow().filter({ hasText: "app.hook-failed" }).waitFor();
    const address = page.url();
    await page.keyboard.press("k");
    await expect.poll(() => row(/app\.hook-failed/).count()).toBe(0);
    await openAddress(address);
    await selectedRow().filter({ hasText: "app.hook-failed" }).waitFor();
    await details().getByRole("button", { name: "Edit ›" }).waitFor();
  });

  it("leads a search and the next error to a record of it", async () => {
    await open("?hit=7.other&kind=text");
    await selectedRow().filter({ hasText: "check 7" }).waitFor();
    await open();
    await page.keyboard.press("e");
    await selectedRow().filter({ hasText: "Run the tests first." }).waitFor();
  });

  it("keeps the prompt of each turn, whether all is folded or unfolded", async () => {
    await open();
    const prompt = row(/Turn/).first().getByText("Make it two, and say");
    for (const key of ["H", "L"]) {
      await page.keyboard.press(key);
      await settled();
      await expect
        .poll(() => prompt.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
        .toBe(0);
    }
  });

  it("folds idle time in the overview as in the waterfall", async () => {
    await open();
    const strip = page.getByRole("slider", { name: /Overview of the session/ });
    await expect.poll(() => strip.locator("rect").count()).toBe(1);
    const curve = await strip.locator("path").getAttribute("d");
    await button("Collapse idle").click();
    await expect.poll(() => strip.locator("rect").count()).toBe(0);
    await expect.poll(() => strip.locator("path").getAttribute("d")).not.toBe(curve);
  });

  it("is a list of calls while it is sorted by a column, and the tree after a third click", async () => {
    await open();
    const header = (name: string) => page.getByRole("columnheader", { name });
    const tree = await steps();
    await button(/^Duration/).click();
    await expect.poll(() => header("Duration").getAttribute("aria-sort")).toBe("descending");
    await expect.poll(async () => (await steps()).slice(2)).toEqual(["Read", "Bash", "Edit"]);
    await expect.poll(() => page.url()).toContain("order=-duration");
    await page.reload();
    await expect.poll(() => header("Duration").getAttribute("aria-sort")).toBe("descending");
    await button(/^Duration/).focus();
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await steps())[0]).toBe("Edit");
    await expect.poll(() => header("Duration").getAttribute("aria-sort")).toBe("ascending");
    await page.keyboard.press("Enter");
    await expect.poll(steps).toEqual(tree);
    await button(/^Added/).click();
    await button(/^Tool/).click();
    await expect.poll(steps).toEqual(["Read", "Bash", "Edit"]);
  });

  it("shows one kind by a click, and hides one by Alt-click or Alt Enter, as the address says", async () => {
    await open();
    const tool = button(/^Tool/);
    const model = button(/^Model/);
    await tool.click();
    await expect.poll(async () => (await steps()).includes("claude-sonnet-4-5")).toBe(false);
    await model.click();
    await expect.poll(() => tool.getAttribute("aria-pressed")).toBe("false");
    await expect.poll(async () => (await steps()).includes("Edit")).toBe(false);
    await model.click();
    await expect.poll(async () => (await steps()).includes("Edit")).toBe(true);
    await tool.click({ modifiers: ["Alt"] });
    await expect.poll(async () => (await steps()).includes("Edit")).toBe(false);
    await expect.poll(steps).toContain("claude-sonnet-4-5");
    await page.reload();
    await button(/^Tool.*hidden/).focus();
    await expect.poll(steps).not.toContain("Edit");
    await page.keyboard.press("Alt+Enter");
    await expect.poll(async () => (await steps()).includes("Edit")).toBe(true);
    await expect.poll(() => page.url()).not.toContain("hide=");
  });

  it("says how many lines an edit changed, and what the signs of its figures mean", async () => {
    await open();
    await row(/Tool call Edit/)
      .getByText("+2")
      .waitFor();
    await expect
      .poll(() =>
        row(/Tool call Edit/)
          .locator('[data-tip="2 lines added, 1 removed"]')
          .textContent(),
      )
      .toBe("+2 −12 lines added, 1 removed");
    await expect
      .poll(() =>
        row(/Tool call Read/)
          .getByText(/^\+\d/)
          .count(),
      )
      .toBe(0);
    await row(/Tool call Bash/)
      .getByTitle(/^≈ Estimated/)
      .waitFor();
    await page.locator('[data-tip*="Active: "]').waitFor();
  });
});
