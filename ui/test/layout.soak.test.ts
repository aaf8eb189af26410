import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, details, hash, nodeCount, row, selectedRow, settled, wholeTrace } from "./browser/page.js";
import { checkoutSession, longSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the room of a trace", () => {
  /** As Gemini CLI names a project. */
  const hashed = "40fc80fdb16b14b32f87f5955bf238c9ccf0836dc64373944adebc306d9cf157";
  const server = serveHistories([
    checkoutSession(),
    { ...checkoutSession(), tenantId: hashed },
    longSession(2000),
    ...manySessions(1),
  ]);

  const open = async (session: string, width = 1440, height = 900, query = "") => {
    await server.open(`#/s/${session}/trace${query}`, { width, height });
    await wholeTrace().waitFor();
    await settled();
  };
  const grid = () => page.getByRole("treegrid");
  const columns = () => page.getByRole("separator", { name: "Width of the columns" });
  const detailsWidth = () => page.getByRole("separator", { name: "Width of the details" });
  const topOf = async (element: ReturnType<typeof row>) => (await element.boundingBox())!.y;
  const widthOf = async (element: ReturnType<typeof row>) => (await element.boundingBox())!.width;
  const timeline = () => page.getByRole("columnheader", { name: /^Time/ });

  it("is all of the trace's while nothing is open; a click opens details, Escape and a button close them", async () => {
    await open("shop/checkout");
    await expect.poll(() => details().count()).toBe(0);
    await expect.poll(() => widthOf(grid())).toBe(1440);
    await row(/Bash npm test -- checkout/).click();
    await details().waitFor();
    await expect.poll(() => widthOf(grid())).toBeLessThan(1000);
    await page.keyboard.press("Escape");
    await details().waitFor({ state: "detached" });
    await expect.poll(() => widthOf(grid())).toBe(1440);
    await row(/Bash npm test -- checkout/).click();
    await details().getByRole("button", { name: "Close details" }).click();
    await details().waitFor({ state: "detached" });
  });

  it("stays the trace's while the keys move; Enter opens details, which then follow", async () => {
    await open("shop/checkout");
    for (const _ of [1, 2, 3]) await page.keyboard.press("j");
    await selectedRow().getByText("claude-sonnet-4-5").waitFor();
    await expect.poll(() => details().count()).toBe(0);
    await page.keyboard.press("Enter");
    await details().getByRole("heading", { name: "claude-sonnet-4-5" }).waitFor();
    await page.keyboard.press("j");
    await details().getByRole("heading", { name: "Bash" }).waitFor();
    await page.keyboard.press("Escape");
    await details().waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await selectedRow().getByText("Bash").waitFor();
    await expect.poll(() => details().count()).toBe(0);
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
    await expect.poll(() => widthOf(details())).toBeGreaterThan(before + 150);
    await page.mouse.up();
    const dragged = await widthOf(details());
    await expect
      .poll(async () => Number(await detailsWidth().getAttribute("aria-valuenow")))
      .toBe(Math.round((dragged / 1440) * 100));
    await page.reload();
    await details().waitFor();
    await expect.poll(async () => Math.abs((await widthOf(details())) - dragged)).toBeLessThan(2);
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
    await expect.poll(value).toBe(start - 4);
    await expect.poll(bars).toBeGreaterThan(before + 40);
    await page.keyboard.press("End");
    await expect.poll(value).toBe(Number(await columns().getAttribute("aria-valuemax")));
    await page.keyboard.press("ArrowRight");
    await expect.poll(value).toBe(Number(await columns().getAttribute("aria-valuemax")));
    await page.reload();
    await wholeTrace().waitFor();
    await expect.poll(value).toBe(Number(await columns().getAttribute("aria-valuemax")));
    await columns().focus();
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe(start);
    await expect.poll(bars).toBe(before);
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
      await settled();
      await expect.poll(spread).toBeGreaterThan(room * 0.9);
    }
    const window = page.getByRole("slider", { name: /Overview/ }).locator("> span");
    const { width, x } = (await window.boundingBox())!;
    expect(width).toBeLessThan(200);
    expect(x).toBeGreaterThan(200);
    await button("Fit to rows").click();
    await window.waitFor({ state: "detached" });
    await settled();
    await expect.poll(spread).toBeLessThan(room * 0.2);
    await expect.poll(widest).toBeLessThan(room * 0.2);
    await page.reload();
    await wholeTrace().waitFor();
    const follow = page.getByRole("button", { name: "Fit to rows" });
    await expect.poll(() => follow.getAttribute("aria-pressed")).toBe("false");
  });

  it("is used by the one turn of a short session, whose ticks tell one from another", async () => {
    await open("tenant-0/s-000000");
    const call = row(/claude-sonnet-4-5/).locator("[data-state]");
    await expect.poll(() => widthOf(call)).toBeGreaterThan((await widthOf(timeline())) * 0.95);
    const ticks = await timeline()
      .getByText(/^\d\d:/)
      .allTextContents();
    expect(ticks.length).toBeGreaterThan(2);
    expect(new Set(ticks).size).toBe(ticks.length);
  });

  it("folds a time in which nothing happens, unless one asks for it", async () => {
    await open("shop/checkout", 1440, 900);
    const call = row(/Bash npm test -- checkout/).locator("[data-state]");
    await expect.poll(() => widthOf(call)).toBeGreaterThan(60);
    await button("Collapse idle").click();
    await settled();
    await expect.poll(() => widthOf(call)).toBeLessThan(10);
  });

  it("begins less than 90 pixels from the top, and its rows less than 190", async () => {
    await open("shop/checkout", 1440, 900);
    await expect.poll(() => topOf(page.getByRole("main"))).toBeLessThanOrEqual(90);
    await expect.poll(() => topOf(row(/^Session/))).toBeLessThanOrEqual(190);
  });

  it("leaves a line for the header of the session at any width; a button shows the rest", async () => {
    for (const [width, height] of [
      [1440, 900],
      [640, 400],
      [390, 844],
    ] as const) {
      await open("shop/checkout", width, height);
      const header = page.getByRole("region", { name: "Session" });
      await header.getByText(/tokens/).waitFor();
      await expect.poll(async () => (await header.boundingBox())!.height).toBeLessThan(40);
      await header.getByRole("button", { name: "More" }).click();
      const facts = page.getByRole("dialog", { name: "More about this session" });
      await facts.getByText("claude-sonnet-4-5, claude-haiku-4-5").waitFor();
      await facts.getByText("Active", { exact: true }).waitFor();
    }
  });

  it("has room for the session's title beside a tenant with a long name", async () => {
    await open(`${hashed}/checkout`, 1280);
    const title = page.getByRole("heading", { name: "Make the checkout tests pass" });
    await expect.poll(() => title.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

  it("leads from the number of errors to the errors, by the keyboard too", async () => {
    await server.open("#/s/shop/checkout/messages");
    await page.getByRole("link", { name: "4 errors" }).focus();
    await page.keyboard.press("Enter");
    await row(/Bash npm test -- checkout ✕ FAIL/).waitFor();
    await expect.poll(hash).toContain("errors=1");
    await expect.poll(() => row(/Bash npm test -- part0/).count()).toBe(0);
  });

  it("takes few nodes", async () => {
    await open("labs/long", 1920, 1080, "?event=long-1000");
    await details().waitFor();
    await settled();
    await expect.poll(nodeCount).toBeLessThanOrEqual(1200);
  });
});
