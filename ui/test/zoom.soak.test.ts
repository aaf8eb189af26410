import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, details, failedRow, hash, lineCount, row, selectedRow, wholeTrace } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("zooming into a stretch of a session", () => {
  const server = serveHistories([checkoutSession()]);

  const open = async (query = "") => {
    await server.open(`#/s/shop/checkout/trace${query}`);
    await wholeTrace().waitFor();
  };
  const strip = () => page.getByRole("slider", { name: /Overview of the session/ });
  const stretch = () => {
    const query = new URLSearchParams(hash().split("?")[1]);
    return { from: Number(query.get("from")), to: Number(query.get("to")) };
  };
  /** Fractions of the strip, from 0 to 1. */
  const drag = async (from: number, to: number) => {
    const { x, y, width, height } = (await strip().boundingBox())!;
    await page.mouse.move(x + width * from, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * ((from + to) / 2), y + height / 2);
    await page.mouse.move(x + width * to, y + height / 2);
    await page.mouse.up();
  };
  const compaction = () => row(/Compaction/);
  const firstFailure = () => failedRow();

  it("is a drag over the strip; the address keeps it, and a button undoes it", async () => {
    await open();
    const all = await lineCount();
    await drag(0.6, 0.8);
    await compaction().waitFor();
    await firstFailure().waitFor({ state: "detached" });
    await expect.poll(lineCount).toBeLessThan(all);
    const barWidth = async () => (await compaction().locator("i").last().boundingBox())!.width;
    await expect.poll(barWidth).toBeGreaterThan(30);
    await page.reload();
    await compaction().waitFor();
    await expect.poll(() => firstFailure().count()).toBe(0);
    await button("Show the complete session").click();
    await firstFailure().waitFor();
    await expect.poll(lineCount).toBe(all);
    await expect.poll(() => page.url()).not.toContain("from=");
  });

  it("works from right to left, and takes a click for a click", async () => {
    await open();
    await drag(0.8, 0.6);
    await firstFailure().waitFor({ state: "detached" });
    expect(stretch().to).toBeGreaterThan(stretch().from);
    await page.keyboard.press("Escape");
    await firstFailure().waitFor();
    await drag(0.5, 0.501);
    await expect.poll(() => page.url()).not.toContain("from=");
  });

  it("is undone by Escape, after the details were closed; what was selected stays on the screen", async () => {
    await open();
    const all = await lineCount();
    await drag(0.6, 0.8);
    await compaction().click();
    await details().getByText("Freed").waitFor();
    await page.keyboard.press("Escape");
    await details().waitFor({ state: "detached" });
    await expect.poll(() => page.url()).toContain("from=");
    await expect.poll(lineCount).toBeLessThan(all);
    await page.keyboard.press("Escape");
    await expect.poll(lineCount).toBe(all);
    await expect.poll(() => page.url()).not.toContain("from=");
    await selectedRow().filter({ hasText: "Compaction" }).waitFor();
  });

  it("has keys: nearer around what is selected, farther, and the whole session", async () => {
    await open();
    await page.keyboard.press("e");
    await selectedRow().filter({ hasText: "Bash" }).waitFor();
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
    await page.getByRole("dialog").getByText("zoom in, zoom out, complete session").waitFor();
  });
});
