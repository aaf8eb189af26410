import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, query, selectedRow } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("charts of contexts", () => {
  const server = serveHistories([checkoutSession()]);

  const bars = () => page.getByRole("slider", { name: /Context at each call/ });
  const value = () => bars().getAttribute("aria-valuetext");
  const compared = () => [query().get("base"), query().get("call")];

  it("read a call out by keyboard, compare two by Shift or by a drag, and go back by Escape", async () => {
    await server.open("#/s/shop/checkout/context?call=12");
    await page.getByText("Call 12 of 23").waitFor();
    await bars().focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("Call 13 of 23").waitFor();
    await expect.poll(value).toMatch(/^Call 13 · .* tokens · \+.*Bash npm test -- part\d/);
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(compared).toEqual(["13", "15"]);
    await button("Call by call").click();
    await expect.poll(compared).toEqual([null, "15"]);

    const { x, y, width, height } = (await bars().boundingBox())!;
    const middleOf = (call: number) => x + ((call - 0.5) / 23) * width;
    await page.mouse.move(middleOf(20), y + height / 2);
    await page.getByText(/^Call 20 · /).waitFor();
    await page.mouse.down();
    await page.mouse.move(middleOf(10), y + height / 2, { steps: 3 });
    await page.mouse.up();
    await expect.poll(compared).toEqual(["10", "20"]);
    await page.getByRole("region", { name: "Dropped messages" }).getByRole("listitem").first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(compared).toEqual([null, "20"]);
  });

  it("lead from the overview of a trace to a model call, by keyboard too", async () => {
    await server.open("#/s/shop/checkout/trace");
    await selectedRow().or(page.getByRole("row").nth(3)).first().waitFor();
    const strip = page.getByRole("slider", { name: /Overview of the session/ });
    await strip.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => strip.getAttribute("aria-valuetext")).toMatch(/tokens.*New prompt/);
    await page.keyboard.press("Enter");
    await selectedRow().getByText("claude-sonnet-4-5").waitFor();
  });
});
