import { Hono } from "hono";
import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource, createInspectorRoute } from "../../src/advanced.js";
import { createInspectorUi } from "../../src/ui.js";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import { button, failedRow, go } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serving, TestServer } from "./fixtures/serve-app.js";
import { otherBuild } from "./support/page-builds.js";

const MISSING = "This view could not be loaded";
const REPLACED = "The application has a newer version of this page.";

describeInBrowser("a page whose server restarts", () => {
  const source = createInMemoryInspectorDataSource([checkoutSession()]);
  /** Default is the build. */
  let assets: string | undefined;
  const server = serving(
    new TestServer(() =>
      new Hono()
        .route("/__inspector", createInspectorRoute(source))
        .route("/", createInspectorUi({ assets })),
    ),
  );

  it("loads the code and the styles of views that were opened while the server was away", async () => {
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    await server.stop();
    for (const view of ["#/s/shop/checkout/messages", "#/overview"]) {
      await go(view);
      await page.getByText(MISSING).waitFor();
    }
    await server.start();
    await page.getByText("Cost by day").waitFor();
    await go("#/s/shop/checkout/messages");
    await page.locator("article strong", { hasText: "fix" }).waitFor();
    await expect.poll(() => page.getByText(MISSING).count()).toBe(0);
    const styles = await page.evaluate(styleSheets);
    expect(styles.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^messages-view/),
        expect.stringMatching(/^overview-view/),
      ]),
    );
    expect(styles.filter(({ rules }) => rules === 0)).toEqual([]);
    errors.length = 0; // the browser reports missing files
  });

  it("offers to load the page again where the server has a newer one, and does not do so by itself", async () => {
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    await page.evaluate(() => document.documentElement.setAttribute("data-first", ""));
    await server.stop();
    assets = await otherBuild();
    await server.start();
    await go("#/s/shop/checkout/agents");
    await page.getByRole("alert").filter({ hasText: REPLACED }).waitFor();
    await page.getByText(MISSING).waitFor();
    await page.getByRole("link", { name: "Trace" }).click();
    await failedRow().waitFor();
    await expect.poll(() => page.locator("[data-first]").count()).toBe(1);
    await page.getByRole("link", { name: "Agents" }).click();
    await button("Load the page again").click();
    await page.getByRole("treegrid", { name: "Agents" }).waitFor();
    await expect.poll(() => page.locator("[data-first]").count()).toBe(0);
    await expect.poll(() => page.getByText(REPLACED).count()).toBe(0);
    errors.length = 0; // the browser reports missing files
  });
});

/** Runs in the page. */
function styleSheets(): { readonly name: string; readonly rules: number }[] {
  return [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href, sheet }) => ({
    name: href.split("/").at(-1) ?? "",
    rules: sheet?.cssRules.length ?? 0,
  }));
}
