import { afterEach, expect, it } from "vitest";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import { button, details, row } from "./browser/page.js";
import { pictureSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("images in a history", () => {
  const server = serveHistories([pictureSession()]);

  afterEach(async () => {
    await expect.poll(() => page.evaluate("globalThis.__harmed")).toBeUndefined();
    expect(errors.splice(0)).toEqual([]);
  });

  const drawn = () =>
    page
      .locator("figure img")
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));

  it("are shown with their size, in the messages", async () => {
    await server.open("#/s/labs/pictures/messages");
    await page.getByText("PNG · 8 × 4 px · 72 B", { exact: true }).first().waitFor();
    await page.getByText("SVG · ").waitFor();
    await expect.poll(async () => (await drawn()).filter((width) => width > 0).length).toBe(2);
    await page.getByText("This image is too large to display · 60,000 × 60,000 px").waitFor();
    // A truncated image: only the browser notices.
    await expect.poll(() => page.getByText("This image is broken").count()).toBe(2);
    await page.getByText("External image, not loaded: https://example.com/pixel.png").waitFor();
    await button(/Screenshot/).click();
    await expect.poll(async () => (await drawn()).filter((width) => width > 0).length).toBe(3);
  });

  it("are shown with their size, in the details of the trace", async () => {
    await server.open("#/s/labs/pictures/trace");
    await row(/Tool call Screenshot/).click();
    await details().getByText("PNG · 8 × 4 px · 72 B", { exact: true }).waitFor();
    await expect.poll(drawn).toEqual([8]);
  });

  it("fit a phone", async () => {
    await server.open("#/s/labs/pictures/messages", { width: 390, height: 800 });
    await page.getByText("PNG · 8 × 4 px · 72 B", { exact: true }).first().waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
