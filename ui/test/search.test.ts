import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import {
  details,
  markedTexts,
  query,
  searchField,
  searchHits,
  searchPosition,
  selectedRow,
  wholeTrace,
} from "./browser/page.js";
import { checkoutSession, hostileSession, longSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the search", () => {
  const server = serveHistories([
    checkoutSession(),
    hostileSession(),
    longSession(900),
    longSession(300, "shorter"),
    ...manySessions(60),
  ]);

  const done = () => page.getByText(/^64 of 64 sessions searched/).waitFor();

  it("finds contents while one types, opens a hit on its event, goes on by key, and is still there after going back", async () => {
    await server.open("#/");
    await page.getByText("64 sessions").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("exit code that nobody has");
    await page.getByText("No match", { exact: true }).waitFor();
    await searchField().fill("rounding");
    await page.getByRole("link", { name: "Make the checkout tests pass" }).waitFor();
    await done();
    await expect.poll(() => query().get("q")).toBe("rounding");
    const [first] = await searchHits().all();
    await expect.poll(() => first!.locator("mark").textContent()).toMatch(/rounding/i);
    await first!.click();
    await wholeTrace().waitFor();
    await selectedRow().waitFor();
    await details().getByText("rounding in the tax module").first().waitFor();
    await expect.poll(markedTexts).toContain("details: rounding");
    await searchPosition()
      .getByText(/^1 of \d+$/)
      .waitFor();
    const before = query().get("hit");
    await page.keyboard.press("n");
    await searchPosition()
      .getByText(/^2 of \d+$/)
      .waitFor();
    await expect.poll(() => query().get("hit")).not.toBe(before);
    await page.keyboard.press("N");
    await searchPosition()
      .getByText(/^1 of \d+$/)
      .waitFor();
    await page.goBack();
    await searchHits().first().waitFor();
    await expect.poll(() => searchField().inputValue()).toBe("rounding");
    await expect.poll(() => searchHits().first().getAttribute("aria-current")).toBe("true");
  });

  it("searches sub-agents in a session, and keeps the search from tab to tab and after a reload", async () => {
    await server.open("#/s/shop/checkout/agents");
    await page.getByText("where totals are computed").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("needle3");
    await searchPosition().getByText("0 of 1", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await selectedRow().getByText("Grep").waitFor();
    await page.reload();
    await selectedRow().getByText("Grep").waitFor();
    await searchPosition().getByText("1 of 1", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    await page.getByRole("region", { name: "Conversation" }).waitFor();
    await expect.poll(() => searchField().inputValue()).toBe("needle3");
    await page.getByRole("link", { name: "Search all sessions" }).click();
    await done();
    await expect.poll(() => searchHits().count()).toBe(1);
  });

  it("goes to what is found by an Enter that is pressed before the search has begun", async () => {
    await server.open("#/s/shop/checkout/trace?q=rounding", { context: {}, engineDelay: 100 });
    await searchPosition()
      .getByText(/^0 of \d/)
      .waitFor();
    await page.keyboard.press("/");
    await searchField().fill("needle3");
    await page.keyboard.press("Enter");
    await searchPosition().getByText("1 of 1", { exact: true }).waitFor();
    await selectedRow().getByText("Grep").waitFor();
  });

  it("says what is wrong with a pattern", async () => {
    await server.open("#/?q=re:(");
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/regular expression/);
    await expect.poll(() => page.getByText("No match").count()).toBe(0);
  });

  it("shows what harms as text", async () => {
    await server.open("#/?q=onerror");
    await done();
    await searchHits().filter({ hasText: '<img src=x onerror="window.__harmed=1">' }).first().waitFor();
    await expect.poll(() => page.locator("main img, main script").count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("onerror");
    await page
      .getByRole("option")
      .filter({ has: page.locator("mark") })
      .first()
      .waitFor();
    await expect.poll(() => page.evaluate(() => "__harmed" in window)).toBe(false);
  });

  it("keeps what is chosen among the commands where sessions come in above it", async () => {
    await server.open("#/");
    await page.getByRole("row").nth(1).waitFor();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/sessions\?q=checkout/, (route) => isAnswered.then(() => route.continue()));
    await page.keyboard.press("Control+k");
    await page.keyboard.type("checkout");
    const hit = page.getByRole("option").filter({ has: page.locator("mark") });
    await hit.first().waitFor();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => hit.first().getAttribute("aria-selected")).toBe("true");
    answer();
    await page.getByRole("option", { name: "Make the checkout tests pass shop", exact: true }).waitFor();
    await expect.poll(() => hit.first().getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
  });
});
