import { expect, it } from "vitest";
import type { InMemorySession } from "../../src/advanced.js";
import { describeInBrowser, page } from "./browser/browser.js";
import {
  button,
  markedTexts,
  overflow,
  query,
  scrollTop,
  searchField,
  searchHits,
  searchPosition,
  searchResults,
  selectedRow,
  settled,
  wholeTrace,
} from "./browser/page.js";
import { checkoutSession, hostileSession, longSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { SessionWriter } from "./fixtures/session-writer.js";

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

  const done = () => page.getByText(/^65 of 65 sessions searched/).waitFor();

  it("comes back to the place that was scrolled to", async () => {
    await server.open("#/?q=Done");
    await searchResults().waitFor();
    await done();
    const list = await searchResults().elementHandle();
    await list!.evaluate((element) => element.scrollTo(0, 1500));
    const hit = searchHits().nth(12);
    await settled();
    const address = await hit.getAttribute("href");
    await hit.click();
    await searchPosition().waitFor();
    await page.goBack();
    await searchResults().waitFor();
    await expect.poll(() => scrollTop(searchResults())).toBe(1500);
    await searchResults().locator("[aria-current]").waitFor();
    await expect.poll(() => searchResults().locator("[aria-current]").getAttribute("href")).toBe(address);
    await expect.poll(() => searchHits().count()).toBeLessThan(60);
  });

  it("puts an event far down in the middle of the trace, and lifts filters that would hide it", async () => {
    await server.open("#/s/labs/long/trace?kind=compaction");
    await page.getByText("No event matches the filters.").waitFor();
    await searchField().fill("re:Step [4-9]\\d\\d");
    await searchPosition()
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
    await server.open("#/?q=make+part");
    await done();
    await searchResults()
      .getByTitle(/^Number of/)
      .first()
      .click();
    await searchPosition()
      .getByText(/^0 of \d{2,}\+?$/)
      .waitFor();
    await page.keyboard.press("n");
    await searchPosition()
      .getByText(/^1 of \d+\+?$/)
      .waitFor();
    await selectedRow().waitFor();
    await page.getByRole("link", { name: "All results" }).click();
    await searchResults().waitFor();
  });

  it("unfolds a long output down to what was found in it, and scrolls there", async () => {
    await server.open("#/?q=sunken+treasure");
    await searchHits().first().click();
    await selectedRow().waitFor();
    await expect.poll(markedTexts).toContain("details: sunken treasure");
  });

  it("opens what only a message holds, with what is folded in it", async () => {
    await server.open("#/?q=Cents+are+integers");
    await searchHits().first().click();
    await page.getByRole("region", { name: "Conversation" }).waitFor();
    await page.locator("details[open]", { hasText: "Cents are integers" }).waitFor();
    await expect.poll(markedTexts).toContain("Cents are integers");
  });

  it("is kept to the kinds that are chosen, and offers other records where nothing is found", async () => {
    await server.open("#/?q=npm+test");
    await done();
    await button("Tool input").click();
    await expect.poll(() => query().get("in")).toBe("input");
    await done();
    await searchHits().first().waitFor();
    await expect.poll(() => searchResults().getByText("Tool output").count()).toBe(0);
    await searchField().fill("claude-haiku-4-5");
    await page.getByRole("button", { name: "Search other records, too" }).click();
    await searchHits().first().waitFor();
    await expect.poll(() => query().get("in")).toBe("input,other");
  });

  it("says what could not be searched: the first of it, and more where it is asked for", async () => {
    const notes = ["one", "two", "three"].map((name) => `Session "${name}" could not be read.`);
    const nothing = { sessions: 3 };
    await page.route(/\/search\/sessions/, (route) =>
      route.fulfill({ json: { sessions: [], searched: nothing, total: nothing, notes, nextCursor: null } }),
    );
    await server.open("#/?q=needle", { fresh: true });
    await page.getByText('Session "one" could not be read. And 2 more notes').click();
    await page.getByText('Session "three" could not be read.').waitFor();
  });

  it("finds sessions and contents among the commands", async () => {
    await server.open("#/");
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
    await server.open("#/?q=adds+up+cents", { width: 390, height: 844 });
    await searchHits().first().waitFor();
    const mark = (await searchHits().first().locator("mark").boundingBox())!;
    expect(mark.x + mark.width).toBeLessThan(390);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    await searchHits().first().click();
    await page.getByRole("link", { name: "All results" }).waitFor();
    const link = (await page.getByRole("link", { name: "All results" }).boundingBox())!;
    expect(link.x + link.width).toBeLessThanOrEqual(390);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
});
