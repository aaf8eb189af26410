import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { details, markedTexts, query, selectedRow, wholeTrace } from "./browser/page.js";
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

  const at = async (hash: string, viewport = { width: 1280, height: 800 }) => {
    await server.open(hash, viewport);
  };
  const field = () => page.getByRole("searchbox");
  const results = () => page.getByRole("list", { name: "Search results" });
  const hits = () =>
    results()
      .getByRole("link")
      .filter({ has: page.locator("mark") });
  const done = () => page.getByText(/^64 of 64 sessions searched/).waitFor();
  const position = () => page.locator("search output");

  it("finds contents while one types, opens a hit on its event, goes on by key, and is still there after going back", async () => {
    await at("#/");
    await page.getByText("64 sessions").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("exit code that nobody has");
    await page.getByText("Nothing found", { exact: true }).waitFor();
    await field().fill("rounding");
    await page.getByRole("link", { name: "Make the checkout tests pass" }).waitFor();
    await done();
    await expect.poll(() => query().get("q")).toBe("rounding");
    const [first] = await hits().all();
    await expect.poll(() => first!.locator("mark").textContent()).toMatch(/rounding/i);
    await first!.click();
    await wholeTrace().waitFor();
    await selectedRow().waitFor();
    await details().getByText("rounding in the tax module").first().waitFor();
    await expect.poll(markedTexts).toContain("details: rounding");
    await position()
      .getByText(/^1 of \d+$/)
      .waitFor();
    const before = query().get("hit");
    await page.keyboard.press("n");
    await position()
      .getByText(/^2 of \d+$/)
      .waitFor();
    await expect.poll(() => query().get("hit")).not.toBe(before);
    await page.keyboard.press("N");
    await position()
      .getByText(/^1 of \d+$/)
      .waitFor();
    await page.goBack();
    await hits().first().waitFor();
    await expect.poll(() => field().inputValue()).toBe("rounding");
    await expect.poll(() => hits().first().getAttribute("aria-current")).toBe("true");
  });

  it("searches sub-agents in a session, and keeps the search from tab to tab and after a reload", async () => {
    await at("#/s/shop/checkout/agents");
    await page.getByText("where totals are computed").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("needle3");
    await position().getByText("0 of 1", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await selectedRow().getByText("Grep").waitFor();
    await page.reload();
    await selectedRow().getByText("Grep").waitFor();
    await position().getByText("1 of 1", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    await page.getByRole("region", { name: "Conversation" }).waitFor();
    await expect.poll(() => field().inputValue()).toBe("needle3");
    await page.getByRole("link", { name: "Search all sessions" }).click();
    await done();
    await expect.poll(() => hits().count()).toBe(1);
  });

  it("goes to what is found by an Enter that is pressed before the search has begun", async () => {
    await server.open("#/s/shop/checkout/trace?q=rounding", { context: {}, engineDelay: 100 });
    await position()
      .getByText(/^0 of \d/)
      .waitFor();
    await page.keyboard.press("/");
    await field().fill("needle3");
    await page.keyboard.press("Enter");
    await position().getByText("1 of 1", { exact: true }).waitFor();
    await selectedRow().getByText("Grep").waitFor();
  });

  it("says what is wrong with a pattern", async () => {
    await at("#/?q=re:(");
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/regular expression/);
    await expect.poll(() => page.getByText("Nothing found").count()).toBe(0);
  });

  it("shows what harms as text", async () => {
    await at("#/?q=onerror");
    await done();
    await hits().filter({ hasText: '<img src=x onerror="window.__harmed=1">' }).first().waitFor();
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
    await at("#/");
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
