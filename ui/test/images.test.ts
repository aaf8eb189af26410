import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { pictureSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("images in a history", (visitor) => {
  let server: Served;
  let page: Page;

  beforeAll(async () => {
    server = await serveHistories([pictureSession()]);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    expect(await page.evaluate("globalThis.__harmed")).toBeUndefined();
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const drawn = () =>
    page
      .locator("figure img")
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));

  it("are shown with their size, in the messages", async () => {
    page = await visitor.open(`${server.address}/#/s/labs/pictures/messages`);
    await page.getByText("PNG · 8 × 4 px · 72 B", { exact: true }).first().waitFor();
    await page.getByText("SVG · ").waitFor();
    await expect.poll(async () => (await drawn()).filter((width) => width > 0).length).toBe(2);
    await page.getByText("This image is too large to be shown · 60,000 × 60,000 px").waitFor();
    // The head of an image, and then nothing: only the browser notices.
    await expect.poll(() => page.getByText("This image is broken").count()).toBe(2);
    await page.getByText("Image elsewhere, not loaded: https://example.com/pixel.png").waitFor();
    await page.getByRole("button", { name: /Screenshot/ }).click();
    await expect.poll(async () => (await drawn()).filter((width) => width > 0).length).toBe(3);
  });

  it("are shown with their size, in the details of the trace", async () => {
    page = await visitor.open(`${server.address}/#/s/labs/pictures/trace`);
    await page.getByRole("row", { name: /Tool call Screenshot/ }).click();
    await page.getByRole("complementary").getByText("PNG · 8 × 4 px · 72 B", { exact: true }).waitFor();
    await expect.poll(drawn).toEqual([8]);
  });

  it("fit a phone", async () => {
    page = await visitor.open(`${server.address}/#/s/labs/pictures/messages`, {
      viewport: { width: 390, height: 800 },
    });
    await page.getByText("PNG · 8 × 4 px · 72 B", { exact: true }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
