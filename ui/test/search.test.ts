import { expect, it } from "vitest";
import type { InMemorySession } from "../../src/advanced.js";
import { describeInBrowser, page } from "./browser/browser.js";
import {
  button,
  details,
  overflow,
  query,
  scrollTop,
  selectedRow,
  settled,
  wholeTrace,
} from "./browser/page.js";
import { checkoutSession, hostileSession, longSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { SessionWriter } from "./fixtures/session-writer.js";

/** A tool call with a long output that says something at its end. */
function deepSession(): InMemorySession {
  const writer = new SessionWriter(
    { sessionId: "deep", tenantId: "labs", title: "Dive" },
    Date.UTC(2026, 0, 14),
  );
  writer.turn("Dive.", () =>
    writer.tool("Dive", { to: "the ground" }, `${"water\n".repeat(400)}sunken treasure`),
  );
  return writer.session();
}

describeInBrowser("the search", () => {
  const server = serveHistories([
    checkoutSession(),
    hostileSession(),
    deepSession(),
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
  const done = () => page.getByText(/^65 of 65 sessions searched/).waitFor();
  const position = () => page.locator("search output");
  /** The texts that are marked on the screen. */
  const marked = () =>
    page.evaluate(() => {
      const ranges = CSS.highlights.get("search") ?? [];
      const texts = [...(ranges as Iterable<Range>)].filter((range) => {
        const { top, bottom, height } = range.getBoundingClientRect();
        return height > 0 && top >= 0 && bottom <= innerHeight;
      });
      return texts.map(
        (range) => `${range.startContainer.parentElement?.closest("aside") ? "details: " : ""}${range}`,
      );
    });

  it("finds contents while one types, opens a hit on its event, goes on by key, and is still there after going back", async () => {
    await at("#/");
    await page.getByText("65 sessions").waitFor();
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
    await expect.poll(marked).toContain("details: rounding");
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

  it("comes back to the place that was scrolled to", async () => {
    await at("#/?q=Done");
    await results().waitFor();
    await done();
    const list = await results().elementHandle();
    await list!.evaluate((element) => element.scrollTo(0, 1500));
    const hit = hits().nth(12);
    await settled();
    const address = await hit.getAttribute("href");
    await hit.click();
    await position().waitFor();
    await page.goBack();
    await results().waitFor();
    await expect.poll(() => scrollTop(results())).toBe(1500);
    await results().locator("[aria-current]").waitFor();
    await expect.poll(() => results().locator("[aria-current]").getAttribute("href")).toBe(address);
    await expect.poll(() => hits().count()).toBeLessThan(60);
  });

  it("puts an event far down in the middle of the trace, and lifts filters that would hide it", async () => {
    await at("#/s/labs/long/trace?kind=compaction");
    await page.getByText("No event matches the filters.").waitFor();
    await field().fill("re:Step [4-9]\\d\\d");
    await position()
      .getByText(/^0 of [1-9]/)
      .waitFor();
    await page.keyboard.press("Enter");
    await selectedRow().waitFor();
    await expect.poll(() => query().has("kind")).toBe(false);
    const { y } = (await selectedRow().boundingBox())!;
    const view = (await wholeTrace().boundingBox())!;
    expect(y).toBeGreaterThan(view.y + 60);
    expect(y).toBeLessThan(view.y + view.height);
    await expect.poll(() => page.locator('[role="row"][data-hit="true"]').count()).toBeGreaterThan(0);
  });

  it("shows how much each session holds, and opens one with its own search", async () => {
    await at("#/?q=make+part");
    await done();
    await results()
      .getByTitle(/hold it|were found/)
      .first()
      .click();
    await position()
      .getByText(/^0 of \d{2,}\+?$/)
      .waitFor();
    await page.keyboard.press("n");
    await position()
      .getByText(/^1 of \d+\+?$/)
      .waitFor();
    await selectedRow().waitFor();
    await page.getByRole("link", { name: "All results" }).click();
    await results().waitFor();
  });

  it("unfolds a long output down to what was found in it, and scrolls there", async () => {
    await at("#/?q=sunken+treasure");
    await hits().first().click();
    await selectedRow().waitFor();
    await expect.poll(marked).toContain("details: sunken treasure");
  });

  it("opens what only a message holds, with what is folded in it", async () => {
    await at("#/?q=Cents+are+integers");
    await hits().first().click();
    await page.getByRole("region", { name: "Conversation" }).waitFor();
    await page.locator("details[open]", { hasText: "Cents are integers" }).waitFor();
    await expect.poll(marked).toContain("Cents are integers");
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

  it("is kept to the kinds that are chosen, and offers other records where nothing is found", async () => {
    await at("#/?q=npm+test");
    await done();
    await button("Tool input").click();
    await expect.poll(() => query().get("in")).toBe("input");
    await done();
    await hits().first().waitFor();
    await expect.poll(() => results().getByText("Tool output").count()).toBe(0);
    await field().fill("claude-haiku-4-5");
    await page.getByRole("button", { name: "Search other records, too" }).click();
    await hits().first().waitFor();
    await expect.poll(() => query().get("in")).toBe("input,other");
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

  it("finds sessions and contents among the commands", async () => {
    await at("#/");
    await page.getByText("65 sessions").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("checkout");
    await page.getByRole("option", { name: "Make the checkout tests pass shop", exact: true }).waitFor();
    await page
      .getByRole("option", { name: /npm test -- checkout/ })
      .first()
      .click();
    await selectedRow().waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("checkout");
    await page.keyboard.press("Enter");
    await page.getByText(/hits in \d+ sessions?/).waitFor();
    await expect.poll(() => query().get("q")).toBe("checkout");
  });

  it("can be used on the screen of a phone", async () => {
    await at("#/?q=adds+up+cents", { width: 390, height: 844 });
    await hits().first().waitFor();
    const mark = (await hits().first().locator("mark").boundingBox())!;
    expect(mark.x + mark.width).toBeLessThan(390);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    await hits().first().click();
    await page.getByRole("link", { name: "All results" }).waitFor();
    const link = (await page.getByRole("link", { name: "All results" }).boundingBox())!;
    expect(link.x + link.width).toBeLessThanOrEqual(390);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
});
