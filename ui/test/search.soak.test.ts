import { expect, it } from "vitest";
import type { InMemorySession } from "../../src/advanced.js";
import { describeInBrowser, page } from "./browser/browser.js";
import {
  button,
  markedTexts,
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

describeInBrowser("the search, in further states", () => {
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
    await expect.poll(markedTexts).toContain("details: sunken treasure");
  });

  it("opens what only a message holds, with what is folded in it", async () => {
    await at("#/?q=Cents+are+integers");
    await hits().first().click();
    await page.getByRole("region", { name: "Conversation" }).waitFor();
    await page.locator("details[open]", { hasText: "Cents are integers" }).waitFor();
    await expect.poll(markedTexts).toContain("Cents are integers");
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
