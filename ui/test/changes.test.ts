import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, clipboard, details, row } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("an edit of a file", () => {
  const server = serveHistories([checkoutSession()]);

  const changes = () => page.getByRole("region", { name: "Changes of src/cart/total.ts" });
  const isShown = async () => {
    await changes().waitFor();
    await expect.poll(() => changes().getByRole("deletion").allInnerTexts()).toEqual(["a + b.price"]);
    await expect
      .poll(() => changes().getByRole("insertion").allInnerTexts())
      .toEqual(["a + Math.round(b.price * 100)"]);
    await changes().getByText("+1 −1").waitFor();
    const sign = (line: Element) => getComputedStyle(line, "::before").content;
    await expect.poll(() => changes().getByRole("deletion").evaluate(sign)).toBe('"−"');
    await expect.poll(() => changes().getByRole("insertion").evaluate(sign)).toBe('"+"');
  };

  it("is a diff in the trace, with its path to be copied, and its input a switch away", async () => {
    await server.open("#/s/shop/checkout/trace");
    await row(/Edit src\/cart\/total.ts/).click();
    await isShown();
    await changes().getByRole("button", { name: "Copy path" }).click();
    await changes().getByRole("button", { name: "Copied" }).waitFor();
    await expect.poll(clipboard).toBe("src/cart/total.ts");
    await button("Show as recorded").click();
    await details().getByText("old_string").waitFor();
    await button("Show as changes").click();
    await isShown();
  });

  it("is the same diff in the messages", async () => {
    await server.open("#/s/shop/checkout/messages");
    await button(/Edit src\/cart\/total.ts/).click();
    await isShown();
  });

  it("has the colours of its language", async () => {
    await server.open("#/s/shop/checkout/messages");
    await button(/Edit src\/cart\/total.ts/).click();
    const number = changes().getByRole("insertion").locator('[data-code="number"]');
    await number.waitFor();
    await expect.poll(() => number.allInnerTexts()).toEqual(["100"]);
    await isShown();
  });

  it("fits a phone", async () => {
    await server.open("#/s/shop/checkout/messages", { width: 390, height: 800 });
    await button(/Edit src\/cart\/total.ts/).click();
    await isShown();
    const { x, width } = (await changes().boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
