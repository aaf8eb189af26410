import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { settled } from "./browser/settled.js";
import { wholeTrace } from "./browser/trace-rows.js";
import { checkoutSession, longSession, manySessions } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the room of a trace", (visitor) => {
  let server: Served;
  let page: Page;

  beforeAll(async () => {
    server = await serveHistories([checkoutSession(), longSession(2000), ...manySessions(1)]);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const open = async (session: string, width = 1440, height = 900, query = "") => {
    page = await visitor.open(`${server.address}/#/s/${session}/trace${query}`, {
      viewport: { width, height },
    });
    await wholeTrace(page).waitFor();
    await settled(page);
  };
  const grid = () => page.getByRole("treegrid");
  const details = () => page.getByRole("complementary", { name: "Details" });
  const row = (name: RegExp) => page.getByRole("row", { name });
  const columns = () => page.getByRole("separator", { name: "Width of the columns" });
  const detailsWidth = () => page.getByRole("separator", { name: "Width of the details" });
  const widthOf = async (element: ReturnType<typeof row>) => (await element.boundingBox())!.width;
  const timeline = () => page.getByRole("columnheader", { name: /^Time/ });

  it("is all of the trace's while nothing is open; a click opens details, Escape and a button close them", async () => {
    await open("shop/checkout");
    expect(await details().count()).toBe(0);
    expect(await widthOf(grid())).toBe(1440);
    await row(/Bash npm test -- checkout/).click();
    await details().waitFor();
    expect(await widthOf(grid())).toBeLessThan(1000);
    await page.keyboard.press("Escape");
    await details().waitFor({ state: "detached" });
    expect(await widthOf(grid())).toBe(1440);
    await row(/Bash npm test -- checkout/).click();
    await details().getByRole("button", { name: "Close details" }).click();
    await details().waitFor({ state: "detached" });
  });

  it("stays the trace's while the keys move; Enter opens details, which then follow", async () => {
    await open("shop/checkout");
    const selected = () => page.locator('[role="row"][aria-selected="true"]');
    for (const _ of [1, 2, 3]) await page.keyboard.press("j");
    await selected().getByText("claude-sonnet-4-5").waitFor();
    expect(await details().count()).toBe(0);
    await page.keyboard.press("Enter");
    await details().getByRole("heading", { name: "claude-sonnet-4-5" }).waitFor();
    await page.keyboard.press("j");
    await details().getByRole("heading", { name: "Bash" }).waitFor();
    await page.keyboard.press("Escape");
    await details().waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await selected().getByText("Bash").waitFor();
    expect(await details().count()).toBe(0);
  });

  it("is divided by a drag, which is kept, and put back by a double click", async () => {
    await open("shop/checkout", 1440, 900, "?event=checkout-4");
    await details().waitFor();
    const before = await widthOf(details());
    const { x, y, width } = (await detailsWidth().boundingBox())!;
    await page.mouse.move(x + width / 2, y + 200);
    await page.mouse.down();
    await page.mouse.move(x - 100, y + 200);
    await page.mouse.move(x - 200, y + 200);
    expect(await widthOf(details())).toBeGreaterThan(before + 150);
    await page.mouse.up();
    const dragged = await widthOf(details());
    expect(Number(await detailsWidth().getAttribute("aria-valuenow"))).toBe(
      Math.round((dragged / 1440) * 100),
    );
    await page.reload();
    await details().waitFor();
    expect(Math.abs((await widthOf(details())) - dragged)).toBeLessThan(2);
    await detailsWidth().dblclick({ position: { x: 4, y: 300 } });
    await expect.poll(() => widthOf(details())).toBe(before);
  });

  it("is divided by arrow keys within bounds, and put back by Enter", async () => {
    await open("shop/checkout");
    const bars = () => widthOf(timeline());
    const before = await bars();
    const value = async () => Number(await columns().getAttribute("aria-valuenow"));
    const start = await value();
    await columns().focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await value()).toBe(start - 4);
    expect(await bars()).toBeGreaterThan(before + 40);
    await page.keyboard.press("End");
    expect(await value()).toBe(Number(await columns().getAttribute("aria-valuemax")));
    await page.keyboard.press("ArrowRight");
    expect(await value()).toBe(Number(await columns().getAttribute("aria-valuemax")));
    await page.reload();
    await wholeTrace(page).waitFor();
    expect(await value()).toBe(Number(await columns().getAttribute("aria-valuemax")));
    await columns().focus();
    await page.keyboard.press("Enter");
    expect(await value()).toBe(start);
    expect(await bars()).toBe(before);
  });

  it("has dividers where the columns end, also beside a bar for scrolling", async () => {
    await open("labs/long");
    const { x, width } = (await columns().boundingBox())!;
    const { x: left } = (await timeline().boundingBox())!;
    expect(left - (x + width / 2)).toBeGreaterThan(0);
    expect(left - (x + width / 2)).toBeLessThan(9);
  });

  it("is used by the bars of the rows on the screen, wherever one scrolls", async () => {
    await open("labs/long");
    const widest = () =>
      grid()
        .locator('[data-state="done"]')
        .evaluateAll((bars) => Math.max(...bars.map((bar) => bar.getBoundingClientRect().width)));
    const spread = () =>
      grid()
        .locator('[role="row"]:not([data-kind="turn"]) [data-state="done"]')
        .evaluateAll((bars) => {
          const boxes = bars.map((bar) => bar.getBoundingClientRect());
          return Math.max(...boxes.map((b) => b.right)) - Math.min(...boxes.map((b) => b.left));
        });
    const room = await widthOf(timeline());
    for (const top of [0, 5000, 20_000]) {
      await grid().evaluate((element, to) => element.scrollTo(0, to), top);
      await settled(page);
      await expect.poll(spread).toBeGreaterThan(room * 0.9);
    }
    const window = page.getByRole("img", { name: /Overview/ }).locator("span");
    const { width, x } = (await window.boundingBox())!;
    expect(width).toBeLessThan(200);
    expect(x).toBeGreaterThan(200);
    await page.getByRole("button", { name: "Follow rows" }).click();
    await window.waitFor({ state: "detached" });
    await settled(page);
    expect(await spread()).toBeLessThan(room * 0.2);
    expect(await widest()).toBeLessThan(room * 0.2);
    await page.reload();
    await wholeTrace(page).waitFor();
    const follow = page.getByRole("button", { name: "Follow rows" });
    expect(await follow.getAttribute("aria-pressed")).toBe("false");
  });

  it("is used by the one turn of a short session, whose ticks tell one from another", async () => {
    await open("tenant-0/s-000000");
    const call = row(/claude-sonnet-4-5/).locator("[data-state]");
    expect(await widthOf(call)).toBeGreaterThan((await widthOf(timeline())) * 0.95);
    const ticks = await timeline()
      .getByText(/^\d\d:/)
      .allTextContents();
    expect(ticks.length).toBeGreaterThan(2);
    expect(new Set(ticks).size).toBe(ticks.length);
  });

  it("folds a time in which nothing happens, unless one asks for it", async () => {
    await open("shop/checkout", 1440, 900);
    const call = row(/Bash npm test -- checkout/).locator("[data-state]");
    expect(await widthOf(call)).toBeGreaterThan(60);
    await page.getByRole("button", { name: "Fold idle" }).click();
    await settled(page);
    expect(await widthOf(call)).toBeLessThan(10);
  });

  it("leaves a line for the header of the session at 200 % zoom; a button shows the rest", async () => {
    for (const [width, height] of [
      [640, 400],
      [390, 844],
    ] as const) {
      await open("shop/checkout", width, height);
      const header = page.getByRole("region", { name: "Session" });
      expect((await header.boundingBox())!.height).toBeLessThan(40);
      const facts = header.getByText("claude-sonnet-4-5, claude-haiku-4-5");
      expect(await facts.isVisible()).toBe(false);
      const more = header.getByRole("button", { name: "More" });
      await more.click();
      expect(await more.getAttribute("aria-expanded")).toBe("true");
      await facts.waitFor();
      if (width === 640) await page.context().close();
    }
  });

  it("leads from the number of errors to the errors, by the keyboard too", async () => {
    page = await visitor.open(`${server.address}/#/s/shop/checkout/messages`);
    await page.getByRole("link", { name: "4 errors" }).focus();
    await page.keyboard.press("Enter");
    await row(/Bash npm test -- checkout ✕ FAIL/).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toContain("errors=1");
    expect(await row(/Bash npm test -- part0/).count()).toBe(0);
  });

  it("takes few nodes", async () => {
    await open("labs/long", 1920, 1080, "?event=long-1000");
    await details().waitFor();
    await settled(page);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(1200);
  });
});
