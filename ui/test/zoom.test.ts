import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { lineCount, wholeTrace } from "./browser/trace-rows.js";
import { checkoutSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("zooming into a stretch of a session", (visitor) => {
  let server: Served;
  let page: Page;

  beforeAll(async () => {
    server = await serveHistories([checkoutSession()]);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const open = async (query = "") => {
    page = await visitor.open(`${server.address}/#/s/shop/checkout/trace${query}`);
    await wholeTrace(page).waitFor();
  };
  const strip = () => page.getByRole("img", { name: /Overview of the session/ });
  const stretch = () => {
    const query = new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
    return { from: Number(query.get("from")), to: Number(query.get("to")) };
  };
  /** Drags over a part of the strip, from 0 to 1. */
  const drag = async (from: number, to: number) => {
    const { x, y, width, height } = (await strip().boundingBox())!;
    await page.mouse.move(x + width * from, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * ((from + to) / 2), y + height / 2);
    await page.mouse.move(x + width * to, y + height / 2);
    await page.mouse.up();
  };
  const compaction = () => page.getByRole("row", { name: /Compaction/ });
  const firstFailure = () => page.getByRole("row", { name: /Bash npm test -- checkout ✕ FAIL/ });

  it("is a drag over the strip; the address keeps it, and a button undoes it", async () => {
    await open();
    const all = await lineCount(page);
    await drag(0.6, 0.8);
    await compaction().waitFor();
    await firstFailure().waitFor({ state: "detached" });
    expect(await lineCount(page)).toBeLessThan(all);
    const barWidth = async () => (await compaction().locator("i").last().boundingBox())!.width;
    await expect.poll(barWidth).toBeGreaterThan(30);
    await page.reload();
    await compaction().waitFor();
    expect(await firstFailure().count()).toBe(0);
    await page.getByRole("button", { name: "Show the whole session" }).click();
    await firstFailure().waitFor();
    expect(await lineCount(page)).toBe(all);
    expect(page.url()).not.toContain("from=");
  });

  it("works from right to left, and takes a click for a click", async () => {
    await open();
    await drag(0.8, 0.6);
    await firstFailure().waitFor({ state: "detached" });
    expect(stretch().to).toBeGreaterThan(stretch().from);
    await page.keyboard.press("Escape");
    await firstFailure().waitFor();
    await drag(0.5, 0.501);
    expect(page.url()).not.toContain("from=");
  });

  it("is undone by Escape, after the details were closed; what was selected stays on the screen", async () => {
    await open();
    const all = await lineCount(page);
    await drag(0.6, 0.8);
    await compaction().click();
    await page.getByRole("complementary").getByText("Freed").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    await expect.poll(() => page.url()).toContain("from=");
    expect(await lineCount(page)).toBeLessThan(all);
    await page.keyboard.press("Escape");
    await expect.poll(() => lineCount(page)).toBe(all);
    expect(page.url()).not.toContain("from=");
    await page.locator('[role="row"][aria-selected="true"]', { hasText: "Compaction" }).waitFor();
  });

  it("has keys: nearer around what is selected, farther, and the whole session", async () => {
    await open();
    await page.keyboard.press("e");
    await page.locator('[role="row"][aria-selected="true"]', { hasText: "Bash" }).waitFor();
    await page.keyboard.press("+");
    await expect.poll(page.url.bind(page)).toContain("from=");
    const once = stretch();
    await page.keyboard.press("+");
    await expect.poll(() => stretch().to - stretch().from).toBeLessThan(once.to - once.from);
    const twice = stretch();
    const failedAt = Date.UTC(2026, 0, 15, 9, 0, 2, 400);
    expect(twice.from).toBeLessThanOrEqual(failedAt);
    expect(twice.to).toBeGreaterThanOrEqual(failedAt);
    await page.keyboard.press("-");
    await expect.poll(() => stretch().to - stretch().from).toBeGreaterThan(twice.to - twice.from);
    await page.keyboard.press("0");
    await expect.poll(page.url.bind(page)).not.toContain("from=");
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("zoom in, zoom out, whole session").waitFor();
  });
});
