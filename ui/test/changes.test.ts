import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { checkoutSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("an edit of a file", (visitor) => {
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

  const changes = () => page.getByRole("region", { name: "Changes of src/cart/total.ts" });
  const isShown = async () => {
    await changes().waitFor();
    expect(await changes().getByRole("deletion").allInnerTexts()).toEqual(["a + b.price"]);
    expect(await changes().getByRole("insertion").allInnerTexts()).toEqual(["a + Math.round(b.price * 100)"]);
    await changes().getByText("+1 −1").waitFor();
    const sign = (line: Element) => getComputedStyle(line, "::before").content;
    expect(await changes().getByRole("deletion").evaluate(sign)).toBe('"−"');
    expect(await changes().getByRole("insertion").evaluate(sign)).toBe('"+"');
  };

  it("is a diff in the trace, with its path to be copied, and its input a switch away", async () => {
    page = await visitor.open(`${server.address}/#/s/shop/checkout/trace`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("row", { name: /Edit src\/cart\/total.ts/ }).click();
    await isShown();
    await changes().getByRole("button", { name: "Copy path" }).click();
    await changes().getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("src/cart/total.ts");
    await page.getByRole("button", { name: "Show as recorded" }).click();
    await page.getByRole("complementary").getByText("old_string").waitFor();
    await page.getByRole("button", { name: "Show as changes" }).click();
    await isShown();
  });

  it("is the same diff in the messages", async () => {
    page = await visitor.open(`${server.address}/#/s/shop/checkout/messages`);
    await page.getByRole("button", { name: /Edit src\/cart\/total.ts/ }).click();
    await isShown();
  });

  it("has the colours of its language", async () => {
    page = await visitor.open(`${server.address}/#/s/shop/checkout/messages`);
    await page.getByRole("button", { name: /Edit src\/cart\/total.ts/ }).click();
    const number = changes().getByRole("insertion").locator('[data-code="number"]');
    await number.waitFor();
    expect(await number.allInnerTexts()).toEqual(["100"]);
    await isShown();
  });

  it("fits a phone", async () => {
    page = await visitor.open(`${server.address}/#/s/shop/checkout/messages`, {
      viewport: { width: 390, height: 800 },
    });
    await page.getByRole("button", { name: /Edit src\/cart\/total.ts/ }).click();
    await isShown();
    const { x, width } = (await changes().boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
