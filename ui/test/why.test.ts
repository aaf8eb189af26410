import { expect, it } from "vitest";
import { findNothing } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, hash, query, row } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("why a line is there", () => {
  const server = serveHistories([checkoutSession()]);

  it("is asked of a changed file, and answered with the session, the step and what its model saw", async () => {
    await server.open("#/s/shop/checkout/trace");
    await row(/Edit src\/cart\/total.ts/).click();
    await page.getByRole("link", { name: "Why is it so?" }).click();
    await expect.poll(() => query().get("file")).toMatch(/src\/cart\/total\.ts$/);
    await page
      .getByText(/\d+% certain/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Make the checkout tests pass" }).first().waitFor();
    await findNothing();
    await page.getByRole("link", { name: "Edit: Show the step" }).first().click();
    await expect.poll(hash).toMatch(/^#\/s\/shop\/checkout\/trace\?event=/);
  });

  it("is asked in Ctrl K, of a file that nobody edited, and of a line that a file does not have", async () => {
    await server.open("#/");
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("why is");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "File", exact: true }).fill("nobody.py");
    await button("Explain").click();
    await page.getByText("No session edited a file of that name").waitFor();
    await page.getByRole("textbox", { name: "File", exact: true }).fill("src/cart/total.ts");
    await page.getByRole("textbox", { name: "Line", exact: true }).fill("9999");
    await button("Explain").click();
    await page.getByText("Invalid question").waitFor();
  });
});
